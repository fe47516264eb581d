# SPDX-License-Identifier: Apache-2.0
"""Logs of trainers that DLPerf did not know: timm, tf_cnn_benchmarks, MXNet's module examples, MindCV and others."""
from write.clock import Clock
from write.values import loss


def last_iteration(rng, train):
    """Often the run is no longer than the window."""
    return train + rng.choice([0, 0, 1, 5])


def print_interval(rng, warmup, train):
    """Two lines at least lie in the window, so that what one tells of lies in it too."""
    return rng.choice([1, 1, max(1, (train - warmup) // 3)])


def timm(rng, where, warmup, train, base, odd):
    """The time and speed of one update, counted from 0; a test between two epochs' lines is none of them."""
    clock, lines, last = Clock(rng, base), ["Training with a single process on 1 device (cuda:0)."], train + 2
    for update in range(last):
        seconds, value = clock.step(), loss(rng, odd, "#.3g")
        lines.append(f"Train: 0 [{update:>4d}/{last} ({100 * (update + 1) / last:>3.0f}%)]  Loss: {value} ({value})  "
                     f"Time: {seconds:.3f}s, {where.total_batch / seconds:>7.2f}/s  "
                     f"({seconds:.3f}s, {where.total_batch / seconds:>7.2f}/s)  LR: {rng.uniform(0, 1):.3e}  "
                     f"Data: {rng.uniform(0, .02):.3f} (0.011)")
    lines.append("Test: [   0/9]  Time: 0.612 (0.612)  Loss:   6.901 ( 6.901)  Acc@1:   0.000 (  0.000)")
    return lines


def tf_models_steps(rng, where, warmup, train, base, odd):
    clock, lines, every = Clock(rng, base), [], print_interval(rng, warmup, train)
    for step in range(every, last_iteration(rng, train) + every, every):
        seconds = clock.step(every) * every
        lines.append(f"{clock.glog()} 140266544322368 keras_utils.py:145] TimeHistory: {seconds:.2f} seconds, "
                     f"{where.total_batch * every / seconds:.2f} examples/second between steps {step - every} and {step}")
    return lines


def tf_cnn_benchmarks(rng, where, warmup, train, base, odd):
    """The mean of all steps since the warm-up, by one process: of all devices of a node, or of one with Horovod."""
    clock = Clock(rng, type(base)(base / 1000))
    alone = rng.random() < 0.5
    names = [f"'horovod/gpu:{i}'" for i in range(where.world)] if alone else [f"'/gpu:{i}'" for i in range(where.gpus)]
    batch = where.batch if alone else where.batch * where.gpus
    lines = ["TensorFlow:  2.21", "Model:       resnet50", f"Batch size:  {where.total_batch} global",
             f"             {where.batch} per device", f"Devices:     [{', '.join(names)}]", "NUMA bind:   False",
             "Running warm up", "Done warm up", "Step\tImg/sec\ttotal_loss"]
    every = rng.choice([1, max(step for step in range(1, 11) if warmup % step == train % step == 0)])
    times = []
    for step in range(1, train + every * rng.randint(0, 2) + 1):
        times.append(clock.step())
        if step == 1 or step % every == 0:
            mean = batch / (sum(times) / len(times))
            lines.append(f"{step}\timages/sec: {mean:.1f} +/- {rng.uniform(0, 3):.1f} "
                         f"(jitter = {rng.uniform(0, 9):.1f})\t{loss(rng, odd, '.3f')}")
    lines += ["-" * 64, f"total images/sec: {mean * where.world:.2f}", "-" * 64]
    return lines


def mxnet_module(rng, where, warmup, train, base, odd):
    """One worker's speed since the line before, which names a batch, from 0, or two."""
    clock, every = Clock(rng, base), print_interval(rng, warmup, train)
    start = rng.choice(["INFO:root:", "2020-09-15 14:28:53,498 Node[0] "])
    gpus = ",".join(map(str, range(where.gpus)))
    driven = rng.choice([f"'{gpus}'", "None"])
    batch = where.batch * (where.gpus if driven != "None" else 1)
    lines = [f"{start}start with arguments Namespace(batch_size={batch}, benchmark=1, disp_batches={every}, dtype='float32', "
             f"gpus={driven}, kv_store='dist_sync')"]
    ranged = rng.random() < 0.7
    for index in range(every, last_iteration(rng, train) + every, every):
        place = f"{index - every}-{index}" if ranged else index
        lines.append(f"{start}Epoch[0] Batch [{place}]\tSpeed: {batch / clock.step():.2f} samples/sec\t"
                     f"{'' if ranged else 'Train-'}accuracy={rng.random():f}\tcross-entropy={loss(rng, odd, 'f')}")
    lines.append(f"{start}Epoch[0] Train-accuracy=1.000000")
    return lines


def mindcv(rng, where, warmup, train, base, odd):
    """The seconds since the line before; the first and the last batch of an epoch have one, too."""
    clock, every, last, seconds = Clock(rng, base), print_interval(rng, warmup, train), train + rng.randint(0, 5), 0.0
    lines = []
    for batch in range(1, last + 1):
        seconds += clock.step()
        if batch % every == 0 or batch in (1, last):
            lines.append(f"[2026-11-23 07:04:03] mindcv.utils.callbacks INFO - Epoch: [1/1], batch: [{batch}/{last}], "
                         f"loss: {loss(rng, odd, '.6f')}, lr: 0.100000, time: {seconds:.6f}s")
            seconds = 0.0
    lines.append("[2026-11-23 07:04:03] mindcv.utils.callbacks INFO - Total time since last epoch: 41.1(train: 40.9, "
                 "val: 0.0)s, ETA: 0.000000s")
    return lines


def oneflow_models(rng, where, warmup, train, base, odd):
    """Every rank prints its own throughput."""
    clock, lines, last = Clock(rng, base, odd), [], train + rng.randint(0, 4)
    for iteration in range(1, last + 1):
        speed = where.batch / clock.step()
        for rank in range(min(where.world, 2)):
            lines.append(f"[rank:{rank}] [train], epoch: 0/1, iter: {iteration}/{last}, loss: {loss(rng, odd)}, "
                         f"lr: 0.100000, top1: 0.00000, throughput: {speed:.2f} | {clock.micro()[:-3]}")
    return lines


def paddleclas(rng, where, warmup, train, base, odd):
    """The mean time of all iterations so far, counted from 0, and from the sixth on anew."""
    clock, every, lines = Clock(rng, base), print_interval(rng, warmup, train), []
    times = []
    for index in range(last_iteration(rng, train) + every):
        if index == 5:
            times = []
        times.append(clock.step())
        if index % every != 0:
            continue
        seconds = sum(times) / len(times)
        value = loss(rng, odd)
        lines.append(f"[2022/11/27 17:38:08] ppcls INFO: [Train][Epoch 1/1][Iter: {index}/500]lr(Cosine): 0.01000000, "
                     f"CELoss: {value}, loss: {value}, batch_cost: {seconds:.5f}s, reader_cost: {rng.uniform(0, .01):.5f}, "
                     f"ips: {where.batch / seconds:.5f} samples/s, eta: 0:01:02")
    lines.append("[2022/11/27 17:39:08] ppcls INFO: [Eval][Epoch 1][Iter: 0/3]loss: 6.9, batch_cost: 3.2s, ips: 19.4")
    return lines


def paddleclas_steps(rng, where, warmup, train, base, odd):
    """The mean time of all steps so far, counted from 1, and from the fifth on anew."""
    clock, every, lines = Clock(rng, base), print_interval(rng, warmup, train), []
    unit, times = rng.choice(["images", "samples"]), []
    for step in range(1, last_iteration(rng, train) + every):
        if step == 5:
            times = []
        times.append(clock.step())
        if step % every != 0:
            continue
        seconds = sum(times) / len(times)
        lines.append(f"[2022/06/02 16:18:59] ppcls INFO: epoch:0   train step:{step:<4d} lr: 0.100000, "
                     f"loss: {loss(rng, odd)} batch_cost: {seconds:.5f} s, reader_cost: {rng.uniform(0, .01):.5f} s, "
                     f"ips: {where.batch / seconds:.5f} {unit}/sec.")
    lines.append("[2022/06/02 16:19:12] ppcls INFO: END epoch:0   train loss: 6.2 batch_cost: 9.1 s, "
                 "reader_cost: 0.1 s, batch_cost_sum: 99.1 s, ips: 19.4 images/sec.")
    return lines


def paddleclas_steps_from_zero(rng, where, warmup, train, base, odd):
    """The mean time of all steps so far, counted from 0, and from the eleventh on anew."""
    clock, every, lines = Clock(rng, base), print_interval(rng, warmup, train), []
    times = []
    for step in range(last_iteration(rng, train) + every):
        if step == 10:
            times = []
        times.append(clock.step())
        if step % every != 0:
            continue
        seconds = sum(times) / len(times)
        lines.append(f"2021-03-02 16:18:59 INFO: epoch:0  , train step:{step:<4d}, "
                     f"loss: {loss(rng, odd)}, lr: 0.100000, batch_cost: {seconds:.5f} s, "
                     f"reader_cost: {rng.uniform(0, .01):.5f} s, ips: {where.batch / seconds:.5f} images/sec.")
    lines.append("2021-03-02 16:19:12 INFO: END epoch:0   train loss: 6.2 batch_cost: 9.1 s, "
                 "reader_cost: 0.1 s, batch_cost_sum: 99.1 s, ips: 19.4 images/sec.")
    return lines
