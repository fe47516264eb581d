# SPDX-License-Identifier: Apache-2.0
"""Logs of PaddlePaddle's ResNet50 and BERT."""
from write.clock import Clock
from write.values import loss


def resnet50(rng, where, warmup, train, base, odd):
    """Odd logs go on behind the window with lines that would count inside it."""
    clock = Clock(rng, base, odd)
    lines = ["-----------  Configuration Arguments -----------", f"batch_size: {where.batch * where.gpus}"]
    for batch in range(0, train + rng.randint(1, 6)):
        lines.append(resnet50_line(rng, clock, f"Pass 0, train batch {batch}", odd))
    if odd:
        lines.append(resnet50_line(rng, clock, "Pass 0, test  batch 0", odd))
        lines += [resnet50_line(rng, clock, f"Pass 1, train batch {batch}", odd) for batch in range(0, warmup + 2)]
    return lines


def resnet50_line(rng, clock, place, odd):
    seconds = clock.step()
    return (f"{clock.milli()}-INFO: [{place}] \tloss {loss(rng, odd)}, acc1 0.00000, acc5 0.01562, lr 0.00100, "
            f"elapse {seconds:2.4f} sec")


def bert(rng, where, warmup, train, base, odd):
    clock, first = Clock(rng, base), rng.choice([0, 1])
    lines = ["-----------  Configuration Arguments -----------", f"batch_size: {where.batch}"]
    for step in range(first, first + train + rng.randint(0, 5)):
        lines.append(f"feed_queue size: {rng.randint(0, 70)}, current learning_rate: 0.000001,")
        lines.append(f"epoch: 0, progress: 1/1, step: {step}, loss: {loss(rng, odd, '.6f')}, "
                     f"ppl: {rng.uniform(1e4, 9e4):.1f}, next_sent_acc: 0.500000, "
                     f"speed: {where.nodes / clock.step():.6f} steps/s, file: demo_wiki_train_50.gz")
    if odd:
        lines.append("[test_set] loss: 1.0, global ppl: 2.7, next_sent_acc: 0.9, speed: 5.0 steps/s")
    return lines
