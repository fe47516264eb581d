# SPDX-License-Identifier: Apache-2.0
"""What stands in a line beside the figure, and lines of several ranks in one log."""


def loss(rng, odd, layout=".5f"):
    """A loss, which in odd logs is sometimes not a number."""
    return "nan" if odd and rng.random() < 0.1 else format(rng.uniform(1, 7), layout)


def taking_turns(rng, rows, world):
    """(row, rank) in an order in which ranks print: each rank's own rows in order, no rank more than two ahead."""
    done = [0] * world
    while min(done) < rows:
        slowest = min(done)
        rank = rng.choice([rank for rank in range(world) if done[rank] < min(rows, slowest + 2)])
        yield done[rank], rank
        done[rank] += 1
