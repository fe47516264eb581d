# SPDX-License-Identifier: Apache-2.0
"""Sets in which the choice of a rounding, or the order of a sum, decides a digit: few random ones need it."""
import dataclasses
from unittest import mock

import arithmetic
import expected
from extract import epochs, iterations, speeds, stamps, today
from rounding import SPEEDS, SPEEDS_4, TABLES, n_round, p_round

PARTS = {4: "median", 6: "average", 7: "run", 8: "speedup", 9: "sum"}  # by the set's number
OTHER = {n_round: p_round, p_round: n_round}

# No set of the first 800 hangs on the detail of its number.
UNDECIDED = {"mxnet-bert-07", "tensorflow2-resnet50-time-08", "tf-cnn-benchmarks-08", "paddle-resnet50-09",
             "paddle-bert-09", "oneflow-face-09", "timm-09"}
# The attempt that each search ends with.
FOUND = {
    "dlperf-worker-06": 1, "dlperf-worker-08": 278, "mindcv-06": 2, "mindcv-08": 90, "mindspore-bert-04": 5,
    "mindspore-bert-06": 25, "mindspore-bert-08": 340, "mindspore-resnet50-04": 3, "mindspore-resnet50-06": 9,
    "mindspore-resnet50-08": 616, "mxnet-arcface-04": 7, "mxnet-arcface-06": 3, "mxnet-arcface-07": 5,
    "mxnet-arcface-08": 30, "mxnet-arcface-09": 593, "mxnet-bert-08": 80, "mxnet-module-04": 3, "mxnet-module-08": 104,
    "mxnet-partial-fc-06": 5, "mxnet-partial-fc-07": 2, "mxnet-partial-fc-08": 105, "mxnet-partial-fc-09": 34,
    "mxnet-resnet50-04": 4, "mxnet-resnet50-07": 3, "mxnet-resnet50-08": 69, "mxnet-resnet50-09": 62,
    "ngc-mxnet-resnet50-04": 5, "ngc-mxnet-resnet50-07": 7, "ngc-mxnet-resnet50-08": 142,
    "ngc-mxnet-resnet50-time-04": 1, "ngc-mxnet-resnet50-time-08": 378, "ngc-pytorch-bert-06": 6,
    "ngc-pytorch-bert-08": 206, "ngc-pytorch-resnet50-04": 6, "ngc-pytorch-resnet50-08": 197,
    "ngc-tensorflow1-bert-04": 7, "ngc-tensorflow1-bert-06": 92, "ngc-tensorflow1-bert-07": 4,
    "ngc-tensorflow1-bert-08": 197, "ngc-tensorflow1-bert-09": 68, "ngc-tensorflow1-bert-time-04": 1,
    "ngc-tensorflow1-bert-time-06": 97, "ngc-tensorflow1-bert-time-08": 89, "ngc-tensorflow1-resnet50-06": 1,
    "ngc-tensorflow1-resnet50-07": 11, "ngc-tensorflow1-resnet50-08": 36, "ngc-tensorflow1-resnet50-09": 387,
    "ngc-tensorflow1-resnet50-time-08": 27, "oneflow-face-04": 1, "oneflow-face-07": 7, "oneflow-face-08": 28,
    "oneflow-models-resnet50-06": 5, "oneflow-models-resnet50-08": 450, "paddle-bert-07": 302, "paddle-bert-08": 170,
    "paddle-resnet50-04": 8, "paddle-resnet50-07": 10, "paddle-resnet50-08": 85, "paddle-resnet50-time-06": 4,
    "paddle-resnet50-time-08": 26, "paddleclas-04": 3, "paddleclas-06": 2, "paddleclas-08": 138,
    "paddleclas-steps-04": 10, "paddleclas-steps-06": 5, "paddleclas-steps-08": 16,
    "paddleclas-steps-from-zero-04": 2, "paddleclas-steps-from-zero-06": 1, "paddleclas-steps-from-zero-08": 38,
    "pytorch-examples-04": 4,
    "pytorch-examples-06": 1, "pytorch-examples-08": 325, "tensorflow2-bert-04": 2, "tensorflow2-bert-07": 2,
    "tensorflow2-bert-08": 276, "tensorflow2-resnet50-06": 4, "tensorflow2-resnet50-07": 10,
    "tensorflow2-resnet50-08": 321, "tensorflow2-resnet50-09": 549, "tensorflow2-resnet50-time-04": 2,
    "tensorflow2-resnet50-time-06": 1, "tensorflow2-resnet50-time-07": 1, "tf-cnn-benchmarks-04": 1,
    "tf-cnn-benchmarks-06": 2, "tf-models-steps-08": 114, "timm-06": 2, "timm-07": 4, "timm-08": 109,
}


def first_attempt(title):
    """Where the search for a set begins: at the one that it is known to end with."""
    return FOUND.get(title, 799 if title in UNDECIDED else 0)


def part_of(form, number):
    """What shall decide in the set of that number; None: any set will do.

    Unrounded tables have nothing to decide, and what comes from sums of printed times is never so short that its
    rounding matters. Where every device prints, no set is long enough for numpy to leave the plain order of a sum.
    """
    part = PARTS.get(number)
    if part == "sum" and (form.widest or reads(today, form)):
        return None
    if form.rounding is TABLES or (part == "sum" and form.rounding not in (SPEEDS, SPEEDS_4)):
        return None
    if part == "run" and (reads(iterations, form) or reads(today, form)):
        return None
    return part


def reads(module, form):
    return form.extract.__module__ == module.__name__


def by_clock(form):
    """Whether a figure comes from two stamps or from the seconds of epochs."""
    return reads(stamps, form) or reads(epochs, form)


def decides(part, form, logs, warmup, train):
    """Whether numpy's rounding instead of Python's, or the other way round, gives another JSON; or a plain sum."""
    ours = expected.speeds(form, logs, warmup, train)
    if part == "run":
        with mock.patch.object(speeds, "n_round", p_round), \
                mock.patch.object(stamps, "round", n_round, create=True), \
                mock.patch.object(epochs, "round", n_round, create=True):
            return expected.speeds(form, logs, warmup, train) != ours
    if part == "sum":
        with mock.patch.object(arithmetic, "mean", lambda values: arithmetic.plain_sum(values) / len(values)):
            return expected.speeds(form, logs, warmup, train) != ours
    other = dataclasses.replace(form.rounding, **{part: OTHER[getattr(form.rounding, part)]})
    return expected.speeds(dataclasses.replace(form, rounding=other), logs, warmup, train) != ours
