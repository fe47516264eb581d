# SPDX-License-Identifier: Apache-2.0
"""Sums, means and roundings to the last bit as the extractors' Python and numpy give them.

Python's own sum() compensates its errors since 3.12. numpy's order of operations is written out here, so that the logs
are made wherever the tests are built; `python3 arithmetic.py` compares it with numpy, where that is installed.
"""
import statistics

UNROLLED = 8  # accumulators of numpy's sum
BLOCK = 128  # values that they add up; longer lists are halved


def plain_sum(values):
    total = 0.0
    for value in values:
        total += value
    return total


def pairwise_sum(values):
    count = len(values)
    if count < UNROLLED:
        return plain_sum(values)
    if count > BLOCK:
        half = count // 2 - count // 2 % UNROLLED
        return pairwise_sum(values[:half]) + pairwise_sum(values[half:])
    sums = values[:UNROLLED]
    whole = count - count % UNROLLED
    for start in range(UNROLLED, whole, UNROLLED):
        sums = [a + b for a, b in zip(sums, values[start:start + UNROLLED])]
    total = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]))
    return plain_sum([total, *values[whole:]])


def mean(values):
    return pairwise_sum(values) / len(values)


def median(values):
    return float(statistics.median(values))


def around(value, digits):
    """Scaled, rounded half to even, scaled back."""
    scale = 10.0 ** digits
    return float(round(float(value) * scale)) / scale


def compare_with_numpy():
    import random

    import numpy

    rng = random.Random(1)
    for _ in range(20_000):
        values = [rng.choice([rng.uniform(0, 5000), rng.uniform(0, 1), round(rng.uniform(0, 3000), 2)])
                  for _ in range(rng.randint(1, rng.choice([3, 20, 200, 700])))]
        assert mean(values) == float(numpy.mean(values)), values
        assert median(values) == float(numpy.median(values)), values
        digits = rng.randint(0, 4)
        near = rng.choice([values[0], (rng.randint(0, 10**6) + 0.5) / 10**digits])
        assert around(near, digits) == float(numpy.round(numpy.float64(near), digits)), near


if __name__ == "__main__":
    compare_with_numpy()
