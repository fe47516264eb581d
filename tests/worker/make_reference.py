#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes gradients_reference.json: loss and gradients of torchvision's ResNet50 in double precision.

Weights and images come from formulas that the worker has too (worker/check/formula.h). Needs torch and torchvision
(Debian: python3-torchvision); run by hand when the formulas change:  python3 tests/worker/make_reference.py
It also prints how far PyTorch's own fp32 (and bf16 autocast) is from that, the measure for the test's tolerances.
"""
import json
import pathlib
import sys

import numpy as np
import torch
import torchvision

sys.path.append(str(pathlib.Path(__file__).parents[2] / "worker" / "check"))
import formula  # noqa: E402

BATCH, SIZE, CLASSES, SMOOTHING, ENTRIES = 8, 96, 100, 0.1, 64


def gradients(train, dtype, autocast=False):
    model = formula.fill(torchvision.models.resnet50(num_classes=CLASSES)).to(dtype).train(train)
    labels = formula.labels(0, BATCH, CLASSES)
    with torch.autocast("cpu", torch.bfloat16, enabled=autocast):
        logits = model(formula.images(0, BATCH, SIZE).to(dtype))
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
