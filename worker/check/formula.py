# SPDX-License-Identifier: Apache-2.0
"""The formulas of formula.h in PyTorch: the same weights, images and labels."""
import math

import torch

MASK = 0xFFFFFFFF


def hash32(values):
    """Murmur3's finalizer, on 32-bit values in an int64 tensor (products wrap, which leaves the lower half right)."""
    x = values & MASK
    x = x ^ (x >> 16)
    x = (x * 0x85EBCA6B) & MASK
    x = x ^ (x >> 13)
    x = (x * 0xC2B2AE35) & MASK
    return x ^ (x >> 16)


def weights(index, name, shape):
    """Values of the parameter with this index in PyTorch's order."""
    u = hash32(torch.arange(math.prod(shape)) * 2654435761 + index * 97 + 1).double() / 2.0**32
    if len(shape) == 4:
        values = (u - 0.5) * math.sqrt(24.0 / (shape[0] * shape[2] * shape[3]))
    elif name.startswith("fc."):
        values = (u - 0.5) * 0.05
    elif name.endswith("bn3.weight"):
        values = 0.02 + 0.02 * u  # small branches: otherwise 16 blocks amplify fp32's rounding ten thousand times
    elif name.endswith("weight"):
        values = 0.4 + 0.4 * u
    else:
        values = (u - 0.5) * 0.2
    return values.float().reshape(shape)


def fill(model):
    for index, (name, parameter) in enumerate(model.named_parameters()):
        parameter.data = weights(index, name, tuple(parameter.shape))
    return model


def images(first, count, size):
    """Images [first, first + count), normalised, in double precision, NCHW."""
    i = torch.arange(first, first + count).reshape(-1, 1, 1, 1)
    y, x, c = torch.arange(size).reshape(1, -1, 1, 1), torch.arange(size).reshape(1, 1, -1, 1), torch.arange(3)
    noise = hash32(((i * size + y) * size + x) * 3 + c) >> 26
    pixels = noise + (x * (i + 1) + y * (3 - c)) * 2 % 192
    mean = torch.tensor([0.485, 0.456, 0.406], dtype=torch.float64)
    deviation = torch.tensor([0.229, 0.224, 0.225], dtype=torch.float64)
    return ((pixels.double() / 255 - mean) / deviation).permute(0, 3, 1, 2).contiguous()


def labels(first, count, classes):
    return torch.arange(first, first + count) * 37 % classes
