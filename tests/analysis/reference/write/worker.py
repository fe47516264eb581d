# SPDX-License-Identifier: Apache-2.0
"""Logs of the bundled trainer."""
from write.values import loss


def dlperf_worker(rng, where, warmup, train, base, odd):
    lines = ["# dlperf-worker 0.1.0", "# backend: cpu", f"# precision: {where.precision}",
             f"# batch_size: {where.batch}", f"# world_size: {where.world}", "# image_size: 224",
             "# learning_rate: 0.1"]
    for iteration in range(1, train + rng.randint(1, 4)):
        seconds = round(abs(rng.gauss(base, base / 20)) + 1e-6, 6)
        lines.append(f"iteration {iteration} epoch 0 loss {loss(rng, odd, '.4f')} time {seconds:.6f} s "
                     f"data {rng.uniform(0, .1):.6f} s comm {rng.uniform(0, .1):.6f} s "
                     f"throughput {where.total_batch / seconds:.2f} images/s")
    return lines
