# SPDX-License-Identifier: Apache-2.0
"""Sets in which the choice of a rounding, or the order of a sum, decides a digit: few random ones need it."""
import dataclasses
from unittest import mock

import numpy

import expected
from extract import epochs, iterations, speeds, stamps
from rounding import SPEEDS, SPEEDS_4, TABLES, n_round, p_round

PARTS = {4: "median", 6: "average", 7: "run", 8: "speedup", 9: "sum"}  # by the set's number
OTHER = {n_round: p_round, p_round: n_round}


def part_of(form, number):
    """What shall decide in the set of that number; None: any set will do.

    Unrounded tables have nothing to decide, and the mean of printed durations is never so short that its rounding
    matters. Where every device prints, no set is long enough for numpy to leave the plain order of a sum.
    """
    part = PARTS.get(number)
    if part == "sum" and form.widest:
        return None
    if form.rounding is TABLES or (part == "sum" and form.rounding not in (SPEEDS, SPEEDS_4)):
        return None
    if part == "run" and reads(iterations, form):
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
        with mock.patch.object(numpy, "mean", lambda values: sum(values) / len(values)):
            return expected.speeds(form, logs, warmup, train) != ours
    other = dataclasses.replace(form.rounding, **{part: OTHER[getattr(form.rounding, part)]})
    return expected.speeds(dataclasses.replace(form, rounding=other), logs, warmup, train) != ours
