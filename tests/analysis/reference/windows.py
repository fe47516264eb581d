# SPDX-License-Identifier: Apache-2.0
"""Legal windows, warmup and train, for each family: what its script asserts, and where its quirks show.

length: how many values the window shall hold.
"""


def near(rng, length):
    warmup = rng.randint(2, 9)
    return warmup, warmup + length


def hundreds(rng, length):
    """A line every hundred iterations; train may lie between two."""
    warmup = rng.choice([0, 100, 200, 300])
    return warmup, (max(warmup // 100, 1) + length) * 100 + rng.choice([0, 0, 50])


def behind_twenty(rng, length):
    """Silent for 20 iterations; a single line has no duration."""
    warmup = rng.randint(20, 40)
    return warmup, warmup + 1 + length


def from_twenty(rng, length):
    """Never starts before 20."""
    warmup = rng.choice([5, 10, 20, 23, 30])
    return warmup, max(warmup, 20) + length


def twenty_less(rng, length):
    """A warmup above 20 starts 20 earlier: 30 at 10."""
    warmup = rng.choice([5, 20, 21, 25, 30, 40])
    return warmup, max(warmup, 20) + length


def hundred_less(rng, length):
    """A warmup above 100 starts 100 earlier."""
    warmup = rng.choice([50, 100, 101, 104, 110, 110])
    return warmup, max(warmup, 100) + length


def tens(rng, length):
    """Never starts before 20."""
    warmup = rng.choice([10, 10, 20, 30, 50])
    return warmup, max(warmup, 20) + 10 * length


def tens_without_longer(rng, length):
    """The bare digits of an end are looked for: 10 would also match 100, and 20 would match 200."""
    warmup = rng.choice([10, 10, 20, 30, 50])
    return warmup, warmup + 10 * min(length, 7 if warmup == 10 else 13)


def twenties(rng, length):
    """A line every 20 iterations; train may lie between two."""
    warmup = rng.choice([0, 20, 40, 60])
    return warmup, warmup + 20 * length + rng.choice([0, 0, 7])


def twenties_each(rng, length):
    warmup = rng.choice([20, 40, 60])
    return warmup, warmup + length


def sinks(rng, length):
    """Often no multiple of an epoch's steps."""
    warmup = rng.randint(3, 30)
    return warmup, warmup + 4 + 2 * min(length, 20)
