#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The processes that runs of one test have started: they inherit its mark, or know its folder, or are on its machines.

processes.py SCRATCH prints those that are there; exit code 1 if there is any.
"""
import os
import pathlib
import sys

MARK = "FRAMEWORKS_TEST"  # a variable with the test's folder in the environment of each `dlperf`


def all_processes():
    """The number, the network namespace, the command line and the environment of each; without zombies."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command, environment = ((folder / name).read_bytes().split(b"\0") for name in ("cmdline", "environ"))
            network = os.stat(folder / "ns/net").st_ino
        except OSError:
            continue
        if command[0]:
            yield int(folder.name), network, command, environment


def processes(scratch, *others):
    """Command lines by number. Not this process, `others`, and those of the login service."""
    every, own = list(all_processes()), os.fsencode(scratch)
    logins = [entry for entry in every if b"sshd" in entry[2][0]]
    machines = {network for _, network, command, _ in logins if any(own in text for text in command)}
    here = os.stat("/proc/self/ns/net").st_ino
    return {number: [os.fsdecode(argument) for argument in command] for number, network, command, environment in every
            if (any(own in text for text in command + environment) or network in machines - {here})
            and b"sshd" not in command[0] and number not in (os.getpid(), *others)}


def main():
    left = processes(sys.argv[1])
    for number, command in left.items():
        print(number, *" ".join(command).split()[:20], file=sys.stderr)
    sys.exit(1 if left else 0)


if __name__ == "__main__":
    main()
