#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The whole main job by mouse, in the real program on a real X server: a plan is chosen and started, its runs are
watched, their figures are compared and exported. Finds what to click by the names that screen readers are told, and
clicks with xdotool; prints what it does. Started by robot.sh: robot.py DASHBOARD WORKSPACE"""
import subprocess
import sys
import time
from pathlib import Path

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

PATIENCE = 240  # seconds; reached only when something is broken


def wait_until(look, what):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.2)
    raise SystemExit(f"robot: {what} was never seen")


def children(node):
    try:
        count = node.get_child_count()
    except Exception:  # the node went while it was asked
        return
    for index in range(min(count, 400)):
        try:
            child = node.get_child_at_index(index)
        except Exception:
            continue
        if child is not None:
            yield child


def visible(node):
    states = node.get_state_set()
    return states.contains(Atspi.StateType.SHOWING) and states.contains(Atspi.StateType.VISIBLE)


def search(node, matches, depth=0):
    for child in children(node):
        try:
            if not visible(child) and depth > 0:
                continue
            if matches(child):
                return child
        except Exception:
            continue
        found = search(child, matches, depth + 1)
        if found is not None:
            return found
    return None


def wait_for(name, role=None, what=None):
    """The visible element whose name begins with `name`."""

    def matches(node):
        return node.get_name().startswith(name) and role in (None, node.get_role_name())

    return wait_until(lambda: search(Atspi.get_desktop(0), matches), what or f"{name!r}")


def middle(node):
    box = node.get_extents(Atspi.CoordType.SCREEN)
    return box.x + box.width // 2, box.y + box.height // 2


def mouse(*words):
    subprocess.run(["xdotool", *map(str, words)], check=True)


def click(name, role=None, button=1, times=1):
    x, y = middle(wait_for(name, role))
    print(f"click {name!r} at {x},{y}" + (f", {times} times button {button}" if times > 1 else ""), flush=True)
    mouse("mousemove", x, y)
    time.sleep(0.15)
    for _ in range(times):
        mouse("click", button)
        time.sleep(0.15)
    time.sleep(0.3)


def main():
    dashboard, workspace = sys.argv[1], Path(sys.argv[2])
    program = subprocess.Popen([dashboard, "--workspace", str(workspace)])
    try:
        do_the_job(workspace)
    finally:
        program.terminate()
        program.wait(20)


def do_the_job(workspace):
    click("Launch", "check box")
    click("Repetitions", "spin button")
    click("Repetitions", "spin button", button=5, times=2)  # the wheel: 3, 2, 1
    wait_for("Start 2 runs", "push button")
    click("List")
    click("Matrix")
    click("Start 2 runs", "push button")
    wait_for("Pause", "push button", "the running queue")
    wait_until(lambda: len(list(workspace.glob("logs/*/*/*/*.log"))) == 2, "the end of both runs")
    click("Compare", "check box")
    wait_for("dlperf-worker", "table cell", "the figures in the table")
    click("Report", "check box")
    click("Export", "push button")
    wait_until(lambda: list(workspace.parent.glob("**/*.html")), "the report")
    report = list(workspace.parent.glob("**/*.html"))[0]
    if "dlperf-worker" not in report.read_text():
        raise SystemExit("robot: the report says nothing of the runs")
    print(f"report: {report.name}, {report.stat().st_size} bytes")


if __name__ == "__main__":
    main()
