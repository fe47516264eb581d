# SPDX-License-Identifier: Apache-2.0
"""Figures from the seconds that each iteration's own line prints."""
import re


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
            return round(where.total_batch / (total / (train - warmup)), 2)
    raise ValueError("short")


def dlperf_worker(lines, where, warmup, train):
    total, count = 0.0, 0
    for line in lines:
        found = re.match(r"iteration (\d+) .* time ([0-9.]+) s ", line)
        if found and warmup < int(found[1]) <= train:
            total += float(found[2])
            count += 1
    assert count == train - warmup
    return round(where.total_batch * (train - warmup) / total, 2)
