#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The processes that runs of one test have started: they inherit its mark, or know its folder, or are on its machines.

processes.py SCRATCH prints those that are there; exit code 1 if there is any.
"""
import os
import pathlib
import sys

MARK = "FRAMEWORKS_TEST"  # a variable with the test's folder in the environment of each `dlperf`


def machines():
    """The network namespaces that stand for nodes: see run.sh."""
    return {path.stat().st_ino for path in pathlib.Path("/run/netns").glob("dlpf*")}


def processes(scratch, *others):
    """Command lines by number. Not this process, `others`, those of the login service, and zombies."""
    found, of_machines = {}, machines()
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command, environment = ((folder / name).read_bytes().split(b"\0") for name in ("cmdline", "environ"))
            on_machine = os.stat(folder / "ns/net").st_ino in of_machines
        except OSError:
            continue
        knows = any(os.fsencode(scratch) in text for text in command + environment)
        if command[0] and (knows or on_machine) and b"sshd" not in command[0]:
            found[int(folder.name)] = [os.fsdecode(argument) for argument in command]
    return {number: command for number, command in found.items() if number not in (os.getpid(), *others)}


def main():
    left = processes(sys.argv[1])
    for number, command in left.items():
        print(number, *" ".join(command).split()[:20], file=sys.stderr)
    sys.exit(1 if left else 0)


if __name__ == "__main__":
    main()
