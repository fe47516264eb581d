# SPDX-License-Identifier: Apache-2.0
"""Logs of OneFlow-Benchmark: ResNet50, BERT and InsightFace."""
from write.clock import Clock
from write.values import loss


def header(where, title):
    return ["=" * 66, f"Running {title}: num_gpu_per_node = {where.gpus}, num_nodes = {where.nodes}.", "=" * 66,
            f"batch_size_per_device = {where.batch}", f"gpu_num_per_node = {where.gpus}", f"num_nodes = {where.nodes}",
            "use_fp16 = False"]


def resnet50(rng, where, warmup, train, base, odd):
    clock, now = Clock(rng, base), 1597933900 + rng.random() * 1e6
    lines = header(where, "resnet50")
    lines.insert(3, "model = resnet50")
    every = rng.choice([1, 1, common_step(warmup, train)])
    for iteration in range(every, train + 6 * every + 1, every):
        now += clock.step() * every
        lines.append(f"train: epoch 0, iter {iteration}, loss: {loss(rng, odd, '.6f')}, top_1: 0.000000, "
                     f"top_k: 0.000000, samples/s: {rng.uniform(10, 9999):.3f} {now!r}")
    return lines


def common_step(warmup, train):
    """The longest print interval, up to 20, that shows both ends of the window."""
    return max(step for step in range(1, 21) if warmup % step == 0 and train % step == 0)


def bert(rng, where, warmup, train, base, odd):
    clock, now = Clock(rng, base), 1597933900 + rng.random() * 1e6
    lines = header(where, "bert")
    for step in range(0, train + 7):
        now += clock.step()
        lines.append(f"step: {step}, total_loss: {loss(rng, odd, '.3f')}, mlm_loss: {loss(rng, odd, '.3f')}, "
                     f"nsp_loss: 0.766, throughput: {rng.uniform(10, 9999):.3f} {now!r}")
    return lines


def face(rng, where, warmup, train, base, odd):
    clock, lines = Clock(rng, base), []
    for iteration in range(0, train + 6 + rng.randint(0, 4)):
        lines.append(f"train: iter {iteration}, loss {loss(rng, odd, '.3f')}, "
                     f"throughput: {where.total_batch / clock.step():.3f}")
    return lines
