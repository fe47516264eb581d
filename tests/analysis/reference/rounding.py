# SPDX-License-Identifier: Apache-2.0
"""The two roundings of the extractors, and which of them each family of scripts uses where.

They differ in a fifth of all medians of two values, so "to the last digit" needs both.
"""
import statistics
from dataclasses import dataclass
from typing import Callable

import arithmetic


def p_round(value, digits=2):
    """Python's: the decimal nearest to the binary value."""
    return round(float(value), digits)


def n_round(value, digits=2):
    """numpy's: scaled, rounded half to even, scaled back."""
    return arithmetic.around(value, digits)


def unrounded(value, digits=2):
    return value


@dataclass(frozen=True)
class Rounding:
    average: Callable
    median: Callable
    speedup: Callable
    average_digits: int = 2
    shown: Callable = unrounded

    def fold(self, values):
        """Average and median of the runs of a case."""
        average = self.average(arithmetic.plain_sum(values) / len(values), self.average_digits)
        return average, self.median(statistics.median(values))


PYTHON = Rounding(p_round, p_round, p_round)
STAMPS = Rounding(p_round, n_round, n_round)
SPEEDS = Rounding(n_round, n_round, n_round)
STAMPS_4 = Rounding(p_round, n_round, n_round, average_digits=4)
SPEEDS_4 = Rounding(n_round, n_round, n_round, average_digits=4)
TABLES = Rounding(unrounded, unrounded, unrounded, shown=p_round)
