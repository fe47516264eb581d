# SPDX-License-Identifier: Apache-2.0
"""What the bundled trainers share: options, the place in the world, batches by epoch, the log, a checksum.

Imports no framework. Options and log lines are those of dlperf-worker, so that one log format reads them all.
"""
import argparse
import hashlib
import os
import sys
import time


def options(framework, precisions=("fp32", "amp"), extra=()):
    """The command line. `extra`: (name, default, help) of options that only this trainer has."""
    parser = argparse.ArgumentParser(description=f"Trains ResNet50 with {framework} and logs a line an iteration.")
    add = parser.add_argument
    add("--batch-size", type=int, default=32, help="images a device and iteration")
    add("--iterations", type=int, default=120, help="how many to train")
    add("--precision", choices=precisions, default="fp32", help="amp: the framework's own mixed precision")
    add("--image-size", type=int, default=224, help="pixels, a multiple of 32")
    add("--classes", type=int, default=1000, help="classes to tell apart")
    add("--backend", choices=("auto", "cpu", "cuda"), default="auto", help="where to compute")
    add("--data", default="", help="folder of images, one sub-folder a class; empty: synthetic data")
    add("--workers", type=int, default=1, help="processes or threads that decode images, a device")
    add("--threads", type=int, default=1, help="threads that compute on a CPU, a device")
    add("--lr", type=float, help="learning rate; default: 0.1 x global batch size / 256")
    add("--momentum", type=float, default=0.9, help="of SGD")
    add("--weight-decay", type=float, default=1e-4, help="of SGD")
    add("--label-smoothing", type=float, default=0.0, help="share of the target spread over all classes")
    add("--seed", type=int, default=1, help="of weights, data and order")
    add("--checksum", action="store_true", help="each rank ends with a checksum of its weights")
    for name, default, text in extra:
        add(name, default=default, type=type(default), help=text)
    return parser.parse_args()


def learning_rate(opts, world_size):
    """Goyal et al. 2017: it follows the global batch size."""
    return 0.1 * opts.batch_size * world_size / 256 if opts.lr is None else opts.lr


def endless(loader, start_epoch=lambda epoch: None):
    """The loader's batches, epoch after epoch. An epoch without a batch is an error, not an endless loop."""
    epoch = 0
    while True:
        start_epoch(epoch)
        empty = True
        for batch in loader:
            empty = False
            yield batch
        if empty:
            sys.exit("the data folder holds fewer images than one global batch; use a smaller batch size")
        epoch += 1


class Log:
    """Rank 0 writes a header of "# key: value" lines, then one line an iteration; the other ranks write nothing.

    An iteration's time goes from the end of the one before to its own end, so waiting for data is part of it.
    """

    def __init__(self, opts, rank, world_size, epoch_size=0, **facts):
        self.writes = rank == 0
        self.global_batch = opts.batch_size * world_size
        self.epoch_size = epoch_size or sys.maxsize
        self.number = 0
        self.waited = 0.0
        shown = dict(
            facts, precision=opts.precision, batch_size=opts.batch_size, world_size=world_size,
            image_size=opts.image_size, classes=opts.classes, threads=opts.threads, workers=opts.workers,
            data=opts.data or "synthetic", seed=opts.seed, learning_rate=f"{learning_rate(opts, world_size):g}",
            momentum=opts.momentum, weight_decay=opts.weight_decay, label_smoothing=opts.label_smoothing)
        for key, value in shown.items():
            self._line(f"# {key}: {value}")
        self.last = time.perf_counter()

    def batch(self, batches):
        """The next batch; the time to get it is logged as "data"."""
        asked = time.perf_counter()
        batch = next(batches)
        self.waited = time.perf_counter() - asked
        return batch

    def iteration(self, loss):
        """Call when the iteration is done, not only queued: reading the loss waits for it."""
        loss = float(loss)
        now = time.perf_counter()
        seconds, self.last = now - self.last, now
        epoch = self.number * self.global_batch // self.epoch_size
        self.number += 1
        self._line(f"iteration {self.number} epoch {epoch} loss {loss:.4f} time {seconds:.6f} s "
                   f"data {self.waited:.6f} s throughput {self.global_batch / seconds:.2f} images/s")

    def _line(self, text):
        if self.writes:
            sys.stdout.write(f"{text}\n")  # in one piece: print() writes the line's end apart, and mpirun tags that too
            sys.stdout.flush()


def print_checksum(rank, arrays):
    """Prints a checksum of this rank's trainable weights (numpy arrays, in one order on all ranks), in one write."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(array.astype("float32").tobytes())
    os.write(1, f"# rank {rank}: checksum of the weights {digest.hexdigest()[:16]}\n".encode())
