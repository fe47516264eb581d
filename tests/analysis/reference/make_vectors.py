#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes sets of logs and the JSON that DLPerf's extractors make of them: make_vectors.py FOLDER (Python >= 3.9)

The build runs it for the tests; it writes the same bytes every time. It fails where no set is found in which a rounding
decides (close_calls.py), unless UNDECIDED says that there is none.

An oracle of its own: plain Python, in the way the extractors go about it (regular expressions over lines, datetime,
round, numpy's mean and median), sharing nothing with the engine that it checks.

    formats.py    the table: which writer, reader, rounding and windows a format has
    write/        the lines of a well-formed log, as each trainer prints them
    extract/      a log's lines to a run's figure, as each extractor reads them
    expected.py   figures to JSON; with rounding.py and where.py
    windows.py    legal windows; mix.py: what launchers do to lines; close_calls.py: where a rounding decides
    arithmetic.py sums and roundings to the last bit

One file a set: a head of "key: value" lines, then each log behind a line ">>> <case>/<name>".
"""
import random
import sys
from pathlib import Path

import expected
import mix
from close_calls import UNDECIDED, by_clock, decides, first_attempt, part_of
from formats import FORMATS, TOPOLOGIES
from rounding import SPEEDS, SPEEDS_4
from where import by_path
from write import wide_deep
from write.clock import Even

SETS = 10  # of each format; the first has the format's default window
LINES = 100  # of a set, where it has a choice
ATTEMPTS = 800  # at a set in which a digit hangs on one detail
SECONDS = [0.003, 0.05, 0.5, 1.2, 2.5, 4.4]  # an iteration
TIE = Even(40)  # one sample in 40 s: 0.025 a second, which the two roundings take to different sides
LATENCIES = [0.0004, 0.002, 0.03, 0.4]  # seconds, of Wide & Deep


def write_set(folder, name, number, warmup, train, json, texts):
    head = f"format: {name}\nwarmup: {warmup}\ntrain: {train}\nexpected: {json}\n"
    body = "".join(f">>> {path}\n{text}\n" for path, text in texts.items())
    (folder / f"{name}-{number:02d}.txt").write_bytes((head + body).encode())


def window_of(rng, form, number):
    if number == 0:
        return form.defaults
    if number == 1 and form.widest:
        return form.window(rng, rng.choice([1, 2, 3]))
    if number == SETS - 1 and form.rounding in (SPEEDS, SPEEDS_4) and not form.widest:
        return form.window(rng, rng.randint(129, 170))  # numpy adds up more than 128 values in another order
    if ties(form, number):
        return form.window(rng, rng.choice([1, 2, 3, 4]))  # a clock without a date has but one day
    return form.window(rng, rng.choice([1, 2, 3, 4, 7, 8, 9, 10, 13, 16]))


def ties(form, number):
    return by_clock(form) and part_of(form, number) == "run"


def topologies_of(rng, form, number, few):
    if number == 0:
        return ["1n1g", "1n2g" if form.widest else "2n8g"]
    if form.widest:
        others = {1: form.widest, 4: "2n2g"}
        return ["1n1g", others.get(number, rng.choice(["1n2g", "2n1g"]))]
    return ["1n1g"] + rng.sample(TOPOLOGIES, 1 if few else rng.randint(1, 3))


def kinds_of(rng, form, number):
    """The cases of a set: paths without a repetition."""
    batches, precisions = [rng.choice([128, 64, 1, 96])], [rng.choice(["fp32", "amp"])]
    if number == 8 or ties(form, number):
        batches = [1]  # small figures, whose ratios are short decimals
    if number % 4 == 2 and not form.widest:
        batches.append(160)
    if number % 4 == 3:
        precisions.append("fp16")
    topologies = topologies_of(rng, form, number, number == SETS - 1 or len(batches + precisions) > 2)
    model = rng.choice(["r50", "rn50", "r100", "resnet50v1.5", "bert", "bert-base-adam-training"])
    return [f"{case}/{model}_b{batch}_{precision}"
            for case in topologies for batch in batches for precision in precisions]


def draw_logs(rng, form, number, warmup, train):
    """Logs of a set, {path: lines}, and the same as text."""
    odd, kinds = number % 3 == 2, kinds_of(rng, form, number)
    wanted = 1 if number == 0 else rng.choice([1, 2, 3, 4, 5, 6, 7, 8, 9])
    first = rng.choice([0, 1, 1, 8])
    least = first + (2 if number in (2, 4, 6, 8) else 1)
    most = LINES * (2 if number == 6 and not form.widest else 1)
    logs, texts = {}, {}
    for repetition in range(first, max(least, first + wanted)):
        if repetition >= least and sum(map(len, logs.values())) > most:
            break
        prefixed = odd and form.rank_prefix and rng.random() < 0.5
        for path in (f"{kind}_{repetition}.log" for kind in kinds):
            seconds = TIE if ties(form, number) else rng.choice(SECONDS)
            lines = form.write(rng, by_path(path), warmup, train, seconds, odd)
            lines = mix.with_noise(rng, mix.with_prefix(rng, lines) if prefixed else lines)
            logs[path], texts[path] = lines, mix.as_text(lines, odd, repetition)
    return logs, texts


def make_set(folder, name, number):
    form, title = FORMATS[name], f"{name}-{number:02d}"
    part = part_of(form, number)
    first = first_attempt(title)
    for attempt in range(first, first + (ATTEMPTS if part and title not in UNDECIDED else 1)):
        rng = random.Random(f"{name} {number} {attempt}")
        warmup, train = window_of(rng, form, number)
        logs, texts = draw_logs(rng, form, number, warmup, train)
        if part and decides(part, form, logs, warmup, train):
            break
    else:
        if part and title not in UNDECIDED:
            sys.exit(f"{title}: no set found in which the {part} decides")
    if attempt != first:
        print(f"{title}: attempt {attempt}, not {first} as close_calls.py says", file=sys.stderr)
    write_set(folder, name, number, warmup, train, expected.speeds(form, logs, warmup, train), texts)


def make_latency_set(folder, name, number, flavours, starts):
    """Wide & Deep: logs side by side in one folder, some with a .mem file."""
    rng, odd = random.Random(f"{name} {number}"), number % 3 == 2
    start = 100 if number == 0 else rng.choice(starts)
    logs, texts = {}, {}
    for index in range(rng.randint(1, 5)):
        nodes, gpus = rng.choice([(1, 1), (1, 2), (1, 8), (2, 8), (4, 8), (1, 16)])
        base = f"n{nodes}g{gpus}_wdl_{index}"
        write = flavours[(number + index) % len(flavours)]
        logs[base + ".log"] = mix.with_noise(rng, write(rng, start, nodes, gpus, rng.choice(LATENCIES)))
        if rng.random() < 0.6:
            logs[base + ".mem"] = wide_deep.memory(rng, gpus)
        texts.update({path: mix.as_text(logs[path], odd, index) for path in logs if path.startswith(base)})
    write_set(folder, name, number, start, 1100, expected.latencies(name, logs, start), texts)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.txt"):
        old.unlink()
    for number in range(SETS):
        for name in FORMATS:
            make_set(folder, name, number)
        make_latency_set(folder, "hugectr-wdl", number, [wide_deep.hugectr], [100, 100, 200, 40])
        make_latency_set(folder, "oneflow-wdl", number, [wide_deep.oneflow_benchmark, wide_deep.oneflow_models], [100])


if __name__ == "__main__":
    main()
