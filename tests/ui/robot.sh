#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# robot.sh BINFOLDER mouse|keys: an X server, a session bus and the accessibility bus of its own for robot.py.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
bin=$(readlink -f "$1")
home=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$home"' EXIT

# A number of this process's own: a server that looks for a free one by itself takes no lock, and two runs at a time
# took the same. It writes the number once it listens. Without -noreset it starts anew when its last client leaves it: the
# accessibility bus looks in for a moment, and a program that comes right after it was turned away.
mkfifo "$home/display"
Xvfb ":$((1000 + $$ % 50000))" -displayfd 3 -screen 0 1440x900x24 -nolisten tcp -noreset 3>"$home/display" 2>/dev/null &
server=$!
read -r number <"$home/display"
export DISPLAY=":$number" HOME="$home" XDG_RUNTIME_DIR="$home" XDG_CONFIG_HOME="$home/.config" LC_ALL=C.UTF-8
export QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 QT_QPA_PLATFORM=xcb
unset DBUS_SESSION_BUS_ADDRESS WAYLAND_DISPLAY
dbus-run-session -- bash -c '
  /usr/libexec/at-spi-bus-launcher --launch-immediately 2>/dev/null & bus=$!
  sleep 1
  /usr/bin/python3 "$1/robot.py" "$2/dlperf-dashboard" "$HOME/w" "$3"; code=$?
  kill "$bus" 2>/dev/null
  exit "$code"' robot "$here" "$bin" "$2"
