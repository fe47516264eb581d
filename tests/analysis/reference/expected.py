# SPDX-License-Identifier: Apache-2.0
"""The JSON that DLPerf's extractors make of a set of logs.

Decided to differ: the order of files (where.py), and a sibling "r50 b256 fp16" where a batch size or precision shares
a folder with another, which the extractors would overwrite.
"""
import json

from extract import latency
from where import order


def cases_of(form, logs, warmup, train):
    """{model: {case: {"batch": ..., "runs": {repetition: figure}}}} of logs: {path: lines}."""
    result, first = {}, {}
    for path in sorted(logs, key=order):
        run = form.where(path, logs[path])
        model, kind = run.model, (run.batch, run.precision)
        if first.setdefault((model, run.case), kind) != kind:
            model = " ".join([model, f"b{run.batch}", run.precision]).strip()
        case = result.setdefault(model, {}).setdefault(run.case, {"batch": run.batch, "runs": {}})
        case["runs"][run.repetition] = form.extract(logs[path], run, warmup, train)
    return result


def speeds(form, logs, warmup, train):
    rounding = form.rounding
    result = cases_of(form, logs, warmup, train)
    for cases in result.values():
        base = rounding.fold(list(cases["1n1g"]["runs"].values()))[1]
        for case, content in cases.items():
            average, median = rounding.fold(list(content["runs"].values()))
            cases[case] = {"average_speed": rounding.shown(average), "batch_size_per_device": content["batch"],
                           "median_speed": rounding.shown(median),
                           "speedup": rounding.shown(rounding.speedup(median / base))}
    return json.dumps(result)


LATENCIES = {"hugectr-wdl": latency.hugectr, "oneflow-wdl": latency.oneflow}


def latencies(name, logs, start_iteration):
    """logs: {name: lines}, with the .mem files."""
    rows = {}
    for path in sorted((path for path in logs if path.endswith(".log")), key=str.encode):
        base = path.removesuffix(".log")
        rows[base] = LATENCIES[name](logs[path], logs.get(base + ".mem"), start_iteration)
    return json.dumps({"wdl": rows})
