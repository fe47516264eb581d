# SPDX-License-Identifier: Apache-2.0
"""ResNet50 v1.5 of torchvision, data parallel by DistributedDataParallel; torchrun starts a process a device."""
import os

import torch
import torch.distributed as dist
import torchvision
from torch.nn.parallel import DistributedDataParallel

import training


def image_folder(opts, rank, world_size):
    """Batches of a folder, decoded, cropped and mirrored as ResNet50 is usually trained; each rank gets its share."""
    transforms = torchvision.transforms
    images = torchvision.datasets.ImageFolder(opts.data, transforms.Compose([
        transforms.RandomResizedCrop(opts.image_size), transforms.RandomHorizontalFlip(), transforms.ToTensor(),
        transforms.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))]))
    sampler = torch.utils.data.DistributedSampler(images, world_size, rank, seed=opts.seed)
    loader = torch.utils.data.DataLoader(images, opts.batch_size, sampler=sampler, num_workers=opts.workers,
                                         pin_memory=torch.cuda.is_available(), drop_last=True)
    return training.endless(loader, sampler.set_epoch), len(images)


def synthetic(opts, rank, device):
    """One batch in the device's memory, again and again."""
    random = torch.Generator().manual_seed(opts.seed + rank)
    images = torch.randn(opts.batch_size, 3, opts.image_size, opts.image_size, generator=random)
    labels = torch.randint(opts.classes, (opts.batch_size,), generator=random)
    return training.endless([(images.to(device), labels.to(device))]), 0


def main():
    opts = training.options("PyTorch", extra=[("--compile", "no", "yes: through torch.compile")])
    rank, world_size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    cuda = opts.backend == "cuda" or opts.backend == "auto" and torch.cuda.is_available()
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if cuda else torch.device("cpu")
    torch.set_num_threads(opts.threads)
    torch.manual_seed(opts.seed)
    if cuda:
        torch.cuda.set_device(device)
        torch.backends.cudnn.benchmark = True
    dist.init_process_group("nccl" if cuda else "gloo")

    # Images channels-last: the layout in which cuDNN and oneDNN are fastest.
    network = torchvision.models.resnet50(num_classes=opts.classes).to(device, memory_format=torch.channels_last)
    model = DistributedDataParallel(network, device_ids=[device] if cuda else None)
    if opts.compile == "yes":
        model = torch.compile(model)
    rate = training.learning_rate(opts, world_size)
    optimizer = torch.optim.SGD(model.parameters(), rate, opts.momentum, weight_decay=opts.weight_decay)
    criterion = torch.nn.CrossEntropyLoss(label_smoothing=opts.label_smoothing)
    amp = opts.precision == "amp"
    scaler = torch.cuda.amp.GradScaler(enabled=amp and cuda)  # bfloat16, which CPUs use, needs no scaling
    batches, epoch_size = image_folder(opts, rank, world_size) if opts.data else synthetic(opts, rank, device)

    log = training.Log(opts, rank, world_size, epoch_size, framework="PyTorch", version=torch.__version__,
                       backend=device.type, compile=opts.compile)
    for _ in range(opts.iterations):
        images, labels = log.batch(batches)
        images = images.to(device, non_blocking=True, memory_format=torch.channels_last)
        labels = labels.to(device, non_blocking=True)
        with torch.autocast(device.type, torch.float16 if cuda else torch.bfloat16, enabled=amp):
            loss = criterion(model(images), labels)
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        log.iteration(loss)

    training.print_checksum(rank, (weight.detach().cpu().numpy() for weight in network.parameters()))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
