# SPDX-License-Identifier: Apache-2.0
"""Figures from two time stamps, at the window's start and at its end.

Each script has its own idea of which lines those are and by how many iterations to divide; none of that is tidied up
here, since the engine must follow it.
"""
import datetime
import re

DATED = r"\d{4}-\d{1,2}-\d{1,2} \d{1,2}:\d{1,2}:\d{1,2}"
DLL_STAMP = (DATED + r".\d{1,6}", "%Y-%m-%d %H:%M:%S.%f")
PADDLE_STAMP = (DATED + r",\d{3}", "%Y-%m-%d %H:%M:%S,%f")
MXNET_STAMP = (DATED + r",\d{1,6}", "%Y-%m-%d %H:%M:%S,%f")
ONEFLOW_STAMP = (DATED + r"\.\d{3}", "%Y-%m-%d %H:%M:%S.%f")
TIME_OF_DAY = (r"\d{1,2}:\d{1,2}:\d{1,2}.\d{1,6}", "%H:%M:%S.%f")


def stamp(line, kind):
    pattern, layout = kind
    return datetime.datetime.strptime(re.findall(pattern, line)[0], layout)


def figure(where, start, end, kind, iterations):
    seconds = (stamp(end, kind) - stamp(start, kind)).total_seconds()
    return round(where.total_batch / (seconds / iterations), 2)


def behind_the_first_five(lines, pattern):
    """The trainer's first five iterations do not count."""
    marker = pattern.split("(")[0]
    return [line for line in lines if marker in line and int((re.findall(pattern, line) or ["0"])[0]) > 5]


def ngc_pytorch_resnet50(lines, where, warmup, train):
    counted = behind_the_first_five(lines, r"Iteration: (.*?)  train.loss :")
    return figure(where, counted[warmup - 1], counted[train - 1], DLL_STAMP, train - warmup)


def ngc_pytorch_bert(lines, where, warmup, train):
    lines = [line for line in lines if "Training Epoch: " in line]
    counted = behind_the_first_five(lines, r"Training Iteration: (.*?)  average_loss")
    return figure(where, counted[warmup - 1], counted[train - 1], DLL_STAMP, train - warmup)


def between(lines, marker, first, last):
    """The last line with the first text before the first one with the other; either may stand in a longer number."""
    start = None
    for line in (line for line in lines if marker in line):
        if first in line:
            start = line
        if last in line:
            return start, line
    raise ValueError("short")


def paddle_resnet50(lines, where, warmup, train):
    start, end = between(lines, "elapse", f"train batch {warmup - 1}]", f"train batch {train - 1}]")
    return figure(where, start, end, PADDLE_STAMP, train - warmup)


def oneflow_models(lines, where, warmup, train):
    """Rank 0 alone, as one log holds those of several."""
    ends = [next(line for line in lines if "[rank:0] [train]" in line and f" iter: {number}/" in line)
            for number in (warmup, train)]
    return figure(where, *ends, ONEFLOW_STAMP, train - warmup)


def tensorflow2_resnet50(lines, where, warmup, train):
    """A line every hundred iterations; a warmup of 0 starts at the first of them as well."""
    counted = [line for line in lines if "TimeHistory" in line]
    first = 1 if warmup <= 100 else warmup // 100
    return figure(where, counted[first - 1], counted[train // 100 - 1], TIME_OF_DAY, train - warmup)


def ngc_tensorflow1_resnet50(lines, where, warmup, train):
    """The trainer is silent for 20 iterations; 100 lines are 99 iterations apart."""
    counted = [line for line in lines if " imgs_per_sec " in line]
    first, last = warmup - 20 + 1, train - 20
    return figure(where, counted[first - 1], counted[last - 1], DLL_STAMP, last - first)


def ngc_tensorflow1_bert(lines, where, warmup, train):
    start, end = between(lines, " throughput_train : ", f"Iteration: {warmup}", f"Iteration: {train}")
    return figure(where, start, end, DLL_STAMP, train - warmup)


def tensorflow2_bert(lines, where, warmup, train):
    """The start is never before line 20, the divisor does not know that."""
    counted = [line for line in lines if "Train Step:" in line]
    return figure(where, counted[max(warmup, 20) - 1], counted[train - 1], TIME_OF_DAY, train - warmup)


def ngc_mxnet_resnet50(lines, where, warmup, train):
    """Every rank prints."""
    counted = [line for line in lines if " Epoch[0] Batch " in line]
    warmup = max(warmup, 20)
    start, end = counted[warmup * where.world - 1], counted[train * where.world - 1]
    return figure(where, start, end, MXNET_STAMP, train - warmup)
