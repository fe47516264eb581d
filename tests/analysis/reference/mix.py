# SPDX-License-Identifier: Apache-2.0
"""What launchers and other programs do to a trainer's lines: lines between, prefixes, other ends of lines."""

NOISE = [
    "Use GPU: 6 for training",
    "=> creating model 'resnet50'",
    "libibverbs: Warning: couldn't load driver 'libmlx5-rdmav34.so'",
    "| N/A   43C    P0    61W / 300W |   1234MiB / 16160MiB |     97%      Default |",
    "UserWarning: \u6c49\u5b57 in a path",
    "",
]
PREFIXES = ["[rank0]:", "[1,0]<stdout>:"]


def with_noise(rng, lines):
    mixed = []
    for line in lines:
        if rng.random() < 0.1:
            mixed.append(rng.choice(NOISE))
        mixed.append(line)
    return mixed


def with_prefix(rng, lines):
    prefix = rng.choice(PREFIXES)
    return [prefix + line for line in lines]


def as_text(lines, odd, number):
    """Odd logs end their lines as Windows does, or lack the last end."""
    end = "\r\n" if odd and number % 2 == 0 else "\n"
    return end.join(lines) + ("" if odd and number == 1 else end)
