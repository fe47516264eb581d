#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What a line of a format costs `dlperf analyze`: instructions and branch misses, from the processor's counters
# (perf stat) where it lets us, else simulated (callgrind). Of two logs of different size, so that what the start of
# the program costs does not count. Prints "INSTRUCTIONS MISSES", or "- -" where neither program is there.
# Usage: bench/analysis/instructions.sh BUILD FORMAT WARMUP FOLDER (for the logs; emptied afterwards)
set -euo pipefail
build=$1 format=$2 warmup=$3 folder=$4

counted_by_perf() {
  perf stat -x ' ' -e instructions:u,branch-misses:u -o "$folder/counts" "$@" >/dev/null
  awk '/instructions/ {i = $1} /branch-misses/ {m = $1} END {print i, m}' "$folder/counts"
}
counted_by_callgrind() {
  valgrind --tool=callgrind --branch-sim=yes --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null |
    tr -d , | awk '/I +refs:/ {i = $NF} /Mispredicts:/ {m = $3} END {print i, m}'
}

if perf stat -x ' ' -e instructions:u true 2>&1 | grep -q '^[0-9]'; then
  count=counted_by_perf sizes='32 96'
elif command -v valgrind >/dev/null; then
  count=counted_by_callgrind sizes='4 12'
else
  echo "- -"
  exit 0
fi
if [ "$format" = which ]; then  # which program counts
  echo "${count#counted_by_}"
  exit 0
fi

mkdir -p "$folder/1n1g"
for mib in $sizes; do
  read -r lines last < <("$build/bin/make_log" "$format" "$mib" "$folder/1n1g/r50_b128_fp32_1.log")
  echo "$lines $("$count" "$build/bin/dlperf" analyze "$folder" --format "$format" --warmup "$warmup" --train "$last")"
done | awk 'NR == 1 {lines = $1; i = $2; m = $3}
            END {printf "%.0f %.2f\n", ($2 - i) / ($1 - lines), ($3 - m) / ($1 - lines)}'
rm -rf "$folder"
