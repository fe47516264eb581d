# SPDX-License-Identifier: Apache-2.0
"""ResNet50 v1.5 in OneFlow, data parallel; OneFlow's launcher starts a process a device.

Either as a static graph (nn.Graph), in which OneFlow itself shares out the batch and averages the gradients, or eagerly
by DistributedDataParallel.
"""
import ctypes
import signal
import sys

import numpy as np
import oneflow as flow
from oneflow import nn

import images
import training


def convolution(inputs, outputs, size, stride=1):
    return nn.Conv2d(inputs, outputs, size, stride, padding=size // 2, bias=False)


class Block(nn.Module):
    """The stride is that of the 3x3 convolution: this makes it v1.5."""

    def __init__(self, inputs, width, stride):
        super().__init__()
        outputs = 4 * width
        self.layers = nn.Sequential(
            convolution(inputs, width, 1), nn.BatchNorm2d(width), nn.ReLU(),
            convolution(width, width, 3, stride), nn.BatchNorm2d(width), nn.ReLU(),
            convolution(width, outputs, 1), nn.BatchNorm2d(outputs))
        self.shortcut = nn.Identity()
        if inputs != outputs:
            self.shortcut = nn.Sequential(convolution(inputs, outputs, 1, stride), nn.BatchNorm2d(outputs))
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.relu(self.layers(x) + self.shortcut(x))


def resnet50(classes):
    layers = [convolution(3, 64, 7, 2), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for blocks, width in ((3, 64), (4, 128), (6, 256), (3, 512)):
        for block in range(blocks):
            layers.append(Block(inputs, width, stride=2 if block == 0 and width > 64 else 1))
            inputs = 4 * width
    network = nn.Sequential(*layers, nn.AdaptiveAvgPool2d((1, 1)), nn.Flatten(), nn.Linear(inputs, classes))
    for module in network.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
    return network


class Loss(nn.Module):
    """Cross entropy; OneFlow's own knows no label smoothing."""

    def __init__(self, smoothing):
        super().__init__()
        self.smoothing = smoothing
        self.entropy = nn.CrossEntropyLoss()
        self.log_softmax = nn.LogSoftmax(dim=1)

    def forward(self, outputs, labels):
        loss = self.entropy(outputs, labels)
        if self.smoothing:
            loss = (1 - self.smoothing) * loss - self.smoothing * self.log_softmax(outputs).mean()
        return loss


class Graph(nn.Graph):
    """One iteration as a static graph."""

    def __init__(self, network, criterion, optimizer, amp):
        super().__init__()
        self.network, self.criterion = network, criterion
        self.config.enable_amp(amp)
        if amp:
            self.set_grad_scaler(flow.amp.GradScaler())
        self.add_optimizer(optimizer)

    def build(self, images, labels):
        loss = self.criterion(self.network(images), labels)
        loss.backward()
        return loss


def synthetic(opts, rank):
    """One batch, as images.Folder has them."""
    generator = np.random.default_rng(opts.seed + rank)
    pixels = generator.standard_normal((opts.batch_size, opts.image_size, opts.image_size, 3), dtype=np.float32)
    return pixels, generator.integers(opts.classes, size=opts.batch_size, dtype=np.int32)


def main():
    opts = training.options("OneFlow", extra=[("--graph", "yes", "yes: as a static graph; no: eagerly")])
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: the launcher may end without ending its processes
    rank, world_size = flow.env.get_rank(), flow.env.get_world_size()
    cuda = opts.backend == "cuda" or opts.backend == "auto" and flow.cuda.is_available()
    device, amp, graph = "cuda" if cuda else "cpu", opts.precision == "amp", opts.graph == "yes"
    if amp and not cuda:
        sys.exit("OneFlow has no mixed precision on CPUs; use the precision fp32")
    if amp and not graph:
        sys.exit("OneFlow has mixed precision only in static graphs; use the option graph=yes")
    flow.set_num_threads(opts.threads)
    flow.manual_seed(opts.seed)

    network = resnet50(opts.classes)
    everywhere = flow.placement(device, ranks=list(range(world_size)))
    if graph:
        network.to_global(placement=everywhere, sbp=flow.sbp.broadcast)
    else:
        network.to(device)
        if world_size > 1:
            network = nn.parallel.DistributedDataParallel(network)
    optimizer = flow.optim.SGD(network.parameters(), training.learning_rate(opts, world_size), opts.momentum,
                               opts.weight_decay)
    criterion = Loss(opts.label_smoothing)
    step = Graph(network, criterion, optimizer, amp) if graph else None

    def to_device(pixels, labels):
        """A rank's batch on its device; for a graph these are the parts of one global batch."""
        pixels = flow.tensor(np.ascontiguousarray(pixels.transpose(0, 3, 1, 2))).to(device)
        labels = flow.tensor(labels).to(device)
        if not graph:
            return pixels, labels
        return tuple(part.to_global(placement=everywhere, sbp=flow.sbp.split(0)) for part in (pixels, labels))

    def train(pixels, labels):
        """One iteration; the loss is that of the global batch for a graph, else that of this rank."""
        if graph:
            return step(pixels, labels).to_global(placement=everywhere, sbp=flow.sbp.broadcast).to_local()
        loss = criterion(network(pixels), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    if opts.data:
        folder = images.Folder(opts, rank, world_size)
        batches, epoch_size = training.endless(folder, folder.start_epoch), len(folder)
    else:
        batches, epoch_size = training.endless([to_device(*synthetic(opts, rank))]), 0

    log = training.Log(opts, rank, world_size, epoch_size, framework="OneFlow", version=flow.__version__,
                       backend=device, graph=opts.graph)
    for _ in range(opts.iterations):
        batch = log.batch(batches)
        log.iteration(train(*(to_device(*batch) if opts.data else batch)).numpy())

    training.print_checksum(rank, ((weight.to_local() if graph else weight).detach().cpu().numpy()
                                   for weight in network.parameters()))


if __name__ == "__main__":
    main()
