# SPDX-License-Identifier: Apache-2.0
"""ResNet50 v1.5 of paddle.vision, data parallel by paddle.DataParallel; Paddle's launcher starts a process a device."""
import os
import random
import signal
import sys

import numpy as np
import paddle
from paddle.vision import datasets, transforms

import training


def image_folder(opts, rank, world_size):
    """Batches of a folder, decoded, cropped and mirrored as ResNet50 is usually trained; each rank gets its share."""
    random.seed(opts.seed + rank)  # of the crops
    images = datasets.DatasetFolder(opts.data, transform=transforms.Compose([
        transforms.RandomResizedCrop(opts.image_size), transforms.RandomHorizontalFlip(), transforms.Transpose(),
        transforms.Normalize((123.675, 116.28, 103.53), (58.395, 57.12, 57.375))]))
    sampler = paddle.io.DistributedBatchSampler(images, opts.batch_size, world_size, rank, shuffle=True, drop_last=True)
    loader = paddle.io.DataLoader(images, batch_sampler=sampler, num_workers=opts.workers)
    return training.endless(loader, lambda epoch: sampler.set_epoch(opts.seed + epoch)), len(images)


def synthetic(opts, rank):
    """One batch in the device's memory, again and again."""
    generator = np.random.default_rng(opts.seed + rank)
    images = generator.standard_normal((opts.batch_size, 3, opts.image_size, opts.image_size), dtype=np.float32)
    labels = generator.integers(opts.classes, size=(opts.batch_size,))
    return training.endless([(paddle.to_tensor(images), paddle.to_tensor(labels))]), 0


def main():
    os.dup2(0, 1)  # launch.sh says why
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # Paddle calls it a fatal error when the launcher ends a process
    opts = training.options("PaddlePaddle")
    rank, world_size = paddle.distributed.get_rank(), paddle.distributed.get_world_size()
    gpus = paddle.is_compiled_with_cuda() and paddle.device.cuda.device_count()
    cuda = opts.backend == "cuda" or opts.backend == "auto" and gpus
    amp = opts.precision == "amp"
    if amp and not cuda:
        sys.exit("PaddlePaddle has no mixed precision on CPUs; use the precision fp32")
    paddle.set_device(f"gpu:{paddle.distributed.ParallelEnv().device_id}" if cuda else "cpu")
    paddle.seed(opts.seed)
    if cuda:
        paddle.set_flags({"FLAGS_cudnn_exhaustive_search": True})
    if world_size > 1:
        os.environ["PADDLE_DISTRI_BACKEND"] = "nccl" if cuda else "gloo"
        paddle.distributed.init_parallel_env()

    network = paddle.vision.models.resnet50(num_classes=opts.classes)
    model = paddle.DataParallel(network) if world_size > 1 else network
    optimizer = paddle.optimizer.Momentum(training.learning_rate(opts, world_size), opts.momentum,
                                          model.parameters(), weight_decay=opts.weight_decay)
    criterion = paddle.nn.CrossEntropyLoss(label_smoothing=opts.label_smoothing)
    scaler = paddle.amp.GradScaler(enable=amp)
    batches, epoch_size = image_folder(opts, rank, world_size) if opts.data else synthetic(opts, rank)

    log = training.Log(opts, rank, world_size, epoch_size, framework="PaddlePaddle", version=paddle.__version__,
                       backend="cuda" if cuda else "cpu")
    for _ in range(opts.iterations):
        images, labels = log.batch(batches)
        with paddle.amp.auto_cast(enable=amp):
            loss = criterion(model(images), labels)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.clear_grad()
        log.iteration(loss)

    # Paddle counts the statistics of the batch normalizations, which each rank has of its own, among the parameters.
    training.print_checksum(rank, (weight.numpy() for weight in network.parameters() if weight.trainable))


if __name__ == "__main__":
    main()
