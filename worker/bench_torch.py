#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast PyTorch trains ResNet50 v1.5 on one device; what bench_gpu.sh holds dlperf-worker against.

    python3 bench_torch.py --mode compile --precision fp16 --batch-size 256

Prints one line of JSON: images_per_second is that of all measured iterations together. PyTorch gets what it has for
speed: channels_last, autocast, cudnn.benchmark among all plans, a fused optimizer, images that already lie on the
device. Exit codes:
0 measured, 3 this PyTorch cannot do it (the JSON's "missing" says what), else an error.
"""
import argparse
import contextlib
import json
import os
import pathlib
import sys
import time
import warnings

import torch

sys.path.append(str(pathlib.Path(__file__).parent / "check"))
from resnet50 import ResNet50  # noqa: E402

MODES = {"eager": None, "compile": "default", "reduce-overhead": "reduce-overhead", "max-autotune": "max-autotune"}


class Missing(Exception):
    pass


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mode", choices=MODES, default="eager")
    parser.add_argument("--precision", choices=("fp32", "tf32", "bf16", "fp16"), default="fp16")
    parser.add_argument("--batch-size", type=int, default=256)
    parser.add_argument("--image-size", type=int, default=224)
    parser.add_argument("--warmup", type=int, default=20)
    parser.add_argument("--iterations", type=int, default=50)
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="of the CPU")
    return parser.parse_args()


def set_up(arguments):
    if arguments.device == "cuda" and not torch.cuda.is_available():
        raise Missing("no GPU that this PyTorch can use")
    if arguments.device == "cpu" and arguments.precision in ("tf32", "fp16"):
        raise Missing(f"no {arguments.precision} on a CPU")
    torch.manual_seed(1)
    torch.set_num_threads(arguments.threads)
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.benchmark_limit = 0  # all plans
    # The newer fp32_precision in place of allow_tf32 breaks torch.compile, which reads the older one (PyTorch's issue
    # 166387), in 2.9 and after; they only warn of it.
    warnings.filterwarnings("ignore", message=".*TF32 behavior")
    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = arguments.precision != "fp32"


def compiled(model, mode):
    if MODES[mode] is None:
        return model
    if not hasattr(torch, "compile"):
        raise Missing("torch.compile")
    return torch.compile(model, mode=MODES[mode])


def optimizer_of(model, device, learning_rate):
    settings = {"lr": learning_rate, "momentum": 0.9, "weight_decay": 1e-4}
    with contextlib.suppress(TypeError, RuntimeError, ValueError):  # fused came with 2.3
        return torch.optim.SGD(model.parameters(), fused=True, **settings), "fused"
    return torch.optim.SGD(model.parameters(), foreach=device == "cuda", **settings), "not fused"


def scaler_of(precision):
    if precision != "fp16":
        return None
    return torch.amp.GradScaler("cuda") if hasattr(torch.amp, "GradScaler") else torch.cuda.amp.GradScaler()


def synthetic_batch(arguments, layout):
    shape = (arguments.batch_size, 3, arguments.image_size, arguments.image_size)
    images = torch.randn(shape, device=arguments.device).to(memory_format=layout)
    return images, torch.randint(0, 1000, (arguments.batch_size,), device=arguments.device)


def make_step(arguments, channels_last=True, learning_rate=0.1):
    layout = torch.channels_last if channels_last else torch.contiguous_format
    model = ResNet50().to(arguments.device).to(memory_format=layout).train()
    optimizer, kind = optimizer_of(model, arguments.device, learning_rate)
    network, scaler = compiled(model, arguments.mode), scaler_of(arguments.precision)
    images, labels = synthetic_batch(arguments, layout)
    half = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(arguments.precision)

    def step():
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(arguments.device, dtype=half or torch.bfloat16, enabled=half is not None):
            loss = torch.nn.functional.cross_entropy(network(images), labels)
        if scaler is None:
            loss.backward()
            optimizer.step()
        else:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()

    return step, kind


def seconds_on_gpu(step, iterations):
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(iterations):
        step()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) / 1000


def seconds_on_cpu(step, iterations):
    start = time.perf_counter()
    for _ in range(iterations):
        step()
    return time.perf_counter() - start


def measure(arguments):
    step, kind = make_step(arguments)
    on_gpu = arguments.device == "cuda"
    for _ in range(arguments.warmup):
        step()
    if on_gpu:
        torch.cuda.synchronize()
    seconds = (seconds_on_gpu if on_gpu else seconds_on_cpu)(step, arguments.iterations)
    memory = torch.cuda.max_memory_allocated() / 2**20 if on_gpu else 0
    return {"images_per_second": arguments.iterations * arguments.batch_size / seconds,
            "milliseconds": 1000 * seconds / arguments.iterations, "sgd": kind, "memory_mib": round(memory)}


def main():
    arguments = parse()
    facts = {"mode": arguments.mode, "precision": arguments.precision, "batch_size": arguments.batch_size,
             "torch": torch.__version__, "cuda": torch.version.cuda, "cudnn": torch.backends.cudnn.version()}
    try:
        set_up(arguments)
        facts.update(measure(arguments))
    except Missing as missing:
        facts["missing"] = str(missing)
    print(json.dumps(facts))
    return 3 if "missing" in facts else 0


if __name__ == "__main__":
    sys.exit(main())
