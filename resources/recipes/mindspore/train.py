# SPDX-License-Identifier: Apache-2.0
"""ResNet50 v1.5 of MindCV, data parallel by MindSpore's reducer of gradients; launch.sh starts a process a device."""
import os
import sys

import mindspore
import mindspore.dataset as data
import numpy
from mindcv.models import resnet50
from mindspore import amp, nn, ops
from mindspore.communication import get_rank, init
from mindspore.dataset import vision

import training


def image_folder(opts, rank, world_size):
    """Batches of a folder, decoded, cropped and mirrored as ResNet50 is usually trained; each rank gets its share."""
    data.config.set_seed(opts.seed)
    images = data.ImageFolderDataset(opts.data, None, 1, True, num_shards=world_size, shard_id=rank)
    epoch_size = images.get_dataset_size() * world_size
    images = images.map([
        vision.RandomCropDecodeResize(opts.image_size), vision.RandomHorizontalFlip(),
        vision.Normalize((0.485 * 255, 0.456 * 255, 0.406 * 255), (0.229 * 255, 0.224 * 255, 0.225 * 255)),
        vision.HWC2CHW()], "image", num_parallel_workers=opts.workers)
    images = images.map(data.transforms.TypeCast(mindspore.int32), "label", num_parallel_workers=1)
    images = images.batch(opts.batch_size, drop_remainder=True, num_parallel_workers=1)
    return training.endless(images.create_tuple_iterator(num_epochs=-1)), epoch_size


def synthetic(opts, rank):
    """One batch in the device's memory, again and again."""
    random = numpy.random.RandomState(opts.seed + rank)
    images = random.standard_normal((opts.batch_size, 3, opts.image_size, opts.image_size)).astype("float32")
    labels = random.randint(opts.classes, size=opts.batch_size).astype("int32")
    return training.endless([(mindspore.Tensor(images), mindspore.Tensor(labels))]), 0


def gpus():
    """Whether MindSpore finds GPUs, its part for them and what that needs of CUDA."""
    try:
        return mindspore.device_context.gpu.is_available() and mindspore.device_context.gpu.device_count() > 0
    except RuntimeError:
        return False


def main():
    opts = training.options("MindSpore")
    world_size, rank = int(os.environ["DLPERF_WORLD_SIZE"]), 0
    cuda = opts.backend == "cuda" or opts.backend == "auto" and gpus()
    mindspore.set_context(mode=mindspore.GRAPH_MODE)
    if cuda:
        mindspore.set_device("GPU", int(os.environ["DEVICE_ID"]))
    else:
        mindspore.set_device("CPU")
    mindspore.device_context.cpu.op_tuning.threads_num(opts.threads)
    mindspore.set_seed(opts.seed)
    if world_size > 1:
        init()
        rank = get_rank()
        mindspore.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)

    network = resnet50(num_classes=opts.classes).set_train()
    mixed = opts.precision == "amp"
    if mixed:
        network = amp.auto_mixed_precision(network, "O2")
    scaler = amp.DynamicLossScaler(1024.0, 2, 2000)
    weights = network.trainable_params()
    # As a group, else batch norms would not decay.
    optimizer = nn.SGD([{"params": weights, "weight_decay": opts.weight_decay}],
                       training.learning_rate(opts, world_size), opts.momentum)
    criterion = nn.CrossEntropyLoss(label_smoothing=opts.label_smoothing)

    def forward(images, labels):
        loss = criterion(network(images).astype(mindspore.float32), labels)
        return scaler.scale(loss) if mixed else loss

    loss_and_gradients = mindspore.value_and_grad(forward, None, weights)
    averaged = nn.DistributedGradReducer(weights) if world_size > 1 else nn.Identity()

    @mindspore.jit
    def step(images, labels):
        loss, gradients = loss_and_gradients(images, labels)
        gradients = averaged(gradients)
        if mixed:
            loss = scaler.unscale(loss)
            finite = amp.all_finite(gradients)
            if finite:
                loss = ops.depend(loss, optimizer(scaler.unscale(gradients)))
            scaler.adjust(finite)
        else:
            loss = ops.depend(loss, optimizer(gradients))
        return loss

    batches, epoch_size = image_folder(opts, rank, world_size) if opts.data else synthetic(opts, rank)
    log = training.Log(opts, rank, world_size, epoch_size, framework="MindSpore", version=mindspore.__version__,
                       backend="cuda" if cuda else "cpu")
    for _ in range(opts.iterations):
        log.iteration(step(*log.batch(batches)).asnumpy())
    training.print_checksum(rank, (weight.asnumpy() for weight in weights))


if __name__ == "__main__":
    main()
    sys.unraisablehook = lambda _: None  # at the interpreter's end MindSpore's cells miss what has gone before them
