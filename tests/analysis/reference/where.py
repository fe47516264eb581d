# SPDX-License-Identifier: Apache-2.0
"""Which run a log is of: by its path, as most extractors read it, and the order in which logs are taken.

The extractors take the order of the file system and one digit of nodes; an order of our own and 10n8g are two of the
few things that were decided to differ from them.
"""
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Where:
    nodes: int
    gpus: int
    batch: int  # per device
    model: str
    precision: str
    repetition: object  # a number; for OneFlow, whose extractor takes every file as a run, the path

    @property
    def case(self):
        return f"{self.nodes}n{self.gpus}g"

    @property
    def world(self):
        return self.nodes * self.gpus

    @property
    def total_batch(self):
        return self.batch * self.world


def by_path(path, lines=()):
    case, name = path.split("/")
    nodes, gpus = re.fullmatch(r"(\d+)n(\d+)g", case).groups()
    fields = name.split("_")
    return Where(int(nodes), int(gpus), int(fields[1].strip("b")), fields[0], fields[2], int(fields[3].strip(".log")))


def order(path):
    """Odd names first, so that a clean name's repetition wins; then as a person would list them."""
    fields = path.split("/")[1].split("_")
    return (len(fields) <= 4, int(fields[3].strip(".log")), path.encode())
