#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The whole main job by mouse, in the real program on a real X server: a plan is chosen and started; its queue is
paused, cancelled and taken back; a run is skipped, retried and excluded; the figures are seen as charts and as a pivot
table; the report's sections are moved and it is exported. Finds what to click by the names that screen readers are
told, and clicks with xdotool; prints what it does. After each click it looks again: what was clicked stands where it
stood, and nothing else came under the pointer for the next click to hit. Started by robot.sh: robot.py DASHBOARD
WORKSPACE"""
import subprocess
import sys
import time
from pathlib import Path

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

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


def box_of(node):
    box = node.get_extents(Atspi.CoordType.SCREEN)
    return box.x, box.y, box.width, box.height


def under(x, y):
    """The names of the buttons at a place of the screen."""
    names = []

    def look(node):
        if node.get_role_name() == "push button":
            left, top, width, height = box_of(node)
            if left <= x < left + width and top <= y < top + height:
                names.append(node.get_name())
        return False

    search(Atspi.get_desktop(0), look)
    return names


def check_place(node, name, box, point, becomes):
    """Between two clicks nothing moves: the control is where it was, or gone without another in its place."""
    try:
        if visible(node) and node.get_name().startswith(name) and box_of(node) != box:
            raise SystemExit(f"robot: {name!r} moved from {box} to {box_of(node)} under the pointer")
    except GLib.Error:
        pass  # it went with its page
    others = [found for found in under(*point) if not found.startswith((name, *becomes))]
    if others:
        raise SystemExit(f"robot: after {name!r} the next click would hit {others}")


def click(name, role=None, button=1, times=1, becomes=()):
    """becomes: names that may stand in its place afterwards."""
    node = wait_for(name, role)
    box, (x, y) = box_of(node), middle(node)
    print(f"click {name!r} at {x},{y}" + (f", {times} times button {button}" if times > 1 else ""), flush=True)
    mouse("mousemove", x, y)
    time.sleep(0.15)
    for _ in range(times):
        mouse("click", button)
        time.sleep(0.15)
    time.sleep(0.3)
    check_place(node, name, box, (x, y), becomes)


def drag(name, above):
    """A list item above another one."""
    from_x, from_y = middle(wait_for(name, "list item"))
    x, y, _, _ = box_of(wait_for(above, "list item"))
    print(f"drag {name!r} above {above!r}", flush=True)
    mouse("mousemove", from_x, from_y, "mousedown", 1)
    for step in range(1, 6):
        mouse("mousemove", from_x, from_y + (y + 2 - from_y) * step // 5)
        time.sleep(0.1)
    mouse("mouseup", 1)
    time.sleep(0.5)


def main():
    dashboard, workspace = sys.argv[1], Path(sys.argv[2])
    program = subprocess.Popen([dashboard, "--workspace", str(workspace)])
    try:
        do_the_job(workspace)
    finally:
        program.terminate()
        program.wait(20)


def logs_of(workspace):
    return list(workspace.glob("logs/*/*/*/*.log"))


def launch():
    click("Launch", "check box")
    click("Repetitions", "spin button")
    click("Repetitions", "spin button", button=5, times=2)  # the wheel: 3, 2, 1
    wait_for("Start 2 runs", "push button")
    click("List")
    click("Matrix")
    click("Start 2 runs", "push button")


def steer(workspace):
    """Pause, cancel, skip, and each of them taken back; then a run that was skipped runs after all."""
    click("Pause queue", "push button", becomes=["Resume"])
    click("Resume", "push button", becomes=["Pause queue"])
    wait_for("Pause queue", "push button", "the running queue")
    click("Cancel all", "push button")
    click("Undo", "push button")
    click("dlperf-worker 1n2g", "list item")
    click("Cancel run", "push button")
    click("Undo", "push button")
    click("Cancel run", "push button")
    wait_until(lambda: len(logs_of(workspace)) == 1, "the end of the first run")
    wait_for("See comparison", "push button")
    click("Retry", "push button")
    wait_until(lambda: len(logs_of(workspace)) == 2, "the end of both runs")
    wait_for("See comparison", "push button")


def exclude():
    click("Exclude", "push button", becomes=["Include again"])
    click("Undo", "push button")


def compare():
    click("Compare", "check box")
    wait_for("dlperf-worker", "table cell", "the figures in the table")
    click("Pivot", "check box")
    wait_for("Pivot table", "table", "the pivot table")
    click("Charts", "check box")


def export(workspace):
    click("Report", "check box")
    drag("Method", above="Summary")
    click("Next page", "push button")
    click("Export", "push button")
    report = wait_until(lambda: list(workspace.parent.glob("**/report.html")), "the report")[0]
    text = report.read_text()
    if "dlperf-worker" not in text:
        raise SystemExit("robot: the report says nothing of the runs")
    if not 0 < text.find('id="method"') < text.find('id="summary"'):
        raise SystemExit("robot: the section that was dragged stands where it stood")
    print(f"report: {report.name}, {report.stat().st_size} bytes")


def do_the_job(workspace):
    launch()
    steer(workspace)
    exclude()
    compare()
    export(workspace)


if __name__ == "__main__":
    main()
