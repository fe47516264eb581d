# SPDX-License-Identifier: Apache-2.0
"""Figures of trainers that DLPerf did not know: no extractor prescribes them, their own sources do.

Times add up, speeds do not: the speed over some iterations is their samples by the sum of their times.
"""
import re

from arithmetic import plain_sum
from rounding import n_round


def found(lines, pattern):
    return [match for match in (re.search(pattern, line) for line in lines) if match]


def within(numbered, warmup, train):
    """(iterations, value) of the lines that tell of iterations within the window alone: since the line before."""
    ends = [0, *(number for number, _ in numbered)]
    return [(end - start, value) for start, (end, value) in zip(ends, numbered) if start >= warmup and end <= train]


def speed_of(stretches):
    assert stretches, "short"
    return sum(count for count, _ in stretches) / plain_sum(count / speed for count, speed in stretches)


def tf_models_steps(lines, where, warmup, train):
    """The speed of all devices."""
    pattern = r"TimeHistory: .*, ([0-9.]+) examples/second between steps (\d+) and (\d+)"
    return n_round(speed_of([(int(match[3]) - int(match[2]), float(match[1])) for match in found(lines, pattern)
                             if int(match[2]) >= warmup and int(match[3]) <= train]))


def mxnet_module(lines, where, warmup, train):
    """One worker's; of several GPUs where it lists them. Batches count from 0."""
    numbered = [(int(match[1]) + 1, float(match[2])) for match in found(lines, r"(\d+)\]\tSpeed: ([0-9.]+) ")]
    gpus = found(lines, r"gpus='(.*?)'")
    driven = len(gpus[0][1].split(",")) if gpus else 1
    return n_round(speed_of(within(numbered, warmup, train)) * where.nodes * where.gpus / driven)


def mindcv(lines, where, warmup, train):
    numbered = [(int(match[1]), float(match[2])) for match in found(lines, r"batch: \[(\d+)/\d+\].* time: ([0-9.]+)s$")]
    stretches = within(numbered, warmup, train)
    seconds = plain_sum(seconds for _, seconds in stretches) / sum(count for count, _ in stretches)
    return n_round(where.total_batch / seconds)


def paddleclas(lines, where, warmup, train):
    pattern = r"\[Train\].*\[Iter: (\d+)/.* batch_cost: ([0-9.]+)s"
    numbered = [(int(match[1]) + 1, float(match[2])) for match in found(lines, pattern)]
    return by_means(apart(numbered, 5), where, warmup, train)


def paddleclas_steps(lines, where, warmup, train):
    pattern = r"epoch:\d+ +train step:(\d+) .* batch_cost: ([0-9.]+) s"
    numbered = [(int(match[1]), float(match[2])) for match in found(lines, pattern)]
    return by_means(apart(numbered, 4), where, warmup, train)


def paddleclas_steps_from_zero(lines, where, warmup, train):
    pattern = r"epoch:\d+ *, train step:(\d+) *, .* batch_cost: ([0-9.]+) s"
    numbered = [(int(match[1]) + 1, float(match[2])) for match in found(lines, pattern)]
    return by_means(apart(numbered, 10), where, warmup, train)


def by_means(numbered, where, warmup, train):
    stretches = within(numbered, warmup, train)
    seconds = plain_sum(count * mean for count, mean in stretches) / sum(count for count, _ in stretches)
    return n_round(where.total_batch / seconds)


def apart(numbered, since):
    """Means of the iterations since the line before, of means of all so far that begin anew after iteration `since`."""
    means, before, mean_before = [], 0, 0.0
    for number, mean in numbered:
        begin = since if number > since else 0
        if begin == (since if before > since else 0):
            spent = (number - begin) * mean - (before - begin) * mean_before
            means.append((number, spent / (number - before)))
        else:
            means.append((number, mean))
        before, mean_before = number, mean
    return means


def tf_cnn_benchmarks(lines, where, warmup, train):
    """A mean over k steps is their batches over the sum of their times: so the times of two means can be subtracted."""
    means = {int(match[1]): float(match[2]) for match in found(lines, r"(\d+)\timages/sec: ([0-9.]+) \+/- ")}
    devices = [line for line in lines if "Devices:" in line][0]
    driven = 1 if "horovod" in devices else devices.count("gpu")
    batches = (train - warmup) / (train / means[train] - warmup / means[warmup])
    return n_round(batches * where.nodes * where.gpus / driven)
