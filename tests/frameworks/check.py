#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds each run of a workspace against its log: the figure computed by hand, a falling loss, equal weights.

check.py WORKSPACE REPORT.json WARMUP TRAIN
"""
import decimal
import json
import pathlib
import re
import sys

TAG = re.compile(r"^\[[\d,]+\]<std(?:out|err)>:", re.M)  # of mpirun --tag-output and horovodrun
LINE = re.compile(r"^iteration (\d+) epoch \d+ loss (\S+) time (\S+) s ", re.M)


def fact(text, name):
    return int(re.search(rf"^# {name}: (\d+)$", text, re.M).group(1))


def read(log):
    return TAG.sub("", log.read_text(errors="replace"))


def figure(text, warmup, train):
    """Images over seconds of the iterations after the warmup, to two decimals."""
    times = {int(number): decimal.Decimal(time) for number, _, time in LINE.findall(text)}
    images = fact(text, "batch_size") * fact(text, "world_size") * (train - warmup)
    return round(float(images / sum(times[i] for i in range(warmup + 1, train + 1))), 2)


def problems(folder, warmup, train):
    run = json.loads((folder / "run.json").read_text())
    if run["outcome"] != "ok":
        yield f"ended {run['outcome']}: {run.get('reason')}"
        return
    text = read(folder / "node0.log")
    computed = figure(text, warmup, train)
    yield from [f"says {run['throughput']}, its log gives {computed}"] if run["throughput"] != computed else []
    losses = [float(loss) for _, loss, _ in LINE.findall(text)]
    if not sum(losses[-3:]) < sum(losses[:3]):
        yield f"its loss does not fall: {losses}"
    weights = []
    for log in sorted(folder.glob("node*.log")):
        weights += re.findall(r"# rank \d+: checksum of the weights (\w+)", read(log))
    if len(weights) != fact(text, "world_size") or len(set(weights)) != 1:
        yield f"its ranks end with other weights than each other: {weights}"
    print(f"{run['case']['recipe'] if 'case' in run else folder.parts[-4]:<12} {folder.parts[-2]:<5} {computed:>8.2f} images/s"
          f"  loss {losses[0]:.2f} to {losses[-1]:.2f}  weights {weights[0] if weights else '-'} on {len(weights)} ranks")


def main():
    workspace, report, warmup, train = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    json.loads(pathlib.Path(report).read_text())
    failed = False
    folders = sorted(path.parent for path in workspace.glob("logs/**/run.json"))
    for folder in folders:
        for problem in problems(folder, warmup, train):
            failed = True
            print(f"{folder}: {problem}", file=sys.stderr)
    if failed or not folders:
        sys.exit(1)


if __name__ == "__main__":
    main()
