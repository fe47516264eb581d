# SPDX-License-Identifier: Apache-2.0
"""Logs of Wide & Deep on HugeCTR and OneFlow, and the .mem files beside them."""
from write.clock import Clock


def header(rng, facts):
    """name = value, in any order; now and then without a word that the figure does not need."""
    names = list(facts)
    rng.shuffle(names)
    if rng.random() < 0.15:
        spare = ("num", "gpu", "hidden", "deep_embedding")
        names.remove(rng.choice([name for name in names if name.startswith(spare)]))
    return [f"{name} = {facts[name]}" for name in names]


def facts_of(rng, nodes, gpus):
    batch = rng.choice([512, 1024, 16384, 40960]) * nodes * gpus
    return {"num_nodes": nodes, "gpu_num_per_node": gpus, "batch_size": batch,
            "deep_vocab_size": rng.choice([2322444, 1000000, 32709138]), "hidden_units_num": rng.choice([2, 7, 15]),
            "deep_embedding_vec_size": rng.choice([16, 32, 128])}


def hugectr(rng, start_iteration, nodes, gpus, base):
    clock, every = Clock(rng, base), rng.choice([100, 100, 50, 20])
    facts = facts_of(rng, nodes, gpus)
    facts["loss_print_every_n_iter"] = every
    if rng.random() < 0.7:
        del facts["deep_vocab_size"]  # the other one is reported
    facts["wide_workspace_size_per_gpu_in_mb"] = rng.choice([9, 8, 16, 125])
    lines, head = [], header(rng, facts)
    for iteration in range(every, start_iteration + every * rng.randint(3, 12), every):
        seconds = clock.step(every) * every
        prefix = f"[HUGECTR][{clock.now:%H:%M:%S}][INFO][RANK0]: "
        lines.append(f"{prefix}Iter: {iteration} Time({every} iters): {seconds:.6f}s "
                     f"Loss: {rng.random():.6f} lr:0.001000")
        if rng.random() < 0.1:
            lines.append(f"{prefix}Evaluation, AUC: {rng.random():.6f}")
    return head + lines if rng.random() < 0.5 else lines + head


def oneflow_benchmark(rng, start_iteration, nodes, gpus, base):
    """The window is 1000 iterations from the first line on; more lines may follow."""
    clock, now = Clock(rng, base), 1602836839 + rng.random() * 1e6
    every = rng.choice([100, 100, 50, 200])
    lines = header(rng, facts_of(rng, nodes, gpus))
    for iteration in range(start_iteration, start_iteration + 1001 + every * rng.randint(0, 2), every):
        lines.append(f"{iteration} time {now!r} loss {rng.random()!r}")
        now += clock.step(every) * every
    return lines


def oneflow_models(rng, start_iteration, nodes, gpus, base):
    clock, facts = Clock(rng, base), facts_of(rng, 1, gpus)
    facts["batch_size_per_proc"] = facts["batch_size"] // gpus
    del facts["num_nodes"], facts["gpu_num_per_node"]
    lines = header(rng, facts)
    count = rng.choice([1, 2, 3, 4, 12])
    for line in range(1, count + 1):
        milliseconds = clock.step(100) * 1000 * (40 if line == 1 else 1)
        lines.append(f"[rank:0] iter: {line * 100}/{count * 100}, loss: {rng.random():.16f}, "
                     f"latency(ms): {milliseconds:.16f} | {clock.micro()[:-3]}")
    return lines


def memory(rng, gpus):
    lines = ["index, utilization.gpu [%], memory.used [MiB]"]
    for device in range(gpus):
        lines.append(f"max device{device} memory usage is: {rng.randint(10 ** 8, 3 * 10 ** 10)}")
    return lines
