# SPDX-License-Identifier: Apache-2.0
"""Wide & Deep: milliseconds an iteration and megabytes of a device, not speed.

A word that the header lacks stops the extractors; here it is None, and the other columns stay.
"""
import math

from arithmetic import plain_sum

HEADER = ["num_nodes", "gpu_num_per_node", "batch_size", "batch_size_per_proc", "deep_vocab_size", "hidden_units_num",
          "deep_embedding_vec_size", "wide_workspace_size_per_gpu_in_mb", "loss_print_every_n_iter"]


def header(lines):
    words = [line.split(" ") for line in lines]
    return {word[0]: int(word[2]) for word in words if word[0] in HEADER and len(word) > 2}


def megabytes(lines):
    """Of the .mem file beside a log; lines is None where there is none."""
    for line in lines or []:
        words = line.split(" ")
        if words[0] == "max" and len(words) >= 5:
            return int(float(words[-1]) / 1024 / 1024)
    return None


def row(facts, nodes, gpus, vocabulary, latency, memory):
    return {"batch_size": facts.get("batch_size"), "deep_embedding_vec_size": facts.get("deep_embedding_vec_size"),
            "vocab_size": vocabulary, "gpus_per_node": gpus, "hidden_units_num": facts.get("hidden_units_num"),
            "latency_ms": latency, "memory_mb": megabytes(memory), "nodes": nodes}


def hugectr(lines, memory, start_iteration):
    """The seconds of whole print intervals; the one of the start iteration holds the warm-up."""
    facts, seconds = header(lines), []
    for words in (line.split(" ") for line in lines):
        if len(words) > 5 and words[1] == "Iter:" and "[INFO]" in words[0] and int(words[2]) != start_iteration:
            seconds.append(float(words[5][:-1]))
    vocabulary = facts.get("deep_vocab_size")
    if "wide_workspace_size_per_gpu_in_mb" in facts:
        numbers = facts["wide_workspace_size_per_gpu_in_mb"] * 1048576 / 4
        vocabulary = int(math.floor(numbers / 1e6) * 1e6)
    latency = 1000 * plain_sum(seconds) / len(seconds) / float(facts["loss_print_every_n_iter"])
    return row(facts, facts.get("num_nodes"), facts.get("gpu_num_per_node"), vocabulary, latency, memory)


def oneflow_benchmark(lines, memory):
    """Seconds of exactly 1000 iterations are the milliseconds of one."""
    facts, first, latency = header(lines), None, None
    for words in (line.split(" ") for line in lines):
        if len(words) > 3 and words[1] == "time":
            now = int(words[0]), float(words[2])
            first = first or now
            if now[0] - first[0] == 1000:
                latency = now[1] - first[1]
    assert latency is not None, "short"
    return row(facts, facts.get("num_nodes"), facts.get("gpu_num_per_node"), facts.get("deep_vocab_size"), latency,
               memory)


def oneflow_models(lines, memory):
    """The mean of the printed latencies without the first and the last, where that leaves any; one node."""
    facts, latencies = header(lines), []
    for words in (line.split(" ") for line in lines):
        if len(words) > 6 and words[1] == "iter:" and words[3] == "loss:":
            latencies.append(float(words[6]))
    if len(latencies) > 2:
        latencies = latencies[1:-1]
    gpus = facts["batch_size"] // facts["batch_size_per_proc"]
    return row(facts, 1, gpus, facts.get("deep_vocab_size"), plain_sum(latencies) / len(latencies), memory)


def oneflow(lines, memory, start_iteration):
    """Both flavours print under one name; their lines tell them apart."""
    if any(line.split(" ")[1:2] == ["iter:"] for line in lines):
        return oneflow_models(lines, memory)
    return oneflow_benchmark(lines, memory)
