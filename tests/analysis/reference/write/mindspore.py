# SPDX-License-Identifier: Apache-2.0
"""Logs of MindSpore's model zoo: ResNet50 and BERT.

Every device's lines are in one log, epoch by epoch. An epoch is one data sink of some steps; often, but not always, the
window's ends are ends of sinks.
"""
from write.clock import Clock
from write.values import loss, taking_turns


def sink_steps(rng, warmup, train):
    """A sink size that leaves an end of an epoch inside the window."""
    return rng.choice([steps for steps in range(1, 11) if train // steps * steps > warmup][-4:])


def log(rng, where, warmup, train, base, odd, epoch_line):
    """Reaches train; where that is inside an epoch, that epoch is printed too."""
    clock, lines = Clock(rng, base), []
    steps = 10 if warmup % 10 == train % 10 == 0 else sink_steps(rng, warmup, train)
    prefixed = rng.random() < 0.4
    for epoch in range(1, -(-train // steps) + rng.randint(1, 2)):
        for line, rank in taking_turns(rng, 2, where.world):
            prefix = f"[1,{rank}]<stdout>:" if prefixed else ""
            milliseconds = clock.step() * 1000 * steps
            time = f"epoch time: {milliseconds:5.3f} ms, per step time: {milliseconds / steps:5.3f} ms"
            lines.append(prefix + (time if line else epoch_line(epoch, steps)))
    return lines


def resnet50(rng, where, warmup, train, base, odd):
    return log(rng, where, warmup, train, base, odd,
               lambda epoch, steps: f"epoch: {epoch} step: {steps}, loss is {loss(rng, odd, '.7f')}")


def bert(rng, where, warmup, train, base, odd):
    return log(rng, where, warmup, train, base, odd,
               lambda epoch, steps: f"epoch: 0, current epoch percent: {epoch / 1000:.3f}, step: {epoch * steps}, "
               f"outputs are (Tensor(shape=[], dtype=Float32, value= {loss(rng, odd, '.2f')}),)")
