#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Time from the start of the process to the first picture: the dashboard with 10,000 results in its workspace
# beside hotspot, glogg and labplot (Debian packages), under one Xvfb, in turns (A-B-A), as medians and ratios.
# Usage: bench/startup/run.sh [BUILD [ROUNDS]]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=${1:-$here/../../build}
rounds=${2:-7}
results=10000

for program in Xvfb hotspot glogg labplot2; do
  command -v "$program" >/dev/null || { echo "missing: $program (apt-get install xvfb hotspot glogg labplot)" >&2; exit 2; }
done
for program in first_paint make_workspace dlperf-dashboard; do
  [ -x "$build/bin/$program" ] || { echo "not built: $build/bin/$program" >&2; exit 2; }
done

folder=$(mktemp -d)
export DISPLAY=:88 HOME=$folder/home XDG_RUNTIME_DIR=$folder/run QT_QPA_PLATFORM=xcb LC_ALL=C.UTF-8
mkdir -p "$HOME" "$XDG_RUNTIME_DIR" "$folder/screen"
chmod 700 "$HOME" "$XDG_RUNTIME_DIR"
Xvfb "$DISPLAY" -screen 0 1600x1000x24 -fbdir "$folder/screen" -nolisten tcp >/dev/null 2>&1 &
display=$!
trap 'kill $display; wait $display 2>/dev/null; rm -rf "$folder"' EXIT
for _ in $(seq 100); do [ -S "/tmp/.X11-unix/X${DISPLAY#:}" ] && break; sleep 0.05; done

"$build/bin/make_workspace" "$folder/w" --results "$results"

paint() {
  case $1 in
    dashboard) set -- "$build/bin/dlperf-dashboard" --workspace "$folder/w" ;;
    hotspot) set -- hotspot ;;
    glogg) set -- glogg ;;
    labplot) set -- labplot2 --no-splash ;;
  esac
  "$build/bin/first_paint" "$folder/screen/Xvfb_screen0" "$@" 2>>"$folder/errors" || echo failed
}

# Once each, unmeasured: caches of files, fonts and the workspace's index.
for program in dashboard hotspot glogg labplot; do paint "$program" >/dev/null; done
for ((round = 0; round < rounds; ++round)); do
  for other in hotspot glogg labplot; do
    for program in dashboard "$other" dashboard; do
      echo "$program $(paint "$program")" >>"$folder/times"
    done
  done
done

if grep -q failed "$folder/times"; then
  grep "showed nothing" "$folder/errors" >&2
  exit 1
fi
median() { grep "^$1 " "$folder/times" | cut -d' ' -f2 | sort -n | awk '{a[NR] = $1} END {print (a[int((NR + 1) / 2)] + a[int(NR / 2) + 1]) / 2}'; }
own=$(median dashboard)
printf 'first picture, median of %d (dashboard: %d), %d results in the workspace\n' "$rounds" $((rounds * 6)) "$results"
printf '%-10s %6.0f ms\n' dashboard "$own"
for other in hotspot glogg labplot; do
  time=$(median "$other")
  awk -v own="$own" -v other="$time" -v name="$other" \
    'BEGIN {printf "%-10s %6.0f ms   dashboard takes %.2f of it\n", name, other, own / other}'
done
