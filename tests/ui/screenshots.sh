#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every place in every state as PNG, to be looked at: light, dark, at 200 %, in a small and in a large window;
# empty, broken, still reading, 10,000 results, 1,000 runs at work, 200 nodes. Needs no display.
# Usage: tests/ui/screenshots.sh FOLDER [BUILD]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mkdir -p "$1" && cd "$1" && pwd)
build=${2:-$here/../../build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work/home XDG_RUNTIME_DIR=$work/run LC_ALL=C.UTF-8
mkdir -p "$HOME" "$XDG_RUNTIME_DIR"
chmod 700 "$HOME" "$XDG_RUNTIME_DIR"

make() { "$build/bin/make_workspace" "$work/$1" "${@:2}"; }
shoot() { # state, name of the pictures' folder, more options
  "$build/bin/dlperf-dashboard" --workspace "$work/$1" --screenshots "$folder/$2" "${@:3}"
}

mkdir "$work/empty"
make broken --broken
make results --results 10000
make nodes --nodes 200
# A runner has to hold the workspace while its pictures are taken.
sleep 600 > >("$build/bin/make_workspace" "$work/runs" --runs 1000 --hold >"$work/made") & holder=$!
trap 'kill $holder 2>/dev/null || true; rm -rf "$work"' EXIT
until grep -q made "$work/made" 2>/dev/null; do sleep 0.1; done

for state in empty broken results runs nodes; do
  for theme in light dark; do
    shoot "$state" "$state-$theme" --theme "$theme"
  done
done
for state in empty runs; do
  QT_SCALE_FACTOR=2 shoot "$state" "$state-200" --theme light
  QT_SCALE_FACTOR=2 shoot "$state" "$state-200-dark" --theme dark
done
for state in runs results nodes; do
  shoot "$state" "$state-small" --theme light --size 1024x700
  shoot "$state" "$state-large" --theme light --size 2560x1440
done
QT_QPA_PLATFORM=offscreen DLPERF_PICTURES="$folder/loading" "$build/bin/test_ui" LoadingTest >/dev/null
echo "pictures in $folder"
