# SPDX-License-Identifier: Apache-2.0
"""How far gradients and losses are from a reference, and whether that is near enough. Plain Python: the self-test of
its rules needs neither PyTorch nor NumPy. Tensors of PyTorch are taken as well as arrays, and are faster."""
import math
import operator
import statistics

# What a tensor may be off (norm of the difference over the norm) where PyTorch itself, in the same precision, is not
# further off. No precision can be asked for what the number format does not give.
GOALS = {"fp32": 1e-4, "tf32": 1e-3, "bf16": 1e-2, "fp16": 1e-2}
ROOM = 2  # times PyTorch's own distance from the reference
FLIP = 3e-2
MEASURES = ("loss", "median", "worst", "scale")


def dot(a, b):
    return float(a.dot(b)) if hasattr(a, "dot") else math.fsum(map(operator.mul, a, b))


def minus(a, b):
    return a - b if hasattr(a, "dot") else list(map(operator.sub, a, b))


def relative(value, reference):
    """Not a number counts as infinitely far: a comparison with it would let anything pass."""
    distance = abs(value - reference) / abs(reference) if reference else abs(value - reference)
    return distance if math.isfinite(distance) else math.inf


def tensor_distance(ours, reference):
    """The relative distance, and how far the length along the reference is off: rounding evens out in the latter, so
    that a wrong factor shows even in a precision of few bits."""
    size = dot(reference, reference)
    if size == 0:
        distance = math.sqrt(dot(ours, ours))
        return (distance, distance) if math.isfinite(distance) else (math.inf, math.inf)
    difference = minus(ours, reference)
    distance = math.sqrt(dot(difference, difference) / size)
    scale = abs(dot(ours, reference) / size - 1)
    return tuple(d if math.isfinite(d) else math.inf for d in (distance, scale))


def gradient_summary(names, ours, reference, our_loss, loss):
    """Of one side: the four measures, and the tensors that are furthest off."""
    distances = [tensor_distance(a, b) for a, b in zip(ours, reference, strict=True)]
    order = sorted(range(len(names)), key=lambda i: -distances[i][0])
    return {"loss": relative(our_loss, loss), "median": statistics.median(d for d, _ in distances),
            "worst": distances[order[0]][0], "scale": max(s for _, s in distances),
            "worst_tensors": [(names[i], distances[i][0]) for i in order[:3]]}


def limits(goal, theirs=None, frozen=True):
    """`theirs`: PyTorch's own summary, if any. With batch statistics a rounding that flips one rectifier moves single
    tensors by percents, in one program and not in the other; the median is the sharp measure there."""
    least = {m: goal for m in MEASURES}
    if not frozen:
        least.update(worst=max(goal, FLIP), scale=max(goal, FLIP / 10))
    return {m: max(least[m], ROOM * theirs[m] if theirs and math.isfinite(theirs[m]) else 0) for m in MEASURES}


def failures(ours, limit):
    """The measures that are beyond their limits."""
    return [m for m in MEASURES if not ours[m] <= limit[m]]


def windows(losses, length):
    return [statistics.fmean(losses[i:i + length]) for i in range(0, len(losses) - length + 1, length)]


def curve_summary(losses, reference, length=20):
    """Of two trainings: how far the first steps are apart, and the means of 20 steps at any time, as shares of the
    loss at the beginning. Single later steps say nothing: training amplifies rounding until they differ."""
    if len(losses) != len(reference):
        raise ValueError(f"{len(losses)} losses against {len(reference)}")
    pairs = list(zip(losses, reference))
    length = min(length, len(losses))
    start = max(relative(a, b) for a, b in pairs[:3])
    ours, theirs = windows(losses, length), windows(reference, length)
    apart = [relative(a - b, 0) / abs(reference[0]) for a, b in zip(ours, theirs)]
    return {"start": start, "course": max(apart), "end": ours[-1] / losses[0]}


def curve_failures(ours, theirs, goal):
    """`theirs`: the same of PyTorch in the same precision, if any. Where that is nearer, the start may be off by 0.1 %,
    as the first step already amplifies rounding, and the course by 5 %."""
    limit = {"start": max(goal, 1e-3), "course": 0.05}
    for measure, least in limit.items():
        if theirs and math.isfinite(theirs[measure]):
            limit[measure] = max(least, ROOM * theirs[measure])
    return [measure for measure in limit if not ours[measure] <= limit[measure]]
