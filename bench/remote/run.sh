#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What the connections to nodes must hold, measured on this machine alone, as one table: 64 and 512 nodes reached beside
# pdsh and clush, one log brought home beside `ssh cat` (on the disk and in memory), 64 and 512 logs followed at once. Client and
# servers share the processors, so nothing else should run. What each bench says goes to standard error.
# Usage: bench/remote/run.sh [BUILD]
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=${1:-$here/../../build}
for program in dlperf bench_remote_log bench_remote_follow; do
  [ -x "$build/bin/$program" ] || { echo "not built: $build/bin/$program" >&2; exit 2; }
done

missed=0
# row WHAT FIGURE MOST|LEAST LIMIT: a row of the table, "-" where there is no figure.
row() {
  local verdict
  verdict=$(awk -v figure="$2" -v kind="$3" -v limit="$4" \
    'BEGIN {print figure != "" && (kind == "most" ? figure + 0 <= limit : figure + 0 >= limit) ? "ok" : "MISSED"}')
  [ "$verdict" = ok ] || missed=1
  rows+=$(printf '%-52s %8s   %s %-5s  %s' "$1" "${2:--}" "at $3" "$4" "$verdict")$'\n'
}
say() { tee -a /dev/stderr; }
rows=

reach=$("$here/reach.sh" "$build" | say | awk '/^ratio/ {print $2 + 0}')
disk=$("$build/bin/bench_remote_log" | say | awk '/^median ratio/ {print $3}')
memory=$(TMPDIR=/dev/shm "$build/bin/bench_remote_log" | say | awk '/^median ratio/ {print $3}')
read -r late cores < <("$build/bin/bench_remote_follow" | say | awk 'END {print $6, $8}')
read -r many times < <("$here/reach.sh" "$build" 3 512 | say | awk '/^ratio/ {ratio = $2 + 0} /^64 of them/ {times = $(NF - 3)} END {print ratio, times}')
read -r many_late many_cores many_memory < <("$build/bin/bench_remote_follow" 512 20 | say | awk 'END {print $6, $8, $9}')

row "64 nodes reached: time over that of pdsh -f 64" "$reach" most 0.5
row "512 nodes reached: time over that of pdsh -f 512" "${many:-}" most 0.5
row "512 nodes reached: time over that of 64 of them" "${times:-}" most 8
row "one log: speed over that of ssh cat, on the disk" "$disk" least 0.75
row "one log: speed over that of ssh cat, in memory" "$memory" least 0.75
row "64 logs, 200 lines/s each: written to here, p99, ms" "${late:-}" most 250
row "64 logs, 200 lines/s each: our processor cores" "${cores:-}" most 1
row "512 logs, 20 lines/s each: written to here, p99, ms" "${many_late:-}" most 150
row "512 logs, 20 lines/s each: our processor cores" "${many_cores:-}" most 1
row "512 logs, 20 lines/s each: memory, MiB" "${many_memory:-}" most 256
printf '\n%s' "$rows"
exit "$missed"
