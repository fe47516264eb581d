# SPDX-License-Identifier: Apache-2.0
"""ResNet50 v1.5 of Gluon's model zoo, data parallel by MXNet's key-value store; launch.sh starts its processes.

A process has one CPU device, or all GPUs of a node: their gradients meet inside it, those of processes on the servers.
"""
import os
import sys
import traceback

import mxnet as mx
import numpy
from mxnet import autograd, gluon
from mxnet.contrib import amp
from mxnet.gluon import nn
from mxnet.gluon.data.vision import transforms
from mxnet.gluon.model_zoo import vision

import training


class Bottleneck(vision.BottleneckV1):
    """The zoo's block made v1.5: the stride moves from the first 1x1 convolution to the 3x3 one.

    Its 1x1 convolutions lose the bias, which the batch norm after them takes out again.
    """

    def __init__(self, channels, stride, downsample=False, in_channels=0, **kwargs):
        super().__init__(channels, stride, downsample, in_channels, **kwargs)
        inner = channels // 4
        self.body = nn.HybridSequential(prefix="")
        self.body.add(nn.Conv2D(inner, 1, use_bias=False), nn.BatchNorm(), nn.Activation("relu"),
                      nn.Conv2D(inner, 3, stride, 1, use_bias=False), nn.BatchNorm(), nn.Activation("relu"),
                      nn.Conv2D(channels, 1, use_bias=False), nn.BatchNorm())


class Trainer(gluon.Trainer):
    """Gluon's, but no gradient leaves this process before it has the first weights.

    The key-value store keeps a weight and later its gradient under one key. On CPUs MXNet 1.9.1 does not order a
    process's pull of the one before its push of the other: a late pull gets the sum of the gradients as the weight.
    """

    def _init_params(self):
        super()._init_params()
        mx.nd.waitall()


class Share(gluon.data.Sampler):
    """One process's images: each epoch all are shuffled, alike in every process, which takes its part of equal size."""

    def __init__(self, images, process, processes, seed):
        self.images, self.process, self.processes, self.seed = images, process, processes, seed
        self.epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        order = numpy.random.RandomState(self.seed + self.epoch).permutation(self.images)
        return iter(order[self.process:len(self) * self.processes:self.processes].tolist())

    def __len__(self):
        return self.images // self.processes


def image_folder(opts, processes, devices):
    """Batches of a folder, decoded, cropped and mirrored as ResNet50 is usually trained, split over the devices."""
    augment = transforms.Compose([
        transforms.RandomResizedCrop(opts.image_size), transforms.RandomFlipLeftRight(), transforms.ToTensor(),
        transforms.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))])
    images = gluon.data.vision.ImageFolderDataset(opts.data)
    share = Share(len(images), opts.process, processes, opts.seed)
    loader = gluon.data.DataLoader(images.transform_first(augment), opts.batch_size * len(devices), sampler=share,
                                   last_batch="discard", num_workers=opts.workers * len(devices),
                                   pin_memory=devices[0].device_type == "gpu")
    batches = training.endless(loader, share.set_epoch)
    return (list(zip(*(gluon.utils.split_and_load(part, devices) for part in batch))) for batch in batches), len(images)


def synthetic(opts, rank, devices):
    """One batch in each device's memory, again and again."""
    batch = []
    for number, device in enumerate(devices):
        random = numpy.random.RandomState(opts.seed + rank + number)
        images = random.standard_normal((opts.batch_size, 3, opts.image_size, opts.image_size))
        labels = random.randint(opts.classes, size=opts.batch_size)
        batch.append((mx.nd.array(images, device, "float32"), mx.nd.array(labels, device)))
    return training.endless([batch]), 0


def main():
    opts = training.options("MXNet", extra=[("--process", 0, "the number of this process among all that train")])
    world_size, processes = int(os.environ["DLPERF_WORLD_SIZE"]), int(os.environ["DMLC_NUM_WORKER"])
    cuda = opts.backend == "cuda" or opts.backend == "auto" and mx.context.num_gpus() > 0
    devices = [mx.gpu(number) if cuda else mx.cpu(number) for number in range(world_size // processes)]
    rank = opts.process * len(devices)  # the key-value store's own ranks follow ports, not nodes
    amp_used = opts.precision == "amp"
    if amp_used and not cuda:
        sys.exit("MXNet trains with mixed precision on GPUs only; on CPUs choose fp32")
    if amp_used:
        amp.init()
    # Before the devices are used: the loader forks.
    batches, epoch_size = image_folder(opts, processes, devices) if opts.data else synthetic(opts, rank, devices)

    mx.random.seed(opts.seed)
    network = vision.ResNetV1(Bottleneck, [3, 4, 6, 3], [64, 256, 512, 1024, 2048], classes=opts.classes)
    network.initialize(mx.init.Xavier("gaussian", "in", 2), devices)
    network.hybridize(static_alloc=True, static_shape=True)
    kvstore = "device" if cuda else "local"
    if processes > 1:
        kvstore = "dist_device_sync" if cuda else "dist_sync"
    rate = training.learning_rate(opts, world_size)
    trainer = Trainer(
        network.collect_params(), "sgd", {"learning_rate": rate, "momentum": opts.momentum, "wd": opts.weight_decay},
        kvstore=kvstore, update_on_kvstore=False)
    if amp_used:
        amp.init_trainer(trainer)
    criterion = gluon.loss.SoftmaxCrossEntropyLoss(sparse_label=False)
    spread = opts.label_smoothing / opts.classes

    log = training.Log(opts, rank, world_size, epoch_size, framework="MXNet", version=mx.__version__,
                       backend="cuda" if cuda else "cpu", kvstore=kvstore)
    for _ in range(opts.iterations):
        batch = log.batch(batches)
        with autograd.record():
            losses = [criterion(network(images), mx.nd.one_hot(labels, opts.classes, 1 - opts.label_smoothing + spread,
                                                               spread)) for images, labels in batch]
            if amp_used:
                with amp.scale_loss(losses, trainer) as scaled:
                    autograd.backward(scaled)
            else:
                autograd.backward(losses)
        trainer.step(opts.batch_size * world_size)
        mx.nd.waitall()
        log.iteration(losses[0].mean().asscalar())
    weights = [weight for weight in network.collect_params().values() if weight.grad_req != "null"]
    for number, device in enumerate(devices):
        training.print_checksum(rank + number, (weight.data(device).asnumpy() for weight in weights))


if __name__ == "__main__":
    try:
        main()
    except Exception:  # the usual end would wait for the other workers, which wait for this one
        traceback.print_exc()
        os._exit(1)
