#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Our log view beside glogg, on the same log of ten million lines, in turn, in the same run.

Both are looked at from outside, alike: they run on an X server of their own (Xvfb -fbdir) whose picture is read
from memory, keys come from xdotool, and what a process does is told by its own CPU time in /proc.

  first paint      from exec until 12 lines of text stand in the middle of the window
  index complete   from exec until the process has been idle for 1.5 s
  jump to the end  from the key until the picture changed (only once the index is complete)
  search           from Return (glogg) or the last letter (ours, which waits 150 ms for more) until idle
  memory           VmHWM, the peak: once indexed, and after everything

A program that does not come to its point within two minutes has no figure there, nor in what follows. Below it, the
same search without a window, beside grep -E and ripgrep, best of five in turn.

The file is in the page cache. Needs: Xvfb, xdotool, glogg (Debian packages); ripgrep is left out where it is missing.
Asserts nothing.
"""
import argparse
import mmap
import os
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

AREA = (150, 500, 120, 500)  # x0, x1, y0, y1: text in both windows
IDLE = 1.5  # s
LONGEST = 120  # s, of one step
PATTERN = "Time +0.4[0-9]+.*loss spike"


class Late(Exception):
    pass


def waiting(pause):
    """Turns of a loop that waits, for LONGEST at most."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        yield
        time.sleep(pause)
    raise Late(f"not within {LONGEST} s")


class Screen:
    """The picture of an Xvfb, as it is in memory."""

    def __init__(self, display, folder):
        self.server = subprocess.Popen(
            ["Xvfb", display, "-screen", "0", "1280x800x24", "-fbdir", folder, "-nolisten", "tcp"],
            stderr=subprocess.DEVNULL)
        path = Path(folder) / "Xvfb_screen0"
        while not path.exists() or path.stat().st_size == 0:
            time.sleep(0.05)
        time.sleep(0.5)
        self.memory = mmap.mmap(os.open(path, os.O_RDONLY), 0, prot=mmap.PROT_READ)
        header = struct.unpack(">25I", self.memory[:100])
        self.line = header[12]
        self.begin = header[0] + header[19] * 12

    def rows(self):
        x0, x1, y0, y1 = AREA
        for y in range(y0, y1):
            at = self.begin + y * self.line
            yield self.memory[at + x0 * 4:at + x1 * 4]

    def picture(self):
        return b"".join(self.rows())

    def text_lines(self):
        """Groups of rows that are not of one colour, told apart by rows that are."""
        lines, inside = 0, False
        for row in self.rows():
            ink = row != row[:4] * (len(row) // 4)
            lines += ink and not inside
            inside = ink
        return lines

    def close(self):
        self.server.terminate()
        self.server.wait()


class Program:
    def __init__(self, screen, display, command, home):
        self.screen = screen
        self.display = display
        environment = {**os.environ, "DISPLAY": display, "HOME": home, "QT_QPA_PLATFORM": "xcb"}
        self.start = time.monotonic()
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)

    def cpu(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def peak(self):
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024

    def until_text(self):
        for _ in waiting(0.002):
            if self.process.poll() is not None:
                sys.exit(f"{self.process.args[0]} ended")
            if self.screen.text_lines() >= 12:
                return time.monotonic() - self.start
        return None

    def until_idle(self, since):
        """The last moment at which it took more CPU time than a timer takes, even on a loaded machine."""
        samples = [(time.monotonic(), self.cpu())]
        busy = samples[0][0]
        for _ in waiting(0.05):
            samples.append((time.monotonic(), self.cpu()))
            if samples[-1][1] - samples[max(0, len(samples) - 10)][1] >= 0.02 and samples[-1][1] > samples[-2][1]:
                busy = samples[-1][0]
            if time.monotonic() - busy >= IDLE:
                return busy - since
        return None

    def key(self, *keys):
        subprocess.run(["xdotool", "key", *keys], env={**os.environ, "DISPLAY": self.display}, check=True)

    def type(self, text):
        subprocess.run(["xdotool", "type", "--delay", "1", text],
                       env={**os.environ, "DISPLAY": self.display}, check=True)

    def click(self, x, y):
        subprocess.run(["xdotool", "mousemove", str(x), str(y), "click", "1"],
                       env={**os.environ, "DISPLAY": self.display}, check=True)

    def until_change(self, before, begin):
        while self.screen.picture() == before and time.monotonic() - begin < 30:
            pass
        return time.monotonic() - begin

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        time.sleep(0.3)


def measure(screen, display, command, home, is_glogg):
    """What was seen before it was late, if it was: the figures, and why there are no more."""
    for _ in waiting(0.05):  # the window before is still going away
        if screen.text_lines() == 0:
            break
    # Under the pointer glogg paints what it has indexed so far; elsewhere only when the index is complete.
    subprocess.run(["xdotool", "mousemove", "400", "300"], env={**os.environ, "DISPLAY": display}, check=True)
    program, figures, why = Program(screen, display, command, home), {}, ""
    try:
        use(program, screen, figures, is_glogg)
    except Late as late:
        why = f"after {list(figures)[-1] if figures else 'its start'}: {late}"
    program.close()
    return figures, why


def use(program, screen, figures, is_glogg):
    figures["first paint, s"] = program.until_text()
    figures["index complete, s"] = program.until_idle(program.start)
    figures["peak memory, indexed, MiB"] = program.peak()
    program.click(300, 300)
    time.sleep(0.5)
    before, begin = screen.picture(), time.monotonic()
    program.key("shift+g" if is_glogg else "End")
    figures["jump to the end, s"] = program.until_change(before, begin)
    time.sleep(0.5)
    if is_glogg:
        program.click(500, 562)
    else:
        program.key("ctrl+f")
    time.sleep(0.3)
    program.type(PATTERN)
    begin = time.monotonic()
    if is_glogg:
        program.key("Return")
    figures["regex search, s"] = program.until_idle(begin)
    figures["peak memory, all, MiB"] = program.peak()


def seconds(command):
    begin = time.monotonic()
    subprocess.run(command, stdout=subprocess.PIPE, check=True)  # with /dev/null grep ends at the first
    return time.monotonic() - begin


def search_alone(folder, log):
    """The search without a window and the index before it, beside those that read the file from its begin."""
    found = {"ours": [], "grep -E": [], "ripgrep": []}
    for _ in range(5):
        ours = subprocess.run([str(folder / "bench_log_search"), log, PATTERN], capture_output=True, text=True, check=True)
        found["ours"].append(float(ours.stdout.split()[0]))
        found["grep -E"].append(seconds(["grep", "-cE", PATTERN, log]))
        if shutil.which("rg"):
            found["ripgrep"].append(seconds(["rg", "-c", PATTERN, log]))
    best = {name: min(values) for name, values in found.items() if values}
    print("regex search alone, s       " + ", ".join(f"{name} {value:.3f}" for name, value in best.items()) +
          f"; ours to grep's {best['ours'] / best['grep -E']:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default="build/bin", help="where bench_log_window is")
    parser.add_argument("--lines", type=int, default=10_000_000)
    parser.add_argument("--log", help="an existing log, else one is made")
    parser.add_argument("--display", default=":77")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    ours = str(Path(options.bin) / "bench_log_window")
    with tempfile.TemporaryDirectory(prefix="dlperf-log-bench") as folder:
        log = options.log or f"{folder}/training.log"
        if not options.log:
            subprocess.run([ours, "--make", log, str(options.lines)], check=True)
        with open(log, "rb") as file:
            while file.read(1 << 24):
                pass
        screen = Screen(options.display, folder)
        found = {"ours": [], "glogg": []}
        for _ in range(options.rounds):
            for name, command in (("ours", [ours, log]), ("glogg", ["glogg", log])):
                # A home of its own each time: glogg opens again what it had open.
                with tempfile.TemporaryDirectory(prefix="dlperf-log-home") as home:
                    figures, why = measure(screen, options.display, command, home, name == "glogg")
                found[name].append(figures)
                print(name, {key: round(value, 3) for key, value in figures.items()}, why, flush=True)
        screen.close()
        report(options, log, found)
        search_alone(Path(options.bin), log)


def report(options, log, found):
    print(f"{Path(log).name}, medians of {options.rounds} rounds; load {os.getloadavg()[0]:.1f}")
    print(f"{'':28}{'ours':>10}{'glogg':>10}{'ratio':>8}")
    for name in max((one for rounds in found.values() for one in rounds), key=len):
        values = [[one[name] for one in found[key] if name in one] for key in ("ours", "glogg")]
        if all(values):
            own, other = map(statistics.median, values)
            print(f"{name:28}{own:10.3f}{other:10.3f}{own / other:8.2f}")
        else:
            print(f"{name:28}" + "".join(f"{statistics.median(v):10.3f}" if v else f"{'late':>10}" for v in values))


if __name__ == "__main__":
    main()
