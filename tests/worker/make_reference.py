#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes gradients_reference.json: loss and gradients of torchvision's ResNet50 in double precision.

Weights and images come from formulas that formula.h has too. Needs torch and torchvision (Debian: python3-torchvision);
run by hand when the formulas change:  python3 tests/worker/make_reference.py
It also prints how far PyTorch's own fp32 (and bf16 autocast) is from that, the measure for the test's tolerances.
"""
import json
import pathlib

import numpy as np
import torch
import torchvision

BATCH, SIZE, CLASSES, SMOOTHING, ENTRIES = 8, 96, 100, 0.1, 64


def hash32(values):
    """Murmur3's finalizer, on an array of uint32."""
    x = values.astype(np.uint32)
    x ^= x >> np.uint32(16)
    x *= np.uint32(0x85EBCA6B)
    x ^= x >> np.uint32(13)
    x *= np.uint32(0xC2B2AE35)
    x ^= x >> np.uint32(16)
    return x


def uniform(parameter, count):
    index = np.arange(count, dtype=np.uint32)
    return hash32(index * np.uint32(2654435761) + np.uint32(parameter * 97 + 1)).astype(np.float64) / 2.0**32


def weights(parameter, name, shape):
    u = uniform(parameter, int(np.prod(shape)))
    if len(shape) == 4:
        values = (u - 0.5) * np.sqrt(24.0 / (shape[0] * shape[2] * shape[3]))
    elif name.startswith("fc."):
        values = (u - 0.5) * 0.05
    elif name.endswith("bn3.weight"):
        values = 0.02 + 0.02 * u  # small branches: otherwise 16 blocks amplify fp32's rounding ten thousand times
    elif name.endswith("weight"):
        values = 0.4 + 0.4 * u
    else:
        values = (u - 0.5) * 0.2
    return values.astype(np.float32).reshape(shape)


def images():
    i, y, x, c = np.meshgrid(np.arange(BATCH), np.arange(SIZE), np.arange(SIZE), np.arange(3), indexing="ij")
    flat = ((i * SIZE + y) * SIZE + x) * 3 + c
    pixels = (hash32(flat.astype(np.uint32)) >> np.uint32(26)).astype(np.int64) + (x * (i + 1) + y * (3 - c)) * 2 % 192
    mean, deviation = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
    return torch.from_numpy(((pixels / 255 - mean) / deviation).transpose(0, 3, 1, 2).copy())


def gradients(train, dtype, autocast=False):
    model = torchvision.models.resnet50(num_classes=CLASSES)
    for p, (name, parameter) in enumerate(model.named_parameters()):
        parameter.data = torch.from_numpy(weights(p, name, tuple(parameter.shape)))
    model = model.to(dtype).train(train)
    labels = torch.arange(BATCH) * 37 % CLASSES
    with torch.autocast("cpu", torch.bfloat16, enabled=autocast):
        logits = model(images().to(dtype))
    loss = torch.nn.functional.cross_entropy(logits.to(dtype), labels, label_smoothing=SMOOTHING)
    loss.backward()
    result = []
    for name, parameter in model.named_parameters():
        g = parameter.grad.detach().double().numpy().reshape(-1)
        at = np.arange(ENTRIES, dtype=np.uint64) * np.uint64(2654435761) % np.uint64(g.size)
        result.append({"name": name, "norm": float(np.linalg.norm(g)), "entries": [float(v) for v in g[at]]})
    return loss.item(), result


def distances(reference, other):
    for ours, theirs in zip(reference, other):
        a, b = np.array(ours["entries"]), np.array(theirs["entries"])
        yield np.linalg.norm(a - b) / np.linalg.norm(a), abs(ours["norm"] / theirs["norm"] - 1)


def main():
    document = {"batch": BATCH, "image_size": SIZE, "classes": CLASSES, "label_smoothing": SMOOTHING, "modes": {}}
    for mode, train in (("train", True), ("frozen", False)):
        loss, reference = gradients(train, torch.float64)
        for text, autocast in (("fp32", False), ("bf16", True)):
            other_loss, other = gradients(train, torch.float32, autocast)
            entry, norm = np.array(list(distances(reference, other))).T
            print(f"{mode} {text}: loss {loss:.6f} against {other_loss:.6f}; entries off by {np.median(entry):.1e} "
                  f"(worst {entry.max():.1e}), norms by {np.median(norm):.1e} (worst {norm.max():.1e})")
        for tensor in reference:
            tensor["norm"] = float(f"{tensor['norm']:.9g}")
            tensor["entries"] = [float(f"{v:.7g}") for v in tensor["entries"]]
        document["modes"][mode] = {"loss": loss, "tensors": reference}
    path = pathlib.Path(__file__).with_name("gradients_reference.json")
    path.write_text(json.dumps(document, separators=(",", ":")).replace('{"name"', '\n{"name"') + "\n")


if __name__ == "__main__":
    main()
