#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares dlperf-worker with PyTorch on this CPU: ResNet50 v1.5, forward, backward and SGD, synthetic data.

    python3 worker/bench_cpu.py build/bin/dlperf-worker [--rounds 12] [--batch 8] [--threads 2]
    python3 worker/bench_cpu.py build/bin/dlperf-worker --cpu-time --threads 1    on a machine that others use as well

Needs torch (Debian: python3-torch). Rounds are short and interleaved, and the order turns around
every other round (A-B-B-A), so that what else runs on the machine hits all alike. A round's figure is the median of its
iterations (their mean with --cpu-time); the table has the median over rounds, the best round, and the ratio of the worker to the best PyTorch.
With --cpu-time an iteration's time is the processor time it used: it does not grow while others have the processor.
Only one thread makes sense then, as threads that wait for each other use time too; and a batch of 16 or more, as
PyTorch 1.13 leaves oneDNN for slow loops of its own below that on one thread.
"""
import argparse
import datetime
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import time

ITERATIONS, WARMUP = 3, 1
LEARNING_RATE = 0.003


def torch_variant(arguments):
    """In a process of its own: for every line on standard input, the seconds of ITERATIONS iterations."""
    import bench_torch

    _, precision, layout = arguments.torch.split()
    problem = argparse.Namespace(device="cpu", mode="eager", precision=precision, batch_size=arguments.batch,
                                 image_size=224, threads=arguments.threads)
    bench_torch.set_up(problem)
    step, _ = bench_torch.make_step(problem, layout == "channels_last", LEARNING_RATE)
    clock = time.process_time if arguments.cpu_time else time.perf_counter
    for _ in sys.stdin:
        times = []
        for _ in range(WARMUP + ITERATIONS):
            start = clock()
            step()
            times.append(clock() - start)
        print(" ".join(map(str, times[WARMUP:])), flush=True)


class TorchRunner:
    def __init__(self, variant, arguments):
        command = [sys.executable, __file__, arguments.worker, "--torch", variant,
                   "--batch", str(arguments.batch), "--threads", str(arguments.threads)]
        command += ["--cpu-time"] if arguments.cpu_time else []
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def round(self):
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        return [float(word) for word in self.process.stdout.readline().split()]


class WorkerRunner:
    def __init__(self, precision, arguments):
        self.command = [arguments.worker, "--backend", "cpu", "--precision", precision, "--batch-size",
                        str(arguments.batch), "--threads", str(arguments.threads), "--lr", str(LEARNING_RATE)]
        self.cpu_time = arguments.cpu_time

    def run(self, iterations):
        """The log, and the processor time of the whole process."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = self.command + ["--iterations", str(iterations)]
        log = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return log, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def round(self):
        log, used = self.run(WARMUP + ITERATIONS)
        if self.cpu_time:
            return [(used - self.run(WARMUP)[1]) / ITERATIONS]
        return [float(time) for time in re.findall(r"^iteration .* time (\S+) s", log, re.M)][WARMUP:]


def cpu_name():
    with open("/proc/cpuinfo") as info:
        names = re.findall(r"^model name\s*: (.*)$", info.read(), re.M)
    return names[0] if names else platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("worker")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--threads", type=int, default=min(2, os.cpu_count()))
    parser.add_argument("--cpu-time", action="store_true")
    parser.add_argument("--torch", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.torch:
        return torch_variant(arguments)

    runners = {"dlperf-worker fp32": WorkerRunner("fp32", arguments),
               "torch fp32 channels_last": TorchRunner("torch fp32 channels_last", arguments),
               "torch fp32 NCHW": TorchRunner("torch fp32 NCHW", arguments),
               "dlperf-worker bf16": WorkerRunner("bf16", arguments),
               "torch bf16 channels_last": TorchRunner("torch bf16 channels_last", arguments)}
    # The worker's processor time is that of several iterations together: a mean, so PyTorch's is one too.
    average = statistics.mean if arguments.cpu_time else statistics.median
    speeds = {name: [] for name in runners}
    for number in range(arguments.rounds):
        names = list(runners) if number % 2 == 0 else list(reversed(runners))
        for name in names:
            speeds[name].append(arguments.batch / average(runners[name].round()))
        print(f"round {number + 1}: " + ", ".join(f"{n} {s[-1]:.2f}" for n, s in speeds.items()), file=sys.stderr)

    print(f"{datetime.date.today()}, {cpu_name()}, {arguments.threads} threads, batch {arguments.batch}, 224 x 224, "
          f"{arguments.rounds} rounds of {ITERATIONS} iterations, {'processor' if arguments.cpu_time else 'wall'} time\n")
    print("| | median images/s | best | ratio: median of rounds | ratio of bests |\n|---|---|---|---|---|")
    for name, own in speeds.items():
        precision = name.split()[1]
        rivals = [s for n, s in speeds.items() if n.startswith("torch") and n.split()[1] == precision]
        text = "| |"
        if name.startswith("dlperf"):
            paired = [speed / max(theirs) for speed, *theirs in zip(own, *rivals)]
            text = f"| {statistics.median(paired):.2f} | {max(own) / max(max(r) for r in rivals):.2f} |"
        print(f"| {name} | {statistics.median(own):.2f} | {max(own):.2f} {text}")


if __name__ == "__main__":
    main()
