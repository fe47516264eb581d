# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # the variables are those of bench_gpu.sh, which sources this
# Running a program within its time and the whole run's, and the rows that tell what came of it.

# The last line, but of a Python's the exception: PyTorch has advice after it.
last_words() {
  grep -E '^[A-Za-z_.]+(Error|Exception|Failed): ' "$1" | tail -n 1 | grep . || tail -n 1 "$1"
}

# limited NEED LIMIT NAME COMMAND…: runs it for LIMIT seconds at most, where the budget has NEED left. Its output goes
# to $logs/NAME.out and .err; on failure `why` says in a few words what was the matter.
limited() {
  local need=$1 limit=$2 name=$3 left=$((budget - SECONDS)) code=0 part
  shift 3
  why=""
  if ((left < need)); then
    why="left out: takes about $need s, $((left > 0 ? left : 0)) s were left"
    return 125
  fi
  ((limit > left)) && limit=$left
  timeout -k 10 "$limit" "$@" >"$logs/$name.out" 2>"$logs/$name.err" </dev/null &
  running=$!
  wait "$running" || code=$?
  running=""
  case $code in
    0) ;;
    124 | 137) why="not done within $limit s" ;;
    *)
      why="failed ($code): $(last_words "$logs/$name.err" | tr '|`' "/'" | cut -c 1-160)"
      for part in Gloo oneDNN NCCL; do # what a build may be without is no failure
        grep -q "configured without $part" "$logs/$name.err" && why="no $part"
      done ;;
  esac
  return "$code"
}

# prepared NEED KEY COMMAND…: at its first start for a precision and a shape the worker times cuDNN's plans for each
# convolution, which may take minutes, and keeps the fastest on the disk. A run that nobody measures takes that out of
# the limits, and out of the figures, of what follows.
#
# Where a plan ends the process, or hangs for half of the time that is left, the worker passes over it at its next start,
# which finds what it had chosen by then. Where processes end all the same, the fused ones are done without.
prepared() {
  local key=$2 try code limit
  [[ $backend == cpu || -n ${plans[$key]:-} ]] && return
  for try in 1 2 3; do
    code=0 limit=$(((budget - SECONDS) / 2))
    limited "$1" $((limit < 900 ? limit : 900)) "plans-$key" "${@:3}" || code=$?
    ((code == 0)) && { plans[$key]=yes; return; }
    ((code == 1 || code == 124 || (code > 128 && code != 137))) || break
    if ((try == 2 && code != 124)); then
      export DLPERF_WORKER_FUSION=never
      echo "  without fused convolutions from here on: $why"
    fi
  done
  why="preparing: $why"
  return 1
}

# What fails and succeeds when it is tried again has not failed.
begin() {
  seen[$1]=yes
  unset "broken[$1]"
}

note_failure() { # NAME WHY
  case ${2#preparing: } in
    "left out"* | "no "*) ;;
    *) broken[$1]=yes ;;
  esac
}

wanted() { [[ ,$stages, == *,$1,* ]]; }

# A row is a file, so that a later run, of other stages, finds it.
put_row() {
  local name=$1
  shift
  printf '%s\n' "$*" >"$rows/$name"
  printf '%s\n' "$*"
  write_section "$*"
}

# A row that is there need not be measured again, but one that was left out or had too little time: what it has found
# of cuDNN's plans is kept, so that another try has more.
is_done() {
  local missing='left out|not done within'
  [[ -e $rows/$1 ]] || return 1
  if [[ -z ${seen[$1]:-} ]]; then
    [[ -n ${continuing:-} ]] || return 1
    missing+='|failed \(' # earlier, with what may be mended by now
  fi
  ! grep -qE "$missing" "$rows/$1"
}
