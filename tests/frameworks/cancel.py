#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cancels `dlperf` by SIGINT to its process group, as Ctrl-C does, at each moment of a run, and looks what it leaves.

cancel.py run|prepare DLPERF SCRATCH [OPTION of dlperf]...    of the recipes of SCRATCH/plan.json

Moments of a run: "check" imports the framework before the plan begins, "look" is where a run looks for its Python, "facts" is
the trainer's wrapper, "start" the trainer's first process, "load" loads the framework, "run" is its third iteration, "end"
its last one; "again" is a whole run after all of these. Of a preparation: "venv" and "pip". One row each, with dlperf's exit
code. The exit code here is 1 if a process is left, a moment was not met, or no run could start at once.
"""
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import check
import processes

ENDS, NONE_LEFT, MEETS = 30, 10, 300  # seconds that dlperf has to end, its processes after it, a moment to come
MANY = 5000  # iterations of a run that does not end by itself
ITERATIONS = 10
# As from a slow disk: what a cancel forgets does not end by itself while we look.
SLOW = """import glob, sys, time
if {}:
    open({!r}, "w").close()
    time.sleep(60)
"""
LOADS = 2  # seconds after a trainer's process appears: it has long begun to load the framework


def names(*files):
    return lambda command: any(pathlib.Path(argument).name in files for argument in command)


def pip_installs(command):
    return "pip" in command and "install" in command


class Program:
    """`dlperf` at work, in a process group of its own."""

    def __init__(self, scratch, arguments, workspace, environment):
        self.scratch, self.workspace, self.said = scratch, workspace, scratch / "said"
        with self.said.open("wb") as said:
            self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=said, stderr=said, process_group=0,
                                            env=os.environ | {processes.MARK: str(scratch)} | environment)

    def shows(self, step):
        return any(step(command) for command in processes.processes(self.scratch, self.process.pid).values())

    def iterated(self, number):
        logs = [check.read(path) for path in self.workspace.glob("logs/**/node0.log")]
        return any(re.search(rf"^iteration {number} ", log, re.M) for log in logs)

    def until(self, met):
        """Waits for it; False if the program ended before."""
        limit = time.monotonic() + MEETS
        while self.process.poll() is None and time.monotonic() < limit:
            if met():
                return True
            time.sleep(0.02)
        return False

    def cancel(self):
        """Its exit code, what is left, and the seconds to its end and until nothing was left."""
        begun = time.monotonic()
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGINT)
        try:
            code = self.process.wait(ENDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = "none"
        ended = time.monotonic()
        while (left := processes.processes(self.scratch)) and time.monotonic() < ended + NONE_LEFT:
            time.sleep(0.02)
        gone = time.monotonic()
        for number in left:  # so that they do not disturb what follows
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        return code, left, ended - begun, gone - begun


class Moments:
    def __init__(self, dlperf, plan, scratch, options):
        self.dlperf, self.scratch, self.options = dlperf, scratch, options
        self.plan, self.failed = plan, False

    def workspace(self, moment):
        return self.scratch / f"{self.plan['recipes'][0]}-{moment}"

    def start(self, moment, command, train, options=(), **environment):
        """Of the plan's last topology only."""
        workspace = self.workspace(moment)
        plan = self.scratch / "cancelled.json"
        plan.write_text(json.dumps(self.plan | {"topologies": self.plan["topologies"][-1:], "train": train}))
        if command == "run":
            options = [*options, "--workspace", workspace]
        return Program(self.scratch, [self.dlperf, command, plan, *options, *self.options], workspace, environment)

    def row(self, moment, code, left="", ends="", gone="", problem=""):
        self.failed = self.failed or bool(problem)
        print(f"{self.plan['recipes'][0]:<12} {moment:<8} exit {code!s:<5} ended after {ends:>6}  none left after {gone:>6}"
              f"  {problem}", flush=True)
        for number, command in (left or {}).items():
            print("    left:", number, " ".join(" ".join(command).split())[:150], flush=True)

    def cancelled(self, moment, program, met, after=0.0, still=lambda: True):
        """Cancels so many seconds after the moment is met, if it still is one."""
        hit = program.until(met)
        time.sleep(after if hit else 0)
        hit = hit and still() and program.process.poll() is None
        code, left, ends, gone = program.cancel()
        said = program.said.read_text(errors="replace")
        problems = [] if hit else ["was not met: " + " / ".join(said.splitlines()[-3:])]
        problems += ["processes are left"] if left else []
        problems += ["it did not end"] if code == "none" else []
        problems += ["its node was busy"] if "busy with" in said else []
        self.row(moment, code, left, f"{ends:.2f} s", "never" if left else f"{gone:.2f} s", ", ".join(problems))

    def slow(self, moment, condition):
        """Where a Python of the node starts for which the condition holds; it takes a while."""
        folder = self.scratch / "slow"
        folder.mkdir(exist_ok=True)
        begun, custom = folder / f"{self.plan['recipes'][0]}-{moment}", folder / "sitecustomize.py"
        custom.write_text(SLOW.format(condition, str(begun)))
        self.cancelled(moment, self.start(moment, "run", MANY, PYTHONPATH=str(folder)), begun.exists)
        custom.unlink()  # machines over SSH have the folder in all that they do

    def of_run(self):
        self.slow("check", 'sys.orig_argv[2:] and sys.orig_argv[2].startswith("import ")')
        self.slow("look", f'sys.orig_argv[1:2] in (["-"], ["-c"]) and glob.glob("{self.workspace("look")}/campaigns/*")')
        for moment, files in ("facts", ["run.sh"]), ("start", ["launch.sh", "train.py"]):
            program = self.start(moment, "run", MANY)
            self.cancelled(moment, program, lambda: program.shows(names(*files)))
        program = self.start("load", "run", MANY)
        self.cancelled("load", program, lambda: program.shows(names("train.py")), LOADS, lambda: not program.iterated(1))
        program = self.start("run", "run", MANY)
        self.cancelled("run", program, lambda: program.iterated(3))
        program = self.start("end", "run", ITERATIONS)
        self.cancelled("end", program, lambda: program.iterated(ITERATIONS))
        asked, program = time.monotonic(), self.start("again", "run", ITERATIONS)
        code, said = program.process.wait(), program.said.read_text(errors="replace")
        problem = f"failed: {said}" if code else "its node was busy" if "busy with" in said else ""
        self.row("again", code, ends=f"{time.monotonic() - asked:.2f} s", problem=problem)

    def of_prepare(self):
        """In an empty work folder, where the recipe's packages are to be installed."""
        cluster = self.scratch / "empty.json"
        cluster.write_text(json.dumps({"name": "empty", "nodes": [{"name": "this", "local": True, "devices": 2,
                                                                  "work_dir": str(self.scratch / "empty")}]}))
        for moment, step, after in (("venv", lambda command: "venv" in command, 0.5), ("pip", pip_installs, 2)):
            program = self.start(moment, "prepare", ITERATIONS, ["--cluster", cluster])
            self.cancelled(moment, program, lambda: program.shows(step), after)


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's job in the background ignores it
    what, dlperf, scratch, *options = sys.argv[1:]
    scratch = pathlib.Path(scratch)
    plan = json.loads((scratch / "plan.json").read_text())
    failed = False
    for recipe in plan["recipes"]:
        one = plan | {"recipes": [recipe], "options": {recipe: plan["options"][recipe]}}
        moments = Moments(dlperf, one, scratch, options)
        moments.of_run() if what == "run" else moments.of_prepare()
        failed = failed or moments.failed
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
