#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the keychain's test on a session bus of its own, with a keyring that is made for it and unlocked.
# Exit code 77: this machine has no keyring service, so nothing was tested.
set -euo pipefail
test_program=$1 test_class=$2
for tool in dbus-run-session gnome-keyring-daemon; do
  command -v "$tool" >/dev/null || { echo "keychain.sh: there is no $tool" >&2; exit 77; }
done
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export HOME=$home XDG_DATA_HOME=$home/data XDG_CONFIG_HOME=$home/config XDG_RUNTIME_DIR=$home/run
mkdir -m 700 "$XDG_RUNTIME_DIR"
unset XDG_CURRENT_DESKTOP DISPLAY WAYLAND_DISPLAY
# The daemon ends with its bus.
DLPERF_SECRET_SERVICE=1 dbus-run-session -- bash -c '
  printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null || exit 77
  exec "$1" "$2"' keychain "$test_program" "$test_class"
