#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills `dlperf run` at every system call that changes a file, then asks `dlperf resume` to go on.

Each round runs a plan of two toy trainers, one that ends well and one that crashes, and sends SIGKILL at the
n-th such call of the program and all its threads, before the call takes effect. After `resume` the workspace
must be as if nothing had happened: the same results, no run lost or doubled, no process and no lock left.

Traces the threads itself: strace counts a call for each thread on its own and so never reaches those of a
thread that lives shortly.
"""

import argparse
import collections
import concurrent.futures
import ctypes
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

CALLS = {
    "x86_64": {"write": 1, "pwrite64": 18, "writev": 20, "sendfile": 40, "fsync": 74, "fdatasync": 75,
               "truncate": 76, "ftruncate": 77, "rename": 82, "mkdir": 83, "rmdir": 84, "creat": 85, "link": 86,
               "unlink": 87, "symlink": 88, "fchmod": 91, "open": 2, "openat": 257, "mkdirat": 258,
               "unlinkat": 263, "renameat": 264, "linkat": 265, "symlinkat": 266, "utimensat": 280,
               "fallocate": 285, "renameat2": 316, "copy_file_range": 326},
    "aarch64": {"mkdirat": 34, "unlinkat": 35, "symlinkat": 36, "linkat": 37, "renameat": 38, "truncate": 45,
                "ftruncate": 46, "fallocate": 47, "fchmod": 52, "openat": 56, "write": 64, "writev": 66,
                "pwrite64": 68, "sendfile": 71, "fsync": 82, "fdatasync": 83, "utimensat": 88,
                "renameat2": 276, "copy_file_range": 285},
}
BY_DESCRIPTOR = {"write", "pwrite64", "writev", "fsync", "fdatasync", "ftruncate", "fchmod", "sendfile", "fallocate"}

TRACEME, SYSCALL, SETOPTIONS, GET_SYSCALL_INFO = 0, 24, 0x4200, 0x420E
SYSGOOD, TRACECLONE, EXITKILL = 1, 8, 0x100000
ENTRY = 1
WALL = 0x40000000

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


class SyscallInfo(ctypes.Structure):
    _fields_ = [("op", ctypes.c_uint8), ("pad", ctypes.c_uint8 * 3), ("arch", ctypes.c_uint32),
                ("instruction", ctypes.c_uint64), ("stack", ctypes.c_uint64), ("number", ctypes.c_uint64),
                ("arguments", ctypes.c_uint64 * 6), ("more", ctypes.c_uint64 * 2)]


def ptrace(request, pid, address=0, data=0):
    return libc.ptrace(request, pid, address, data)


class Tracer:
    """Runs a program and kills it at its n-th call that changes a file below `folder`; 0 never does."""

    def __init__(self, folder, kill_at):
        self.folder = folder
        self.kill_at = kill_at
        self.names = {number: name for name, number in CALLS[platform.machine()].items()}
        self.counts = collections.Counter()
        self.killed_at = None

    def changes_file(self, name, pid, arguments):
        if name in BY_DESCRIPTOR:
            try:
                return os.readlink(f"/proc/{pid}/fd/{arguments[0]}").startswith(self.folder)
            except OSError:
                return False
        if name in ("open", "openat"):
            return arguments[1 if name == "open" else 2] & os.O_CREAT != 0
        return True

    def look(self, pid, tid):
        info = SyscallInfo()
        if ptrace(GET_SYSCALL_INFO, tid, ctypes.sizeof(info), ctypes.addressof(info)) <= 0 or info.op != ENTRY:
            return
        name = self.names.get(info.number)
        if name is None or self.killed_at or not self.changes_file(name, pid, info.arguments):
            return
        self.counts[name] += 1
        if self.counts.total() == self.kill_at:
            self.killed_at = name
            os.kill(pid, signal.SIGKILL)

    def run(self, words, environment, output):
        pid = os.fork()
        if pid == 0:
            with open(output, "wb") as file:
                os.dup2(file.fileno(), 1)
                os.dup2(file.fileno(), 2)
            ptrace(TRACEME, 0)
            os.execve(words[0], words, environment)
        os.waitpid(pid, 0)
        ptrace(SETOPTIONS, pid, 0, SYSGOOD | TRACECLONE | EXITKILL)
        ptrace(SYSCALL, pid)
        known = {pid}
        while True:
            tid, status = os.waitpid(-1, WALL)
            if os.WIFEXITED(status) or os.WIFSIGNALED(status):
                if tid == pid:
                    return os.waitstatus_to_exitcode(status)
                continue
            number = os.WSTOPSIG(status)
            if number == signal.SIGTRAP | 0x80:
                self.look(pid, tid)
                number = 0
            elif status >> 16:  # a thread was made
                number = 0
            elif tid not in known:  # its first stop
                known.add(tid)
                number = 0
            ptrace(SYSCALL, tid, 0, number)


class Lab:
    """A home, a workspace and a plan of their own."""

    def __init__(self, dlperf, root):
        self.dlperf = dlperf
        self.root = root
        self.home = os.path.join(root, "home")
        self.workspace = os.path.join(root, "w")
        self.environment = {"HOME": self.home, "PATH": os.environ["PATH"]}
        os.mkdir(self.home)
        plan = {"name": "faults", "recipes": ["toy", "toy-first"], "topologies": ["1n1g"], "batch_sizes": [8],
                "warmup": 1, "train": 4, "timeout_s": 60,
                "options": {"toy": {"seconds": "0.01"}, "toy-first": {"behaviour": "crash", "seconds": "0"}}}
        cluster = {"name": "here", "nodes": [{"name": "this", "local": True, "devices": 1}]}
        for name, content in (("plan", plan), ("cluster", cluster)):
            with open(os.path.join(root, name + ".json"), "w", encoding="utf-8") as file:
                json.dump(content, file)
        self.run_words = [dlperf, "run", os.path.join(root, "plan.json"), "--cluster",
                          os.path.join(root, "cluster.json"), "--recipes", os.path.join(SOURCE, "tests/run/recipes"),
                          "--workspace", self.workspace, "--grace", "0.5"]

    def call(self, *words):
        return subprocess.run([self.dlperf, *words, "--workspace", self.workspace], env=self.environment,
                              capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL)

    def files(self):
        """What is in the workspace. A campaign without campaign.json never began, and what a write that was cut
        short left beside its target is read by nobody."""
        found = []
        for folder, _, names in os.walk(self.workspace):
            parts = os.path.relpath(folder, self.workspace).split(os.sep)
            if parts[0] == "campaigns" and len(parts) > 1:
                if not os.path.exists(os.path.join(self.workspace, *parts[:2], "campaign.json")):
                    continue
                parts[1] = "<campaign>"
            found += [os.sep.join([*parts, name]) for name in names if not re.search(r"\.\w{6}$", name)
                      or name.endswith(".sqlite")]
        return found

    def results(self):
        """Sentences that are the same after every run that ended as it should."""
        status = json.loads(self.call("status", "--json").stdout)["campaigns"]
        runs = [" ".join(str(run[field]) for field in ("outcome", "reason", "repetition", "throughput", "state")) +
                " " + os.path.relpath(run["folder"] or ".", self.workspace) for campaign in status for run in campaign["runs"]]
        report = os.path.join(self.root, "report.csv")
        said = self.call("report", "-o", report).stderr.replace(self.root, "<root>")
        with open(report, encoding="utf-8") as file:
            rows = re.sub(r"\d{8}-\d{6}-\w{7}", "<campaign>", file.read()).splitlines()
        return collections.Counter([f"{len(status)} campaigns", "report said " + said, *runs, *rows, *self.files()])

    def left_behind(self):
        """Processes and locks that should be gone."""
        left = []
        for entry in os.listdir("/proc"):
            try:
                with open(f"/proc/{entry}/environ", "rb") as file:
                    if f"HOME={self.home}".encode() in file.read().split(b"\0"):
                        left.append(f"process {entry}")
            except OSError:
                pass
        locks = os.path.join(self.home, "dlperf/locks")
        left += [f"node lock {name}" for name in (os.listdir(locks) if os.path.isdir(locks) else [])]
        if os.path.exists(os.path.join(self.workspace, "lock")):
            left.append("workspace lock")
        return left


def began(lab):
    campaigns = os.path.join(lab.workspace, "campaigns")
    return os.path.isdir(campaigns) and any(
        os.path.exists(os.path.join(campaigns, name, "campaign.json")) for name in os.listdir(campaigns))


def undisturbed(dlperf, root):
    lab = Lab(dlperf, root)
    tracer = Tracer(root, 0)
    code = tracer.run(lab.run_words, lab.environment, os.path.join(root, "output"))
    results = lab.results()
    assert code == 1 and sum(line.startswith(("ok ", "failed ")) for line in results) == 2, (code, results)
    assert not lab.left_behind(), lab.left_behind()
    return tracer.counts, results


def one_round(dlperf, parent, number, expected):
    """Returns the call that the program was killed at, or None, and what was wrong afterwards."""
    root = os.path.join(parent, str(number))
    os.mkdir(root)
    lab = Lab(dlperf, root)
    tracer = Tracer(root, number)
    tracer.run(lab.run_words, lab.environment, os.path.join(root, "output"))
    wrong = []
    if tracer.killed_at:
        if began(lab):
            resumed = lab.call("resume")
        else:  # nothing was promised yet: the user starts the plan again
            resumed = subprocess.run(lab.run_words, env=lab.environment, capture_output=True, text=True, timeout=120,
                                     check=False, stdin=subprocess.DEVNULL)
        again = lab.call("resume")
        if resumed.returncode not in (0, 1) or again.returncode != 0:
            wrong.append(f"codes {resumed.returncode}, {again.returncode}: {resumed.stderr}{again.stderr}")
        try:
            results = lab.results()
        except (OSError, ValueError) as error:
            results = collections.Counter([f"no results: {error}"])
        wrong += [f"missing: {line}" for line in expected - results]
        wrong += [f"too much: {line}" for line in results - expected]
        wrong += lab.left_behind()
    if not wrong:
        shutil.rmtree(root)
    return number, tracer.killed_at, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("dlperf", help="the program")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="only every N-th call")
    parser.add_argument("--first", type=int, default=1, metavar="N", help="begin at the N-th call")
    parser.add_argument("--last", type=int, metavar="N", help="end there")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="rounds at a time")
    parser.add_argument("--keep", action="store_true", help="keep the folders of the rounds that failed")
    options = parser.parse_args()
    if platform.machine() not in CALLS:
        print(f"skipped: the numbers of {platform.machine()}'s system calls are not known here")
        return 77
    dlperf = os.path.abspath(options.dlperf)
    parent = tempfile.mkdtemp(prefix="dlperf-faults-")
    os.mkdir(os.path.join(parent, "undisturbed"))
    counts, expected = undisturbed(dlperf, os.path.join(parent, "undisturbed"))
    print(f"an undisturbed run makes {counts.total()} such calls:",
          ", ".join(f"{count} {name}" for name, count in sorted(counts.items())), flush=True)
    numbers = range(options.first, (options.last or counts.total()) + 1, options.sample)
    killed = collections.Counter()
    failures = 0
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        rounds = [pool.submit(one_round, dlperf, parent, number, expected) for number in numbers]
        for done in concurrent.futures.as_completed(rounds):
            number, name, wrong = done.result()
            killed[name or "not reached"] += 1
            if wrong:
                failures += 1
                print(f"call {number}, {name}: " + "; ".join(wrong).replace("\n", " / "), flush=True)
    print(f"killed at {sum(killed.values())} calls:",
          ", ".join(f"{count} {name}" for name, count in sorted(killed.items())))
    print(f"{failures} failures" + (f", see {parent}" if failures and options.keep else ""))
    if not (failures and options.keep):
        shutil.rmtree(parent)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
