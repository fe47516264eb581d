#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# All fuzzers at once, each for SECONDS of a core: a crash, a leak, a hang or too much memory fails, and what caused it
# is kept in BUILD/fuzz. Built by `cmake --preset fuzz && cmake --build --preset fuzz`.
# Usage: tests/fuzz/run.sh [SECONDS [BUILD]]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
seconds=${1:-60}
build=$(cd "${2:-$here/../../build-fuzz}" && pwd)
targets=(fuzz_log fuzz_formats fuzz_import)
folder=$build/fuzz

rm -rf "$folder"
mkdir -p "$folder"
"$here/make_corpus.py" "$folder/seeds"

cores=$(nproc)
[ "$cores" -lt ${#targets[@]} ] && seconds=$((seconds * ${#targets[@]} / cores))
running=()
for target in "${targets[@]}"; do
  mkdir "$folder/$target"
  "$build/bin/$target" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=512 -max_len=150000 -verbosity=0 \
    -print_final_stats=1 -dict="$folder/seeds/words.txt" -artifact_prefix="$folder/$target-" \
    "$folder/$target" "$folder/seeds/$target" >"$folder/$target.log" 2>&1 &
  running+=($!)
done

failed=0
for i in "${!targets[@]}"; do
  log=$folder/${targets[i]}.log
  if wait "${running[i]}"; then
    printf '%s: %s inputs in %s s, peak %s MiB\n' "${targets[i]}" \
      "$(awk '/number_of_executed_units/ {print $2}' "$log")" "$seconds" "$(awk '/peak_rss_mb/ {print $2}' "$log")"
  else
    failed=1
    tail -n 60 "$log" >&2
    echo "${targets[i]}: failed; what did it: $folder/${targets[i]}-*" >&2
  fi
done
exit "$failed"
