# SPDX-License-Identifier: Apache-2.0
"""The problem of dlperf-worker-check, computed by PyTorch."""
import warnings

import torch

import formula
from resnet50 import ResNet50

LOSS_SCALE = 1024  # of fp16, whose smallest gradients would be zero without it


class NotInThisPyTorch(Exception):
    pass


def device():
    return "cuda" if torch.cuda.is_available() else "cpu"


def autocast(precision, where):
    if precision not in ("bf16", "fp16"):
        return torch.autocast(where, dtype=torch.bfloat16, enabled=False)
    return torch.autocast(where, dtype=torch.bfloat16 if precision == "bf16" else torch.float16)


def set_tf32(allowed):
    # As in bench_torch.py: what works in all versions, though newer ones warn of it.
    warnings.filterwarnings("ignore", message=".*TF32 behavior")
    torch.backends.cuda.matmul.allow_tf32 = allowed
    torch.backends.cudnn.allow_tf32 = allowed


class Problem:
    """`facts`: what dlperf-worker-check wrote. Precision "fp64" is the reference."""

    def __init__(self, facts, precision):
        self.facts, self.precision, self.where = facts, precision, device()
        set_tf32(precision == "tf32")
        self.dtype = torch.float64 if precision == "fp64" else torch.float32
        self.scale = LOSS_SCALE if precision == "fp16" else 1
        self.model = formula.fill(ResNet50(facts["classes"])).to(self.where, self.dtype)
        self.model.train(not facts["frozen_norm"])
        self.batches = [self.batch(n) for n in range(facts["batches"])]

    def batch(self, n):
        size, first = self.facts["batch_size"], n * self.facts["batch_size"]
        pixels = formula.images(first, size, self.facts["image_size"])
        return pixels.to(self.where, self.dtype), formula.labels(first, size, self.facts["classes"]).to(self.where)

    def compute(self, n):
        """The loss; the gradients are with the parameters then."""
        images, labels = self.batches[n % len(self.batches)]
        self.model.zero_grad(set_to_none=True)
        try:
            with autocast(self.precision, self.where):
                logits = self.model(images)
            smoothing = self.facts["label_smoothing"]
            loss = torch.nn.functional.cross_entropy(logits.to(self.dtype), labels, label_smoothing=smoothing)
            (loss * self.scale).backward()
        except RuntimeError as error:  # fp16 on a CPU, where an older PyTorch has no such convolution
            if self.where == "cpu" and self.precision == "fp16":
                raise NotInThisPyTorch(str(error)) from error
            raise
        for parameter in self.model.parameters():
            parameter.grad /= self.scale
        return loss.item()

    def gradients(self):
        """The loss, and the gradients as vectors in double precision."""
        loss = self.compute(0)
        return loss, [p.grad.detach().double().flatten() for p in self.model.parameters()]

    def losses(self):
        optimizer = torch.optim.SGD(self.model.parameters(), lr=self.facts["learning_rate"],
                                    momentum=self.facts["momentum"], weight_decay=self.facts["weight_decay"])
        result = []
        for n in range(self.facts["steps"]):
            result.append(self.compute(n))
            optimizer.step()
        return result
