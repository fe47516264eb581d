# SPDX-License-Identifier: Apache-2.0
"""Logs of pytorch/examples' main.py and of NVIDIA's PyTorch examples."""
from write.clock import Clock
from write.values import loss


def examples(rng, where, warmup, train, base, odd):
    lines, tabs = [], "\t" if rng.random() < 0.7 else "    "
    first, ranks = rng.choice([0, 1]), rng.choice([1, 1, 2])
    per_epoch = rng.choice([train + 9, max(12, train // 2 + 7)])
    counted, epoch = 0, 0
    while counted < train + 3:
        for index in range(first, per_epoch + first):
            for _ in range(ranks):
                lines.append(examples_line(rng, epoch, index, per_epoch, base, odd, tabs))
                counted += index > 5
        lines.append(" *   Acc@1 0.100 Acc@5 0.500")
        epoch += 1
    return lines


def examples_line(rng, epoch, index, per_epoch, base, odd, tabs):
    seconds = abs(rng.gauss(base, base / 20)) if index > 5 else base * 3
    seconds = min(max(seconds, 0.001), 9.999)  # the extractor drops a second digit before the point
    value = loss(rng, odd, ".4e")
    return tabs.join([
        f"Epoch: [{epoch}][{index:{len(str(per_epoch))}d}/{per_epoch}]", f"Time {seconds:6.3f} ({seconds:6.3f})",
        f"Data {rng.uniform(0, .2):6.3f} ({0.01:6.3f})", f"Loss {value} ({value})",
        f"Acc@1 {rng.uniform(0, 99):6.2f} ({1:6.2f})", f"Acc@5 {rng.uniform(0, 99):6.2f} ({1:6.2f})"])


def ngc_resnet50(rng, where, warmup, train, base, odd):
    clock = Clock(rng, base, odd)
    lines = [f"DLL {clock.micro()} - PARAMETER data : /data/image  data_backend : dali-cpu  arch : resnet50  "
             "seed : None "]
    for index in range(1, train + 5 + rng.randint(1, 6)):
        clock.step()
        extra = f"train.compute_ips : {rng.uniform(1, 999):.2f} img/s " if odd else ""
        lines.append(f"DLL {clock.micro()} - Epoch: 0 Iteration: {index}  train.loss : {loss(rng, odd)} "
                     f" {extra}train.total_ips : {rng.uniform(1, 9999):.2f} img/s")
    return lines


def ngc_bert(rng, where, warmup, train, base, odd):
    clock = Clock(rng, base, odd)
    lines = [f"DLL {clock.micro()} - PARAMETER SEED : 42 "]
    last = train + 5 + rng.randint(1, 6)
    for index in range(1, last):
        clock.step()
        value = loss(rng, odd, ".7f")
        lines.append(f"DLL {clock.micro()} - Training Epoch: 0 Training Iteration: {index}  average_loss : {value} "
                     f" step_loss : {value}  learning_rate : {rng.uniform(0, 1e-3):.3g} ")
    clock.step()  # the last line has no average: the window must end before it
    lines.append(f"DLL {clock.micro()} - Training Epoch: 0 Training Iteration: {last}  final_loss : {loss(rng, odd)} ")
    return lines
