#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes vectors/: sets of logs and the JSON that DLPerf's extractors make of them.

An oracle of its own: plain Python and numpy, in the way the extractors go about it (regular expressions over lines,
datetime, round, numpy.mean and numpy.median), sharing nothing with the engine that it checks. Only what was decided to
differ from the extractors differs here: the order of files, and siblings for batch sizes that share a folder.

    python3 tests/analysis/make_vectors.py        (numpy >= 1.19; the same numbers every time)

One file a set: a head of "key: value" lines, then each log behind a line ">>> <case>/<name>".
"""
import datetime
import json
import random
import re
import statistics
from pathlib import Path

import numpy

HERE = Path(__file__).resolve().parent / "vectors"
NOISE = [
    "Use GPU: 6 for training",
    "=> creating model 'resnet50'",
    "libibverbs: Warning: couldn't load driver 'libmlx5-rdmav34.so'",
    "| N/A   43C    P0    61W / 300W |   1234MiB / 16160MiB |     97%      Default |",
    "UserWarning: \u6c49\u5b57 in a path",
    "",
]


def shape(path):
    case, name = path.split("/")
    nodes, devices = re.fullmatch(r"(\d+)n(\d+)g", case).groups()
    fields = name.split("_")
    return {
        "case": case, "nodes": int(nodes), "gpus": int(devices), "model": fields[0],
        "batch": int(fields[1].strip("b")), "precision": fields[2], "repetition": int(fields[3].strip(".log")),
    }


def n_round(value):
    return float(numpy.round(numpy.float64(value), 2))


# Extractors: the lines of one log to the figure of one run.

def pytorch_examples(lines, where, warmup, train):
    count, total = 0, 0.0
    for line in lines:
        if "Epoch: " not in line:
            continue
        index = int(re.findall(r"\[.*\]\[(.*)\]", line)[0].split("/")[0])
        if index <= 5:
            continue
        count += 1
        seconds = float(re.findall(r"\d.\d{1,3}\s", line + "\n")[0])
        if count > warmup:
            total += seconds
        if count == train:
            batch = where["nodes"] * where["gpus"] * where["batch"]
            return round(batch / (total / (train - warmup)), 2)
    raise ValueError("short")


def ngc_pytorch_resnet50(lines, where, warmup, train):
    count, start = 0, None
    for line in lines:
        if "Iteration: " not in line:
            continue
        if int(re.findall(r"Iteration: (.*?)  train.loss :", line)[0]) <= 5:
            continue
        count += 1
        if count in (warmup, train):
            text = re.findall(r"\d{4}-\d{1,2}-\d{1,2} \d{1,2}:\d{1,2}:\d{1,2}.\d{1,6}", line)[0]
            stamp = datetime.datetime.strptime(text, "%Y-%m-%d %H:%M:%S.%f")
            if count == warmup:
                start = stamp
            else:
                seconds = (stamp - start).total_seconds()
                batch = where["nodes"] * where["gpus"] * where["batch"]
                return round(batch / (seconds / (train - warmup)), 2)
    raise ValueError("short")


def paddle_resnet50(lines, where, warmup, train):
    batch = where["nodes"] * where["gpus"] * where["batch"]
    speeds = [round(batch / float(re.findall(r".*elapse (.*?) sec", line)[0]), 4) for line in lines if "elapse" in line]
    assert len(speeds) >= train
    return n_round(numpy.mean(speeds[warmup:train]))


def paddle_resnet50_time(lines, where, warmup, train):
    start = None
    for line in lines:
        if "elapse" not in line:
            continue
        for batch in (warmup, train):
            if f"train batch {batch - 1}]" in line:
                text = re.findall(r"\d{4}-\d{1,2}-\d{1,2} \d{1,2}:\d{1,2}:\d{1,2},\d{3}", line)[0]
                stamp = datetime.datetime.strptime(text, "%Y-%m-%d %H:%M:%S,%f")
                if batch == warmup:
                    start = stamp
                else:
                    seconds = (stamp - start).total_seconds()
                    total = where["nodes"] * where["gpus"] * where["batch"]
                    return round(total / (seconds / (train - warmup)), 2)
    raise ValueError("short")


def oneflow_resnet50(lines, where, warmup, train):
    facts, stamps = {}, {}
    for line in lines:
        words = line.split(" ")
        if words[0] in ("model", "batch_size_per_device", "gpu_num_per_node", "num_nodes"):
            facts[words[0]] = words[2]
        if words[0] == "train:":
            stamps[int(words[4][:-1])] = float(words[-1])
    where.update(nodes=int(facts["num_nodes"]), gpus=int(facts["gpu_num_per_node"]), precision="",
                 batch=int(facts["batch_size_per_device"]), model="r50")
    where["case"] = f"{where['nodes']}n{where['gpus']}g"
    samples = where["batch"] * where["gpus"] * where["nodes"] * (train - warmup)
    return samples / (stamps[train] - stamps[warmup])


def dlperf_worker(lines, where, warmup, train):
    total, count = 0.0, 0
    for line in lines:
        found = re.match(r"iteration (\d+) .* time ([0-9.]+) s ", line)
        if found and warmup < int(found[1]) <= train:
            total += float(found[2])
            count += 1
    assert count == train - warmup
    return round(where["nodes"] * where["gpus"] * where["batch"] * (train - warmup) / total, 2)


# Folds: the rounding of average, median and speedup.

def fold_python(values):
    return round(sum(values) / len(values), 2), round(statistics.median(values), 2)


def fold_time(values):
    return round(sum(values) / len(values), 2), n_round(numpy.median(values))


def fold_speed(values):
    return n_round(sum(values) / len(values)), n_round(numpy.median(values))


def fold_raw(values):
    return sum(values) / len(values), statistics.median(values)


# Writers: the lines of one log that holds the window, and some more.

def write_pytorch(rng, where, train, base, odd):
    lines, tabs = [], "\t" if rng.random() < 0.7 else "    "
    first = rng.choice([0, 1])
    per_epoch = rng.choice([train + 9, max(12, train // 2 + 7)])
    ranks = rng.choice([1, 1, 2])
    counted, epoch = 0, 0
    while counted < train + 3:
        for index in range(first, per_epoch + first):
            for _ in range(ranks):
                seconds = abs(rng.gauss(base, base / 20)) if index > 5 else base * 3
                seconds = min(max(seconds, 0.001), 9.999)
                loss = "nan" if odd and rng.random() < 0.1 else f"{rng.uniform(1, 7):.4e}"
                width = len(str(per_epoch))
                lines.append(tabs.join([
                    f"Epoch: [{epoch}][{index:{width}d}/{per_epoch}]", f"Time {seconds:6.3f} ({seconds:6.3f})",
                    f"Data {rng.uniform(0, .2):6.3f} ({0.01:6.3f})", f"Loss {loss} ({loss})",
                    f"Acc@1 {rng.uniform(0, 99):6.2f} ({1:6.2f})", f"Acc@5 {rng.uniform(0, 99):6.2f} ({1:6.2f})"]))
                counted += index > 5
        lines.append(" *   Acc@1 0.100 Acc@5 0.500")
        epoch += 1
    return lines


def dll_stamp(time):
    if time.microsecond == 0:
        time += datetime.timedelta(microseconds=1)
    return time.strftime("%Y-%m-%d %H:%M:%S.%f")


def write_ngc(rng, where, train, base, odd):
    time = start_time(rng, odd)
    lines = [f"DLL {dll_stamp(time)} - PARAMETER data : /data/image  data_backend : dali-cpu  arch : resnet50  seed : None "]
    for index in range(1, train + 5 + rng.randint(1, 6)):
        time += datetime.timedelta(seconds=abs(rng.gauss(base, base / 20)) + 1e-6)
        extra = f"train.compute_ips : {rng.uniform(1, 999):.2f} img/s " if odd else ""
        lines.append(f"DLL {dll_stamp(time)} - Epoch: 0 Iteration: {index}  train.loss : {rng.uniform(1, 7):.5f} "
                     f" {extra}train.total_ips : {rng.uniform(1, 9999):.2f} img/s")
    return lines


def start_time(rng, odd):
    if odd:  # over midnight, the end of February, the end of a year
        return rng.choice([datetime.datetime(2020, 2, 28, 23, 59, 58, 7), datetime.datetime(2020, 2, 29, 23, 59, 59, 1),
                           datetime.datetime(2020, 12, 31, 23, 59, 57, 999999), datetime.datetime(2021, 9, 5, 9, 3, 2, 5)])
    return datetime.datetime(2020, 9, rng.randint(1, 30), rng.randint(0, 22), rng.randint(0, 59), 3, rng.randint(1, 999999))


def write_paddle(rng, where, train, base, odd):
    time = start_time(rng, odd)
    lines = ["-----------  Configuration Arguments -----------", f"batch_size: {where['batch'] * where['gpus']}"]
    for batch in range(0, train + rng.randint(1, 6)):
        seconds = abs(rng.gauss(base, base / 20)) + 0.0001
        time += datetime.timedelta(seconds=seconds)
        stamp = time.strftime("%Y-%m-%d %H:%M:%S,") + f"{time.microsecond // 1000:03d}"
        lines.append(f"{stamp}-INFO: [Pass 0, train batch {batch}] \tloss {rng.uniform(1, 7):.5f}, acc1 0.00000, "
                     f"acc5 0.01562, lr 0.00100, elapse {seconds:2.4f} sec")
    if odd:  # behind the window
        lines.append(f"{stamp}-INFO: [Pass 0, test  batch 0] \tloss 6.91, acc1 0.0, acc5 0.0, elapse 0.1200 sec")
    return lines


def write_oneflow(rng, where, train, base, odd):
    lines = ["=" * 66, "Running resnet50: num_gpu_per_node = 8, num_nodes = 2.", "=" * 66, "model = resnet50",
             f"batch_size_per_device = {where['batch']}", f"gpu_num_per_node = {where['gpus']}",
             f"num_nodes = {where['nodes']}", "use_fp16 = False"]
    now = 1597933900 + rng.random() * 1e6
    for iteration in range(1, train + 7):
        now += abs(rng.gauss(base, base / 30)) + 1e-6
        lines.append(f"train: epoch 0, iter {iteration}, loss: {rng.uniform(1, 7):.6f}, top_1: 0.000000, top_k: 0.000000, "
                     f"samples/s: {rng.uniform(10, 9999):.3f} {now!r}")
    return lines


def write_worker(rng, where, train, base, odd):
    world = where["nodes"] * where["gpus"]
    lines = ["# dlperf-worker 0.1.0", "# backend: cpu", f"# precision: {where['precision']}",
             f"# batch_size: {where['batch']}", f"# world_size: {world}", "# image_size: 224", "# learning_rate: 0.1"]
    for iteration in range(1, train + rng.randint(1, 4)):
        seconds = round(abs(rng.gauss(base, base / 20)) + 1e-6, 6)
        loss = "nan" if odd and rng.random() < 0.1 else f"{rng.uniform(1, 7):.4f}"
        lines.append(f"iteration {iteration} epoch 0 loss {loss} time {seconds:.6f} s data {rng.uniform(0, .1):.6f} s "
                     f"comm {rng.uniform(0, .1):.6f} s throughput {where['batch'] * world / seconds:.2f} images/s")
    return lines


FORMATS = {
    "pytorch-examples": (write_pytorch, pytorch_examples, fold_python, round),
    "ngc-pytorch-resnet50": (write_ngc, ngc_pytorch_resnet50, fold_time, lambda x, n: n_round(x)),
    "paddle-resnet50": (write_paddle, paddle_resnet50, fold_speed, lambda x, n: n_round(x)),
    "paddle-resnet50-time": (write_paddle, paddle_resnet50_time, fold_time, lambda x, n: n_round(x)),
    "oneflow-resnet50": (write_oneflow, oneflow_resnet50, fold_raw, lambda x, n: x),
    "dlperf-worker": (write_worker, dlperf_worker, fold_time, lambda x, n: n_round(x)),
}


def expected(name, logs, warmup, train):
    """DLPerf's JSON of logs: {path: lines}, files in the order that the engine defines (core/analysis/log_folder.h)."""
    _, extract, fold, ratio = FORMATS[name]
    def order(path):
        fields = path.split("/")[1].split("_")
        return (len(fields) <= 4, int(fields[3].strip(".log")), path.encode())
    result, first = {}, {}
    for path in sorted(logs, key=order):
        where = shape(path)
        figure = extract(logs[path], where, warmup, train)
        model, kind = where["model"], (where["batch"], where["precision"])
        if first.setdefault((model, where["case"]), kind) != kind:
            model = " ".join([model, f"b{kind[0]}", kind[1]]).strip()
        case = result.setdefault(model, {}).setdefault(where["case"], {"batch": where["batch"], "runs": {}})
        key = path if name == "oneflow-resnet50" else where["repetition"]
        case["runs"][key] = figure
    for cases in result.values():
        base = fold(list(cases["1n1g"]["runs"].values()))[1]
        for case, content in cases.items():
            average, median = fold(list(content["runs"].values()))
            speedup = ratio(median / base, 2)
            if name == "oneflow-resnet50":
                average, median, speedup = round(average, 2), round(median, 2), round(speedup, 2)
            cases[case] = {"average_speed": average, "batch_size_per_device": content["batch"], "median_speed": median,
                           "speedup": speedup}
    return json.dumps(result)


def decorate(rng, lines):
    """Lines that trainers and launchers mix in, and other ends of lines."""
    mixed = []
    for line in lines:
        if rng.random() < 0.1:
            mixed.append(rng.choice(NOISE))
        mixed.append(line)
    return mixed


def make_set(name, number):
    rng = random.Random(f"{name} {number}")
    write = FORMATS[name][0]
    full = number == 0
    odd = number % 3 == 2
    warmup, train = (20, 120) if full else (rng.randint(2, 9), 0)
    train = train or warmup + rng.choice([1, 2, 3, 7, 8, 9, 10, 13])
    topologies = ["1n1g", "2n8g"] if full else ["1n1g"] + rng.sample(
        ["1n2g", "1n4g", "1n8g", "2n8g", "4n8g", "1n16g", "10n8g", "3n2g"], rng.randint(1, 4))
    batches = rng.choice([[128], [64], [1], [128, 64], [96, 160]]) if not full else [128]
    precisions = rng.choice([["fp32"], ["amp"], ["fp16", "fp32"]]) if not full else ["fp32"]
    kinds = len(topologies) * len(batches) * len(precisions)
    repetitions = 2 if full else min(rng.choice([1, 2, 3, 4, 5, 6, 7, 9]), max(1, 15 // kinds))
    model = rng.choice(["r50", "rn50", "resnet50v1.5", "bert-base-adam-training"])
    logs, texts = {}, {}
    for case in topologies:
        for batch in batches:
            for precision in precisions:
                for repetition in range(1, repetitions + 1):
                    path = f"{case}/{model}_b{batch}_{precision}_{repetition}.log"
                    base = rng.choice([0.003, 0.05, 0.37, 1.2, 4.4])
                    lines = decorate(rng, write(rng, shape(path), train, base, odd))
                    logs[path] = [line.rstrip("\r") for line in lines]
                    end = "\r\n" if odd and repetition % 2 == 0 else "\n"
                    texts[path] = end.join(lines) + ("" if odd and repetition == 1 else end)
    head = f"format: {name}\nwarmup: {warmup}\ntrain: {train}\nexpected: {expected(name, logs, warmup, train)}\n"
    body = "".join(f">>> {path}\n{text}\n" for path, text in texts.items())
    (HERE / f"{name}-{number:02d}.txt").write_bytes((head + body).encode())


def main():
    HERE.mkdir(exist_ok=True)
    for old in HERE.glob("*.txt"):
        old.unlink()
    for name in FORMATS:
        for number in range(13):
            make_set(name, number)


if __name__ == "__main__":
    main()
