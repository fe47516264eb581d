#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# How fast logs become figures, as one table: for each format whose trainer writes a line an iteration, one long log
# whose window ends at its last line, `dlperf analyze` beside `wc -l` and, where --dlperf names a checkout of
# Oneflow-Inc/DLPerf, beside its Python extractor; then a tree of 10,000 short logs beside `cat`. The files are in the
# page cache; wall times and processor seconds are the best of ROUNDS, in turns (A-B-A). Python runs once, on the same
# log or, with --quick, on one of an eighth of the size, its time scaled but for that of its start; PYTHON=... names one
# that has numpy. Nothing else should run.
# Usage: bench/analysis/run.sh [--mib N] [--rounds N] [--formats "NAME NAME..."] [--dlperf CHECKOUT [--quick]] [BUILD]
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$here/../../build mib=1024 rounds=5 formats='' checkout='' quick=''
while [ $# -gt 0 ]; do
  case $1 in
    --mib) mib=$2; shift ;;
    --rounds) rounds=$2; shift ;;
    --formats) formats=$2; shift ;;
    --dlperf) checkout=$(cd "$2" && pwd) || exit 2; shift ;;
    --quick) quick=yes ;;
    -*) sed -n 's/^# Usage: //p' "$0" >&2; exit 2 ;;
    *) build=$1 ;;
  esac
  shift
done
build=$(cd "$build" && pwd) || exit 2
for program in dlperf make_log measured; do
  [ -x "$build/bin/$program" ] || { echo "not built: $build/bin/$program" >&2; exit 2; }
done
if [ -n "$checkout" ] && ! "${PYTHON:-python3}" -c 'import numpy' 2>/dev/null; then
  echo "missing: numpy, for DLPerf's extractors (PYTHON=... names a Python that has it)" >&2
  exit 2
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
needed=$((mib + mib / 8 + 512))
if [ "$(df --output=avail -m "$folder" | tail -n 1)" -lt "$needed" ]; then
  echo "no room: $needed MiB in $folder (TMPDIR=... names another place)" >&2
  exit 2
fi
[ "$(awk '/^MemAvailable/ {print int($2 / 1024)}' /proc/meminfo)" -gt $((mib + 512)) ] ||
  echo "little memory: the log may not stay in the page cache" >&2

# within FIGURE most|least LIMIT: the table's word for a bound.
within() {
  awk -v figure="$1" -v kind="$2" -v limit="$3" 'BEGIN {
    if (figure !~ /^[0-9]/) print "-"; else print (kind == "most" ? figure + 0 <= limit : figure + 0 >= limit) ? "ok" : "MISSED"}'
}
ratio() { awk -v a="$1" -v b="$2" 'BEGIN {if (a ~ /^[0-9]/ && b > 0) printf "%.2f", a / b; else print "-"}'; }

# race FILE OURS... -- PEER...: both in turns; what was measured goes to FILE.ours and FILE.peer.
race() {
  local file=$1 ours=() round
  shift
  while [ "$1" != -- ]; do ours+=("$1"); shift; done
  shift
  for ((round = 0; round < rounds; ++round)); do
    "$build/bin/measured" "${ours[@]}" >>"$file.ours"
    "$build/bin/measured" "$@" >>"$file.peer"
    "$build/bin/measured" "${ours[@]}" >>"$file.ours"
  done 2>/dev/null
}
least() { cut -d' ' -f"$2" "$1" | sort -n | head -n 1; }
most() { cut -d' ' -f"$2" "$1" | sort -n | tail -n 1; }

# python_seconds FORMAT WARMUP LAST: of DLPerf's script, "-" where there is none.
python_seconds() {
  local logs=$folder/logs last=$3 share=1 seconds starting
  [ -n "$checkout" ] || { echo -; return; }
  if [ -n "$quick" ]; then
    logs=$folder/eighth share=8
    mkdir -p "$logs/1n1g"
    read -r _ last < <("$build/bin/make_log" "$1" $((mib / share)) "$logs/1n1g/r50_b128_fp32_1.log")
  fi
  starting=$("$build/bin/measured" "${PYTHON:-python3}" -c 'import numpy')
  seconds=$("$build/bin/measured" "$here/extractor.sh" "$checkout" "$1" "$logs" "$folder/results" "$2" "$last" 2>"$folder/python.err")
  case $? in
    0) awk -v all="$seconds" -v start="$starting" -v share="$share" 'BEGIN {printf "%.1f", (all - start) * share + start}' ;;
    3) echo - ;;
    *) tail -n 1 "$folder/python.err" >&2; echo failed ;;
  esac
  rm -rf "$folder/eighth"
}

layout='%-30s %9s %6s  %7s %7s %6s %6s %-6s  %8s %7s %-6s  %7s %7s %-6s  %6s %6s %7s\n'
long_log() {
  local format=$1 warmup=20 lines last wc ours python peak most_peak
  [ "$format" = mxnet-bert ] && warmup=100  # its extractor takes no less
  mkdir -p "$folder/logs/1n1g"
  local log=$folder/logs/1n1g/r50_b128_fp32_1.log
  read -r lines last < <("$build/bin/make_log" "$format" "$mib" "$log")
  sync -d "$log"
  local analyze=("$build/bin/dlperf" analyze "$folder/logs" --format "$format" --warmup "$warmup" --train "$last")
  "${analyze[@]}" --json "$folder/ours.json" >/dev/null 2>&1  # unmeasured: the cache
  grep -q '"average_speed": [0-9]*[1-9]' "$folder/ours.json" || echo "$format: no figure" >&2
  race "$folder/long" "${analyze[@]}" -- wc -l "$log"
  wc=$(least "$folder/long.peer" 1) ours=$(least "$folder/long.ours" 1) peak=$(most "$folder/long.ours" 2)
  most_peak=$(awk -v values="$((last - warmup))" 'BEGIN {printf "%.1f", 64 + values * 8 / 1048576}')
  python=$(python_seconds "$format" "$warmup" "$last")
  if [ -z "$quick" ] && [ -f "$folder/results/logs_result.json" ] &&
     ! cmp -s "$folder/results/logs_result.json" "$folder/ours.json"; then
    echo "$format: not DLPerf's figures" >&2
  fi
  read -r instructions misses < <("$here/instructions.sh" "$build" "$format" "$warmup" "$folder/counted")
  # shellcheck disable=SC2059
  printf "$layout" "$format" "$lines" "$(($(stat -c %s "$log") >> 20))" "$wc" "$ours" "$(least "$folder/long.ours" 4)" "$(ratio "$ours" "$wc")" \
    "$(within "$(ratio "$ours" "$wc")" most 4)" "$python" "$(ratio "$python" "$ours")" \
    "$(within "$(ratio "$python" "$ours")" least 60)" "$peak" "$most_peak" "$(within "$peak" most "$most_peak")" \
    "$instructions" "$misses" "$(most "$folder/long.ours" 3)"
  rm -rf "$folder"/{logs,results,long.*}
}

# 8 topologies of 1,250 logs of 130 lines.
make_tree() {
  local topology
  for topology in 1n1g 1n2g 1n4g 1n8g 2n8g 3n8g 4n8g 1n16g; do
    mkdir -p "$folder/tree/$topology"
    "$build/bin/make_log" pytorch-examples 24 "$folder/piece" >/dev/null
    grep Epoch "$folder/piece" | head -n $((1250 * 130)) |
      split -l 130 -d -a 4 --additional-suffix=.log - "$folder/tree/$topology/r50_b128_fp32_"
    rm "$folder/piece"
  done
  sync
}

tree() {
  make_tree
  cd "$folder/tree" || exit 1
  cat ./*/*.log >/dev/null
  race "$folder/short" "$build/bin/dlperf" analyze . --format pytorch-examples -- cat ./*/*.log
  local ours cat
  ours=$(least "$folder/short.ours" 1) cat=$(least "$folder/short.peer" 1)
  printf '\n%d logs of 130 lines: cat %s s, dlperf %s s, ratio %s (at most 2) %s; peak %s MiB\n' \
    "$(find . -name '*.log' | wc -l)" "$cat" "$ours" "$(ratio "$ours" "$cat")" \
    "$(within "$(ratio "$ours" "$cat")" most 2)" "$(most "$folder/short.ours" 2)"
}

printf 'best of %d; dlperf/wc at most 4, Python/dlperf at least 60, peak MiB at most 64 + 8 bytes a value\n' "$rounds"
[ -z "$quick" ] || echo "Python: on a log of an eighth of the size; its time, less that of its start, times 8"
echo "instructions and branch misses a line: $("$here/instructions.sh" "$build" which "" "$folder/counted")"
# shellcheck disable=SC2059
printf "$layout" format lines MiB "wc s" "dlperf s" "cpu s" /wc "" "Python s" /dlperf "" "peak" "at most" "" instr. misses faults
for format in ${formats:-$("$build/bin/make_log")}; do long_log "$format"; done
tree
