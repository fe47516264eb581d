#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says whether what dlperf-worker-check wrote is right, in rows of a Markdown table.

    python3 compare.py torch FILE           against PyTorch in double precision, on a GPU if there is one
    python3 compare.py files FILE OTHER     against another backend's output, or another number of processes'
    python3 compare.py header gradients     the head of the table that these rows belong to, or of that of `curves`

For gradients a tensor's distance is the norm of the difference over the norm. Shown are the loss's relative
distance, the median and the worst tensor, and "scale": how far the worst tensor's length along the reference is off.
The worker passes where it is within the goal of its precision (fp32 1e-4, tf32 1e-3, bf16 and fp16 1e-2) or within
twice the distance that PyTorch has itself in that precision. With batch statistics a rounding that flips one rectifier
moves a few tensors by percents, so up to 3e-2 (scale 3e-3) is allowed for single tensors there; with frozen statistics
nothing is. Exit codes: 0 all pass, 1 not, 2 the files cannot be compared. Only `torch` needs PyTorch.
"""
import array
import contextlib
import json
import math
import pathlib
import sys

import distances

HEADERS = {"gradients": "| gradients of | | loss | median | worst | scale | |\n|---|---|---|---|---|---|---|",
           "curves": "| training of | | first 3 steps | course | last loss / first | |\n|---|---|---|---|---|---|"}


class Unusable(Exception):
    pass


def read_facts(path):
    try:
        return json.loads(pathlib.Path(path).read_text())
    except (OSError, ValueError) as error:
        raise Unusable(f"cannot read {path}: {error}") from error


def read_gradients(path, facts):
    """One array a tensor."""
    counts = [math.prod(tensor["shape"]) for tensor in facts["tensors"]]
    data = pathlib.Path(path + ".f32").read_bytes()
    if len(data) != 4 * sum(counts):
        raise Unusable(f"{path}.f32 has {len(data)} bytes, not {4 * sum(counts)}")
    tensors, at = [], 0
    for count in counts:
        tensors.append(array.array("f", data[at:at + 4 * count]))
        at += 4 * count
        if sys.byteorder == "big":
            tensors[-1].byteswap()
    return tensors


def problem_text(facts):
    if facts["steps"]:
        text = f"{facts['precision']}, {facts['steps']} steps of {facts['batch_size']} images, {facts['image_size']} px"
        return text + (", frozen statistics" if facts["frozen_norm"] else "")
    norm = "frozen" if facts["frozen_norm"] else "batch"
    return f"{facts['precision']}, {norm} statistics, {facts['batch_size']} images, {facts['image_size']} px"


def side_text(facts):
    ranks = f", {facts['ranks']} processes" if facts["ranks"] > 1 else ""
    return f"dlperf-worker {facts['backend']}{ranks}"


def row(*cells):
    print("| " + " | ".join(f"{c:.1e}" if isinstance(c, float) else c for c in cells) + " |")


def gradient_cells(summary):
    return [float(summary[m]) for m in distances.MEASURES]


def curve_cells(summary):
    return [summary["start"], summary["course"], f"{summary['end']:.3f}"]


def report(facts, who, cells, wrong, theirs=None):
    """Whether it passes: a row of it, and one of what PyTorch itself has in that precision."""
    row(problem_text(facts), who, *cells, "FAIL: " + ", ".join(wrong) if wrong else "pass")
    if theirs:
        import torch_side
        row("", f"PyTorch {torch_side.device()} {facts['precision']}", *theirs, "")
    return not wrong


def report_gradients(facts, who, ours, theirs=None):
    limit = distances.limits(distances.GOALS[facts["precision"]], theirs, facts["frozen_norm"])
    wrong = [f"{m} above {limit[m]:.1e}" for m in distances.failures(ours, limit)]
    if wrong:
        wrong[-1] += "; furthest " + ", ".join(f"{name} {d:.1e}" for name, d in ours["worst_tensors"])
    return report(facts, who, gradient_cells(ours), wrong, theirs and gradient_cells(theirs))


def report_curves(facts, who, ours, theirs=None):
    wrong = distances.curve_failures(ours, theirs, distances.GOALS[facts["precision"]])
    return report(facts, who, curve_cells(ours), wrong, theirs and curve_cells(theirs))


def compare_with_torch(path):
    import torch

    import torch_side
    facts, theirs = read_facts(path), None
    if facts["steps"]:
        reference = torch_side.Problem(facts, "fp64").losses()
        with contextlib.suppress(torch_side.NotInThisPyTorch):
            theirs = distances.curve_summary(torch_side.Problem(facts, facts["precision"]).losses(), reference)
        return report_curves(facts, side_text(facts), distances.curve_summary(facts["losses"], reference), theirs)
    names = [tensor["name"] for tensor in facts["tensors"]]
    loss, reference = torch_side.Problem(facts, "fp64").gradients()
    where = reference[0].device
    mine = [torch.frombuffer(t, dtype=torch.float32).to(where).double() for t in read_gradients(path, facts)]
    ours = distances.gradient_summary(names, mine, reference, facts["losses"][0], loss)
    with contextlib.suppress(torch_side.NotInThisPyTorch):
        their_loss, gradients = torch_side.Problem(facts, facts["precision"]).gradients()
        theirs = distances.gradient_summary(names, gradients, reference, their_loss, loss)
    return report_gradients(facts, side_text(facts), ours, theirs)


def compare_files(path, other):
    facts, expected = read_facts(path), read_facts(other)
    same = ["tensors", "batch_size", "image_size", "classes", "label_smoothing", "frozen_norm", "steps"]
    if facts["steps"]:
        same += ["batches", "learning_rate", "momentum", "weight_decay"]
    for key in same:
        if facts[key] != expected[key]:
            raise Unusable(f"{path} and {other} are of different problems: {key}")
    who = f"{side_text(facts)} against {side_text(expected)}"
    if facts["steps"]:
        return report_curves(facts, who, distances.curve_summary(facts["losses"], expected["losses"]))
    names = [tensor["name"] for tensor in facts["tensors"]]
    ours = distances.gradient_summary(names, read_gradients(path, facts), read_gradients(other, expected),
                                      facts["losses"][0], expected["losses"][0])
    return report_gradients(facts, who, ours)


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "header" and arguments[1] in HEADERS:
        print(HEADERS[arguments[1]])
        return 0
    try:
        if len(arguments) == 2 and arguments[0] == "torch":
            return 0 if compare_with_torch(arguments[1]) else 1
        if len(arguments) == 3 and arguments[0] == "files":
            return 0 if compare_files(*arguments[1:]) else 1
    except (Unusable, OSError) as error:
        print(f"compare.py: {error}", file=sys.stderr)
        return 2
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
