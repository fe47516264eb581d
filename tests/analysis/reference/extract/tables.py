# SPDX-License-Identifier: Apache-2.0
"""OneFlow's own extractor: the case from the log's header, epoch seconds at two iterations."""
from where import Where


def by_header(model):
    """Reads which run a log is of; its path only tells files apart."""
    def read(path, lines):
        facts = {words[0]: words[2] for words in (line.split(" ") for line in lines) if len(words) == 3}
        return Where(int(facts["num_nodes"]), int(facts["gpu_num_per_node"]), int(facts["batch_size_per_device"]),
                     model, "", path)
    return read


def figure(lines, where, warmup, train, marker, column):
    stamps = {}
    for line in lines:
        words = line.split(" ")
        if words[0] == marker:
            stamps[int(words[column][:-1])] = float(words[-1])
    samples = where.batch * where.gpus * where.nodes * (train - warmup)
    return samples / (stamps[train] - stamps[warmup])


def oneflow_resnet50(lines, where, warmup, train):
    return figure(lines, where, warmup, train, "train:", 4)


def oneflow_bert(lines, where, warmup, train):
    return figure(lines, where, warmup, train, "step:", 1)
