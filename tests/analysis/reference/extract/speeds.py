# SPDX-License-Identifier: Apache-2.0
"""Figures that are the mean of printed speeds: a list, a slice, numpy.mean."""
import re

import arithmetic
from rounding import n_round


def values(lines, markers, pattern, digits):
    """The number that pattern captures in each line that holds every marker."""
    counted = [line for line in lines if all(marker in line for marker in markers)]
    return [round(float(re.findall(pattern, line)[0]), digits) for line in counted]


def mean(speeds, start, end):
    assert len(speeds[start:end]) == end - start > 0, "short"
    return n_round(arithmetic.mean(speeds[start:end]))


def paddle_resnet50(lines, where, warmup, train):
    seconds = values(lines, ["elapse"], r".*elapse (.*?) sec", 12)
    return mean([round(where.total_batch / second, 4) for second in seconds], warmup, train)


def paddle_bert(lines, where, warmup, train):
    """Its steps/s are of all nodes already."""
    steps = values(lines, ["speed:"], r" speed: (\d+\.\d+) steps/s", 12)
    return mean([round(step * where.gpus * where.batch, 4) for step in steps], warmup, train)


def tensorflow2_resnet50(lines, where, warmup, train):
    speeds = values(lines, ["TimeHistory"], r", (.*?) examples/second ", 12)
    return mean(speeds, 1 if warmup <= 100 else warmup // 100, train // 100)


def ngc_tensorflow1_resnet50(lines, where, warmup, train):
    speeds = values(lines, [" imgs_per_sec "], r" imgs_per_sec : (\d+.\d+) ", 2)
    return mean(speeds, warmup - 20, train - 20)


def ngc_tensorflow1_bert(lines, where, warmup, train):
    """Iterations 10, 20, ...; whatever does not match, such as iteration 1, is passed over."""
    speeds = []
    for line in lines:
        iteration = re.findall(r"Iteration: \d+0 ", line)
        speed = re.findall(r" throughput_train : (\d+\.\d+) seq/s", line)
        if iteration and speed:
            speeds.append(float(speed[0]))
    return mean(speeds, max(warmup, 20) // 10, train // 10)


def by_rows(speeds, width, start, train):
    """What the ranks say of an iteration is a row; more or fewer lines than that is an error."""
    assert len(speeds) == train * width
    rows = [arithmetic.median(speeds[at:at + width]) for at in range(0, len(speeds), width)]
    return n_round(arithmetic.mean(rows[start:train]))


def mxnet_resnet50(lines, where, warmup, train):
    speeds = values(lines, ["Epoch[0] Batch["], r"Speed: (\d+\.\d+) samples/sec", 2)
    return by_rows(speeds, 1, 20 if warmup <= 20 else warmup - 20, train)


def ngc_mxnet_resnet50(lines, where, warmup, train):
    speeds = values(lines, [" Epoch[0] Batch "], r"Speed: (\d+\.\d+) samples/sec", 2)
    return by_rows(speeds, where.world, 20 if warmup <= 20 else warmup - 20, train)


def mxnet_bert(lines, where, warmup, train):
    latencies = values(lines, ["throughput="], r"latency=(\d+\.\d+) ms/batch", 1)
    speeds = [1000 / latency * where.batch * where.nodes * where.gpus for latency in latencies]
    return by_rows(speeds, where.world, 100 if warmup <= 100 else warmup - 100, train)


def mxnet_arcface(lines, where, warmup, train):
    """A line every 20 iterations, of one node."""
    lines = [line for line in lines if "INFO:root:Epoch[0] Batch" in line or "INFO:root:Iter[0] Batch" in line]
    speeds = values(lines, [], r"Speed: (\d+\.\d+) samples/sec", 1)
    return mean([speed * where.nodes for speed in speeds], warmup // 20, train // 20)


def mxnet_partial_fc(lines, where, warmup, train):
    """To the end of the file, whatever train says."""
    speeds = values(lines, ["Rank:", "Total:"], r"Total:(\d+\.\d+) it/sec", 1)
    assert len(speeds) >= train
    return mean(speeds, warmup - 1, len(speeds))


def timm(lines, where, warmup, train):
    """Its updates count from 0."""
    return mean(values(lines, ["Train: "], r"s, +([0-9.]+)/s  \(", 12), warmup, train)


def oneflow_face(lines, where, warmup, train):
    """Both ends of the window count; the first iterations, up to 5, do not."""
    counted = [line for line in lines if "train: iter" in line
               and int(re.findall(r"train: iter (.*?), loss", line)[0]) > 5]
    return mean(values(counted, [], r"throughput: (.*)", 12), warmup - 1, train)
