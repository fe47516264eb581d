# SPDX-License-Identifier: Apache-2.0
"""MindSpore's figures: the printed milliseconds of the epochs inside the window.

The devices share one log, so their times add up; a window that cuts an epoch still divides by all of its iterations.
"""
import re


def figure(lines, where, warmup, train, iteration_of):
    now, milliseconds = 0, 0.0
    for line in lines:
        if "epoch:" in line and "step:" in line:
            now = iteration_of(line)
            if now > train:
                break
        if "epoch time:" in line and now > warmup:
            milliseconds += float(re.findall(r"epoch time: (\d+.\d{3})", line)[0])
    assert milliseconds > 0.01
    iterations = (train - warmup) * where.world
    return round(where.total_batch / ((milliseconds / 1000) / iterations), 2)


def number(line, word):
    return int(re.findall(word + r" (\d+)", line)[0])


def mindspore_resnet50(lines, where, warmup, train):
    """Steps begin again in each epoch."""
    return figure(lines, where, warmup, train, lambda line: number(line, "step:") * number(line, "epoch:"))


def mindspore_bert(lines, where, warmup, train):
    return figure(lines, where, warmup, train, lambda line: float(number(line, "step:")))
