#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The whole main job in the real program on a real X server: a plan is chosen and started; its queue is paused,
cancelled and taken back; a run is skipped, retried and excluded; the figures are seen as charts and as a pivot table;
the report's sections are moved and it is exported. Once by mouse alone, once by keys alone: finds what to use by the
names that screen readers are told, acts with xdotool, prints what it does. After each click the mouse looks again: what
was clicked stands where it stood, and nothing else came under the pointer for the next click to hit. Started by
robot.sh: robot.py DASHBOARD WORKSPACE mouse|keys"""
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


def xdotool(*words):
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


class Mouse:
    def press(self, name, role="push button", becomes=()):
        """becomes: names that may stand in its place afterwards."""
        node = wait_for(name, role)
        box, (x, y) = box_of(node), middle(node)
        print(f"click {name!r} at {x},{y}", flush=True)
        xdotool("mousemove", x, y)
        time.sleep(0.15)
        xdotool("click", 1)
        time.sleep(0.45)
        check_place(node, name, box, (x, y), becomes)

    def open_page(self, name):
        self.press(name, "check box")

    def switch(self, name, to):
        del name
        self.press(to, "check box")

    def lower(self, name, times):
        self.press(name, "spin button")
        xdotool("key", *["Down"] * times)  # the wheel scrolls the page

    def start(self, name):
        self.press(name)

    def pick(self, item, where):
        del where
        self.press(item, "list item")

    def undo(self):
        self.press("Undo")

    def raise_item(self, name, above, where):
        """A list item above another one."""
        del where
        from_x, from_y = middle(wait_for(name, "list item"))
        x, y, _, _ = box_of(wait_for(above, "list item"))
        print(f"drag {name!r} above {above!r}", flush=True)
        xdotool("mousemove", from_x, from_y, "mousedown", 1)
        for step in range(1, 6):
            xdotool("mousemove", from_x, from_y + (y + 2 - from_y) * step // 5)
            time.sleep(0.1)
        xdotool("mouseup", 1)
        time.sleep(0.5)


class Keys:
    """Tab goes to a control; what has the focus then is told by the accessibility bus."""

    PAGES = ["Cluster", "Launch", "Runs", "Compare", "Report"]
    MOST_STOPS = 120

    def __init__(self):
        self.focus = None
        self.listener = Atspi.EventListener.new(self.take)
        self.listener.register("object:state-changed:focused")
        self.listener.register("object:active-descendant-changed")
        wait_for("DLPerf", "frame")
        window = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "DLPerf"], check=True,
                                capture_output=True, text=True).stdout.split()[-1]
        xdotool("windowfocus", "--sync", window)

    def take(self, event):
        if event.type.startswith("object:active-descendant"):
            self.focus = event.any_data or self.focus
        elif event.detail1:
            self.focus = event.source

    def key(self, *keys, patience=0.12):
        """Waits until the focus has moved, or for so many seconds."""
        for key in keys:
            before = self.focus
            xdotool("key", key)
            end = time.monotonic() + patience
            while time.monotonic() < end and self.focus == before:
                GLib.MainContext.default().iteration(False)
                time.sleep(0.002)

    def has_focus(self, name, role):
        try:
            return (self.focus is not None and self.focus.get_name().startswith(name)
                    and role in (None, self.focus.get_role_name()))
        except GLib.Error:  # it went with its page
            return False

    def tab_to(self, name, role=None):
        wait_for(name, role)
        self.tab_until(lambda: self.has_focus(name, role), name)

    def tab_until(self, is_there, name):
        for _ in range(self.MOST_STOPS):
            if is_there():
                return
            self.key("Tab")
        raise SystemExit(f"robot: Tab does not come to {name!r}")

    def press(self, name, role="push button", becomes=()):
        del becomes
        self.tab_to(name, role)
        print(f"press {name!r}", flush=True)
        self.key("space")
        time.sleep(0.3)

    def open_page(self, name):
        print(f"open {name!r}", flush=True)
        self.key(f"ctrl+{self.PAGES.index(name) + 1}")

    def switch(self, name, to):
        """A row of switches is one stop of Tab; arrows move within it, and choose."""
        row = wait_for(to, "check box").get_parent()
        self.tab_until(lambda: self.focus is not None and self.focus.get_parent() == row, name)
        print(f"switch {name!r} to {to!r}", flush=True)
        for arrow in ["Right"] * 6 + ["Left"] * 6:
            if self.has_focus(to, "check box"):
                return
            self.key(arrow, patience=1)
        raise SystemExit(f"robot: no arrow comes to {to!r}")

    def lower(self, name, times):
        self.tab_to(name, "spin button")
        print(f"lower {name!r}", flush=True)
        self.key(*["Down"] * times)

    def start(self, name):
        print(f"start {name!r}", flush=True)
        self.key("ctrl+Return")

    def pick(self, item, where):
        self.tab_to(where, "list")
        print(f"pick {item!r}", flush=True)
        self.key("Home")
        for _ in range(20):
            if wait_for(item, "list item").get_state_set().contains(Atspi.StateType.SELECTED):
                return
            self.key("Down")
        raise SystemExit(f"robot: no arrow comes to {item!r}")

    def undo(self):
        wait_for("Undo", "push button")
        print("undo", flush=True)
        self.key("ctrl+z")
        time.sleep(0.3)

    def raise_item(self, name, above, where):
        self.pick(name, where)
        print(f"raise {name!r} above {above!r}", flush=True)
        for _ in range(20):
            if box_of(wait_for(name, "list item"))[1] < box_of(wait_for(above, "list item"))[1]:
                return
            self.key("alt+Up")
        raise SystemExit(f"robot: {name!r} does not go above {above!r}")


def main():
    dashboard, workspace, by = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    program = subprocess.Popen([dashboard, "--workspace", str(workspace)])
    try:
        do_the_job(Keys() if by == "keys" else Mouse(), workspace)
    finally:
        program.terminate()
        program.wait(20)


def logs_of(workspace):
    return list(workspace.glob("logs/*/*/*/*.log"))


def launch(hand):
    hand.open_page("Launch")
    hand.lower("Repetitions", 2)  # 3, 2, 1
    wait_for("Start 2 runs", "push button")
    hand.switch("Runs", to="List")
    hand.switch("Runs", to="Matrix")
    hand.start("Start 2 runs")


def steer(hand, workspace):
    """Pause, cancel, skip, and each of them taken back; then a run that was skipped runs after all. While the queue
    is paused the second run waits, however slow the hand is."""
    hand.press("Pause queue", becomes=["Resume"])
    hand.press("Cancel all")
    hand.undo()
    hand.pick("dlperf-worker 1n2g", where="Runs")
    hand.press("Cancel run")
    hand.undo()
    hand.press("Cancel run")
    hand.press("Resume", becomes=["Pause queue"])
    wait_until(lambda: len(logs_of(workspace)) == 1, "the end of the first run")
    wait_for("See comparison", "push button")
    hand.press("Retry")
    wait_until(lambda: len(logs_of(workspace)) == 2, "the end of both runs")
    wait_for("See comparison", "push button")


def exclude(hand):
    hand.press("Exclude", becomes=["Include again"])
    hand.undo()


def compare(hand):
    hand.open_page("Compare")
    wait_for("dlperf-worker", "table cell", "the figures in the table")
    hand.switch("View", to="Pivot")
    wait_for("Pivot table", "table", "the pivot table")
    hand.switch("View", to="Charts")


def export(hand, workspace):
    hand.open_page("Report")
    hand.raise_item("Method", above="Summary", where="Sections")
    hand.press("Next page")
    hand.press("Export")
    report = wait_until(lambda: list(workspace.parent.glob("**/report.html")), "the report")[0]
    text = report.read_text()
    if "dlperf-worker" not in text:
        raise SystemExit("robot: the report says nothing of the runs")
    if not 0 < text.find('id="method"') < text.find('id="summary"'):
        raise SystemExit("robot: the section that was moved stands where it stood")
    print(f"report: {report.name}, {report.stat().st_size} bytes")


def do_the_job(hand, workspace):
    launch(hand)
    steer(hand, workspace)
    exclude(hand)
    compare(hand)
    export(hand, workspace)


if __name__ == "__main__":
    main()
