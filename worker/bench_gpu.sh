#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds dlperf-worker, checks its numbers against PyTorch's and measures how fast both are on this machine's GPU.
# Each row is printed as it ends, and the GPU's section of BENCHMARKS.md is written after each, so an interrupted run
# has left what it saw. The most important comes first. `worker/bench_gpu.sh --help` says more.
set -uo pipefail

usage() {
  cat <<'TEXT'
usage: worker/bench_gpu.sh [options]

  --minutes N     leave out, from the end, what would not fit (without it nothing is left out)
  --stages LIST   of numerics,throughput,checks,breakdown,batches; other rows stay as an earlier run left them
  --backend cpu   a dry run: small, on the CPU, and BENCHMARKS.md is left alone
  --no-write      leave BENCHMARKS.md alone
  --build DIR     where to build (build-gpu beside worker/; build-gpu-cpu for the dry run)
  --programs DIR  do not build: the programs are there
  --results DIR   rows and logs (results in the build folder)
  --plan          print what a GPU's section would say with nothing measured, and end
  --help          show this text

Needs the CUDA toolkit, cuDNN 9 (CUDNN_ROOT names its folder where it is in neither the system nor PyTorch's wheel) and
Python 3.10; PyTorch for the comparison (PYTHON=… names the Python that has it). Of several GPUs it takes the first, or
the one in CUDA_VISIBLE_DEVICES. Exit codes: 0 all went well, 1 a check or a stage failed, 2 usage.
TEXT
}

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
python=${PYTHON:-python3}
backend=cuda budget=1000000 stages=numerics,throughput,checks,breakdown,batches chosen=""
write=yes build="" programs="" results="" plan="" failed=0 running=""
[[ -x /usr/local/cuda/bin/nvcc ]] && PATH=$PATH:/usr/local/cuda/bin
export CUDA_VISIBLE_DEVICES=${CUDA_VISIBLE_DEVICES:-0}
export CUDA_VISIBLE_DEVICES=${CUDA_VISIBLE_DEVICES%%,*}

complain() {
  echo "bench_gpu.sh: $1 (--help lists the options)" >&2
  exit 2
}

parse_arguments() {
  local stage=${stages//,/|}
  while (($# > 0)); do
    case $1 in
      --help) usage; exit 0 ;;
      --no-write) write=""; shift; continue ;;
      --plan) plan=yes; shift; continue ;;
      --minutes | --stages | --backend | --build | --programs | --results) ;;
      *) complain "unknown option '$1'" ;;
    esac
    (($# > 1)) || complain "$1 needs a value"
    case $1 in
      --minutes)
        [[ $2 =~ ^[1-9][0-9]{0,3}$ ]] || complain "--minutes must be a whole number from 1 to 9999, not '$2'"
        budget=$((60 * $2)) ;;
      --stages)
        [[ $2 =~ ^(($stage),)*($stage)$ ]] ||
          complain "--stages must be some of $stages, not '$2'"
        chosen=yes stages=$2 ;;
      --backend)
        [[ $2 == cpu || $2 == cuda ]] || complain "--backend must be cpu or cuda, not '$2'"
        backend=$2 ;;
      --build) build=$2 ;;
      --programs) programs=$2 ;;
      --results) results=$2 ;;
    esac
    shift 2
  done
}

# What there is to do, most important first. Gradients: precision, statistics, images, pixels.
# Rows: precision, images of a batch.
set_plan() {
  if [[ $backend == cuda ]]; then
    gradients=("fp16 batch 64 224" "fp32 frozen 16 96" "fp16 frozen 16 96" "bf16 batch 64 224" "bf16 frozen 16 96"
      "tf32 frozen 16 96" "tf32 batch 64 224" "fp32 batch 64 224")
    rows_first=("fp16 256") rows_next=("bf16 256" "tf32 256")
    rows_last=("fp16 128" "fp16 512" "fp16 64" "bf16 128" "tf32 128" "fp32 128")
    checks=(backends curve-fp32 curve-fp16 ranks memcheck racecheck)
    modes=(eager compile max-autotune) classes=100 curve=(200 16 64)
    pixels=224 warmup=20 iterations=100 torch_iterations=100
  else
    gradients=("fp32 frozen 4 64" "fp32 batch 4 64" "bf16 frozen 4 64" "bf16 batch 4 64")
    rows_first=("fp32 4") rows_next=("bf16 4") rows_last=("fp32 2")
    checks=(curve-fp32 ranks) modes=(eager compile max-autotune) classes=10 curve=(10 4 64)
    pixels=64 warmup=2 iterations=5 torch_iterations=5
  fi
}

# --- running, within limits

trap '[[ -n $running ]] && kill "$running" 2>/dev/null; exit 130' INT TERM

# limited NEED LIMIT NAME COMMAND…: runs it for LIMIT seconds at most, where the budget has NEED left. Its output goes
# to $logs/NAME.out and .err; on failure `why` says in a few words what was the matter.
limited() {
  local need=$1 limit=$2 name=$3 left=$((budget - SECONDS)) code=0
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
    *) why="failed ($code): $(tail -n 1 "$logs/$name.err" | tr '|`' "/'" | cut -c 1-160)" ;;
  esac
  return "$code"
}

wanted() { [[ ,$stages, == *,$1,* ]]; }

# A row is a file, so that a later run, of other stages, finds it.
put_row() {
  local name=$1
  shift
  printf '%s\n' "$*" >"$rows/$name"
  printf '%s\n' "$*"
  write_section
}

# A row that is there need not be measured again, but one that was left out.
is_done() { [[ -e $rows/$1 && -n ${seen[$1]:-} ]] && ! grep -q 'left out' "$rows/$1"; }

# --- environment and build

query_gpu() {
  nvidia-smi -i "$CUDA_VISIBLE_DEVICES" --query-gpu="$1" --format=csv,noheader,nounits 2>/dev/null | head -n 1
}

name_device() {
  if [[ $backend == cuda ]]; then
    device=$(query_gpu name)
  else
    device="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) threads"
  fi
  device=${device:-unknown}
}

torch_fact() { "$python" -c "import torch; print($1)" 2>/dev/null; }

# cuDNN of PyTorch's wheel, where the system has none.
cudnn_root() {
  if [[ -n ${CUDNN_ROOT:-} ]]; then
    echo "$CUDNN_ROOT"
  elif ! compgen -G '/usr/include/cudnn_graph.h' >/dev/null && ! compgen -G '/usr/include/*/cudnn_graph.h' >/dev/null &&
    ! compgen -G '/usr/local/cuda/include/cudnn_graph.h' >/dev/null; then
    "$python" -c 'import nvidia.cudnn as c; print(list(c.__path__)[0])' 2>/dev/null
  fi
}

worker_libraries() {
  local line
  line=$(grep -hm 1 '^# libraries: ' "$logs"/*worker*.out 2>/dev/null | head -n 1)
  echo "${line#'# libraries: '}"
}

write_environment() {
  local libraries
  libraries=$(worker_libraries)
  {
    echo "$(date -u +%F), $device${driver:+, driver $driver}${toolkit:+, CUDA toolkit $toolkit}."
    echo "dlperf-worker${commit:+ at $commit}${libraries:+ with $libraries}; ${torch_version:-no PyTorch}."
  } >"$results/environment.md"
}

find_environment() {
  driver="" toolkit="" torch_version=""
  if [[ $backend == cuda ]]; then
    driver=$(query_gpu driver_version)
    toolkit=$(nvcc --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p')
  fi
  torch_version=$(torch_fact "f'PyTorch {torch.__version__}' + (f' with CUDA {torch.version.cuda} and cuDNN ' \
    f'{torch.backends.cudnn.version()}' if torch.version.cuda else '')")
  write_environment
  cat "$results/environment.md"
}

build_worker() {
  local options=(-DCMAKE_BUILD_TYPE=Release) capability root
  if [[ $backend == cuda ]]; then
    capability=$(query_gpu compute_cap)
    root=$(cudnn_root)
    options+=(-DDLPERF_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES="${capability//./}" ${root:+-DCUDNN_ROOT="$root"})
  else
    options+=(-DDLPERF_CUDA=OFF)
  fi
  echo "building in $build …"
  # A folder of another checkout, or configured by another CMake, would only be in the way.
  limited 1 300 configure cmake -S "$here" -B "$build" "${options[@]}" &&
    limited 1 1200 build cmake --build "$build" -j "$(nproc)"
}

# --- numerics

check_command() { # IMAGES PIXELS OPTION…
  command=("$programs/dlperf-worker-check" --backend "$backend" --classes "$classes" --label-smoothing 0.1
    --batch-size "$1" --image-size "$2" --threads "$threads" "${@:3}")
}

# compare_row NAME WHAT COLUMNS ARGUMENTS…: the rows that compare.py prints, or one that says why there are none.
compare_row() {
  local name=$1 what=$2 columns=$3
  shift 3
  if limited 5 300 "$name-compare" "$python" "$here/check/compare.py" "$@"; then
    put_row "$name" "$(<"$logs/$name-compare.out")"
  elif [[ -s $logs/$name-compare.out ]]; then
    failed=1
    put_row "$name" "$(<"$logs/$name-compare.out")"
  else
    empty_row "$name" "$what" "$columns" "$why"
  fi
}

# empty_row NAME WHAT COLUMNS WHY: a failure, unless it was left out on purpose.
empty_row() {
  [[ $4 == "left out"* || $4 == "no "* ]] || failed=1
  put_row "$1" "| $2 | dlperf-worker $backend |$(printf ' |%.0s' $(seq "$3")) $4 |"
}

# NEED RESERVE PRECISION STATISTICS IMAGES PIXELS
check_gradients() {
  local need=$(($1 + $2)) name="gradients-$3-$4" what="$3, $4 statistics, $5 images, $6 px" output="$scratch/$3-$4"
  is_done "$name" && return
  seen[$name]=yes
  local frozen=()
  [[ $4 == frozen ]] && frozen=(--frozen-norm)
  check_command "$5" "$6" --precision "$3" "${frozen[@]}" --output "$output"
  if [[ -z $torch_version ]]; then
    empty_row "$name" "$what" 4 "no PyTorch"
  elif limited "$need" 180 "$name" "${command[@]}"; then
    compare_row "$name" "$what" 4 torch "$output"
  else
    empty_row "$name" "$what" 4 "$why"
  fi
  rm -f "$output" "$output.f32"
}

# All gradients that leave RESERVE seconds for what is more important.
numerics() {
  local item
  for item in "${gradients[@]}"; do
    # shellcheck disable=SC2086 # words on purpose
    check_gradients 40 "$1" $item
  done
}

check_curve() { # PRECISION
  local name="curve-$1" output="$scratch/curve-$1" what="$1, ${curve[0]} steps"
  check_command "${curve[1]}" "${curve[2]}" --precision "$1" --steps "${curve[0]}" --batches 4 --output "$output"
  if [[ -z $torch_version ]]; then
    empty_row "$name" "$what" 3 "no PyTorch"
  elif limited 60 180 "$name" "${command[@]}"; then
    compare_row "$name" "$what" 3 torch "$output"
  else
    empty_row "$name" "$what" 3 "$why"
  fi
}

# The CUDA backend against the CPU's, which its own tests hold against PyTorch's double precision.
check_backends() {
  local what="fp32, frozen statistics"
  check_command 16 96 --frozen-norm --output "$scratch/cuda"
  limited 60 180 backends-cuda "${command[@]}" || { empty_row backends "$what" 4 "$why"; return; }
  check_command 16 96 --frozen-norm --output "$scratch/cpu" --backend cpu
  limited 30 180 backends-cpu "${command[@]}" || { empty_row backends "$what" 4 "$why"; return; }
  compare_row backends "$what" 4 files "$scratch/cuda" "$scratch/cpu"
}

# Two processes, on one GPU, each with half of the batch. Batch statistics would differ by the share: they are frozen.
check_ranks() {
  local what="fp32, two processes" comm=()
  [[ $backend == cuda ]] && comm=(--comm gloo)
  # shellcheck disable=SC2016 # for the inner shell
  local both='RANK=0 "$@" --output "$0.0" & RANK=1 "$@" --output "$0.1"; other=$?; wait $! && exit $other'
  check_command 8 64 --frozen-norm --output "$scratch/one"
  limited 60 180 ranks-one "${command[@]}" || { empty_row ranks "$what" 4 "$why"; return; }
  check_command 4 64 --frozen-norm --comm-timeout 60 "${comm[@]}"
  limited 30 180 ranks-two env WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$((20000 + RANDOM % 10000)) \
    bash -c "$both" "$scratch/two" "${command[@]}" || { empty_row ranks "$what" 4 "$why"; return; }
  compare_row ranks "$what" 4 files "$scratch/two.0" "$scratch/one"
}

check_sanitizer() { # TOOL
  local sanitizer
  if ! sanitizer=$(command -v compute-sanitizer); then
    put_row "$1" "| compute-sanitizer $1 | no compute-sanitizer |"
    return
  fi
  check_command 2 32 --precision fp16 --output "$scratch/$1"
  if limited 120 400 "$1" "$sanitizer" --tool "$1" --error-exitcode 9 "${command[@]}"; then
    put_row "$1" "| compute-sanitizer $1 | clean |"
  else
    [[ $why == "left out"* ]] || failed=1
    [[ $why == failed* ]] && why="$why $(grep -hE 'ERROR SUMMARY|Device not supported' "$logs/$1.out" | tail -n 1)"
    put_row "$1" "| compute-sanitizer $1 | $why |"
  fi
}

other_checks() {
  local name
  for name in "${checks[@]}"; do
    is_done "$name" && continue
    seen[$name]=yes
    case $name in
      curve-*) check_curve "${name#curve-}" ;;
      memcheck | racecheck) check_sanitizer "$name" ;;
      backends) check_backends ;;
      ranks) check_ranks ;;
    esac
    rm -f "$scratch"/*
  done
}

# --- throughput

# Images a second of all iterations after the warm-up together, from the worker's log.
speed_in_log() {
  awk -v warmup="$warmup" -v batch="$2" '/^iteration / { for (i = 1; i < NF; ++i) if ($i == "time") t = $(i + 1)
    if (++n > warmup) { sum += t; ++count } } END { if (sum > 0) printf "%.1f", count * batch / sum }' "$1"
}

# Each measurement adds a line to $rows/NAME.speeds: who, and images a second or what was the matter.
note_speed() { # PRECISION IMAGES WHO WHAT
  printf '%s\t%s\n' "$3" "$4" >>"$rows/speed-$1-$2.speeds"
  echo "  $1, batch $2, $3: $4"
  speed_row "$1" "$2" >"$rows/speed-$1-$2"
  write_section
}

run_worker() { # PRECISION IMAGES NUMBER
  local name="speed-$1-$2" command=("$programs/dlperf-worker" --backend "$backend" --precision "$1" --batch-size "$2"
    --image-size "$pixels" --threads "$threads" --iterations $((warmup + iterations)))
  if limited 30 240 "$name-worker-$3" "${command[@]}"; then
    note_speed "$1" "$2" worker "$(speed_in_log "$logs/$name-worker-$3.out" "$2")"
  else
    [[ $why == "left out"* ]] || failed=1
    note_speed "$1" "$2" worker "$why"
  fi
}

run_torch() { # PRECISION IMAGES MODE
  local name="speed-$1-$2" out="$logs/speed-$1-$2-$3.out" need=40 speed
  local command=("$python" "$here/bench_torch.py" --mode "$3" --precision "$1" --batch-size "$2" --image-size "$pixels"
    --warmup "$warmup" --iterations "$torch_iterations" --device "$backend" --threads "$threads")
  [[ $3 == compile ]] && need=90
  [[ $3 == max-autotune ]] && need=150
  if [[ -z $torch_version ]]; then
    note_speed "$1" "$2" "$3" "no PyTorch"
  elif limited "$need" 420 "$name-$3" "${command[@]}"; then
    speed=$(sed -n 's/.*"images_per_second": \([0-9.]*\).*/\1/p' "$out")
    note_speed "$1" "$2" "$3" "$(printf '%.1f' "$speed")"
  elif grep -q '"missing"' "$out"; then
    note_speed "$1" "$2" "$3" "not in this PyTorch: $(sed -n 's/.*"missing": "\([^"]*\)".*/\1/p' "$out")"
  else
    [[ $why == "left out"* ]] || failed=1
    note_speed "$1" "$2" "$3" "$why"
  fi
}

speeds_of() { [[ ! -e $rows/speed-$1-$2.speeds ]] || cat "$rows/speed-$1-$2.speeds"; }

# The row of all that is measured so far.
speed_row() { # PRECISION IMAGES
  speeds_of "$1" "$2" | awk -F '\t' -v precision="$1" -v batch="$2" -v modes="${modes[*]}" -v backend="$backend" '
    function cell(text) { return text == "" ? "not measured" : text }
    $1 == "worker" && $2 ~ /^[0-9.]+$/ {
      sum += $2; ++n
      if (n == 1 || $2 < low) low = $2
      if ($2 > high) high = $2
      next
    }
    $1 == "worker" { trouble = $2; next }
    { other[$1] = $2; if ($2 ~ /^[0-9.]+$/ && $2 > best) best = $2 }
    END {
      goal["fp16"] = 1.15; goal["bf16"] = 1.05; goal["tf32"] = 1.03
      mean = n ? sum / n : 0
      printf "| %s | %d | %s | %s |", precision, batch, n ? sprintf("%.1f", mean) : cell(trouble),
        (n > 1) ? sprintf("%.1f %% of %d", 100 * (high - low) / mean, n) : ""
      count = split(modes, names, " ")
      for (i = 1; i <= count; ++i) printf " %s |", cell(other[names[i]])
      ratio = n && best ? mean / best : 0
      printf " %s |", ratio ? sprintf("%.3f", ratio) : "not measured"
      if (!(precision in goal) || backend == "cpu") printf " |\n"
      else printf " %.2f%s |\n", goal[precision], ratio ? (ratio >= goal[precision] ? ": met" : ": missed") : ""
    }'
}

# The worker before and after each of PyTorch's modes: what the machine does to one it does to the other.
measure_speed() { # PRECISION IMAGES
  local name="speed-$1-$2" mode number=1
  is_done "$name" && return
  seen[$name]=yes
  rm -f "$rows/$name.speeds"
  run_worker "$1" "$2" "$number"
  for mode in "${modes[@]}"; do
    run_torch "$1" "$2" "$mode"
    tail -n 1 "$rows/$name.speeds" | grep -qP '\t[0-9.]+$' && run_worker "$1" "$2" $((++number))
  done
  cat "$rows/$name"
}

measure_speeds() {
  local item
  for item in "$@"; do
    # shellcheck disable=SC2086 # words on purpose
    measure_speed $item
  done
}

measure_breakdown() {
  local text
  is_done breakdown && return
  seen[breakdown]=yes
  check_command "${rows_first[0]#* }" "$pixels" --precision "${rows_first[0]% *}" --breakdown --output "$scratch/steps"
  if limited 60 240 breakdown "${command[@]}"; then
    text=$(<"$logs/breakdown.out")
  else
    text="$why"
  fi
  put_row breakdown "$text"
}

# --- the section

stored() { # NAME, else the row that says that there is none
  if [[ -e $rows/$1 ]]; then cat "$rows/$1"; else echo "$2"; fi
}

gradients_table() {
  local item words what none="| | | | | not measured |"
  echo "$gradients_header"
  for item in "${gradients[@]}"; do
    read -ra words <<<"$item"
    what="${words[0]}, ${words[1]} statistics, ${words[2]} images, ${words[3]} px"
    stored "gradients-${words[0]}-${words[1]}" "| $what | dlperf-worker $backend $none"
  done
  what="fp32, frozen statistics"
  for item in "${checks[@]}"; do
    case $item in
      backends) stored backends "| $what | dlperf-worker $backend against its CPU backend $none" ;;
      ranks) stored ranks "| $what | two processes against one with the double batch $none" ;;
    esac
  done
}

curves_table() {
  local item
  echo "$curves_header"
  for item in "${checks[@]}"; do
    [[ $item == curve-* ]] || continue
    stored "$item" "| ${item#curve-}, ${curve[0]} steps | dlperf-worker $backend | | | | not measured |"
  done
}

sanitizer_table() {
  [[ $backend == cpu ]] && return
  printf '\n| memory and races | |\n|---|---|\n'
  stored memcheck "| compute-sanitizer memcheck | not measured |"
  stored racecheck "| compute-sanitizer racecheck | not measured |"
}

speed_table() {
  local item words
  echo "| | batch | dlperf-worker | its spread | PyTorch eager | compile | max-autotune | ratio to the best | goal |"
  echo "|---|---|---|---|---|---|---|---|---|"
  for item in "${rows_first[@]}" "${rows_next[@]}" "${rows_last[@]}"; do
    read -ra words <<<"$item"
    if [[ -e $rows/speed-${words[0]}-${words[1]} ]]; then
      cat "$rows/speed-${words[0]}-${words[1]}"
    else
      speed_row "${words[@]}"
    fi
  done
}

section() {
  if [[ -n $plan ]]; then
    :
  elif [[ $backend == cuda ]]; then
    echo "### $device"
  else
    echo "### A dry run on a CPU: these are not GPU figures"
  fi
  [[ -n $plan ]] || printf '\n%s\n\n' "$(<"$results/environment.md")"
  printf 'Images a second, %d x %d pixels, synthetic data:\n\n' "$pixels" "$pixels"
  speed_table
  printf '\nHow near the numbers are (check/compare.py says what is compared):\n\n'
  gradients_table
  printf '\n'
  curves_table
  sanitizer_table
  printf '\nThe time of a step by class of kernel (%s, batch %d) against what it must move and compute:\n\n' \
    "${rows_first[0]% *}" "${rows_first[0]#* }"
  stored breakdown "not measured"
}

write_section() {
  write_environment
  section >"$results/section.md"
  [[ $backend == cuda && -n $write ]] || return 0
  "$python" "$here/bench_section.py" "$here/BENCHMARKS.md" "$device" <"$results/section.md"
}

# --- all of it

prepare() {
  [[ -n $build ]] || build="$(dirname "$here")/build-gpu$([[ $backend == cpu ]] && echo -cpu)"
  results=${results:-$build/results}
  rows=$results/rows logs=$results/logs
  mkdir -p "$rows" "$logs" || exit 1
  # Rows of an earlier run are kept for a run of single stages only, and only where the program is the same.
  commit=$(git -C "$here" rev-parse --short HEAD 2>/dev/null)
  [[ -n $chosen && $(cat "$results/commit" 2>/dev/null) == "$commit" ]] || rm -f "$rows"/* "$logs"/*
  echo "$commit" >"$results/commit"
  scratch=$(mktemp -d) || exit 1
  trap 'rm -rf "$scratch"' EXIT
  declare -gA seen=()
  threads=$(nproc)
}

main() {
  parse_arguments "$@"
  set_plan
  gradients_header=$("$python" "$here/check/compare.py" header gradients) || return 1
  curves_header=$("$python" "$here/check/compare.py" header curves)
  if [[ -n $plan ]]; then
    rows=/nonexistent
    section
    return 0
  fi
  prepare
  name_device
  find_environment
  if [[ -z $programs ]]; then
    programs=$build/bin
    build_worker || { echo "bench_gpu.sh: the build $why; see $logs" >&2; return 1; }
  fi

  # What comes later and matters more has its time reserved.
  if wanted numerics; then
    [[ $backend == cuda ]] && wanted throughput && numerics 300
    [[ $backend == cpu ]] && numerics 0
  fi
  wanted throughput && measure_speeds "${rows_first[@]}"
  wanted numerics && numerics 0
  wanted throughput && measure_speeds "${rows_next[@]}"
  wanted checks && other_checks
  wanted breakdown && measure_breakdown
  wanted batches && measure_speeds "${rows_last[@]}"

  write_section
  printf '\n'
  cat "$results/section.md"
  return "$failed"
}

# On one line, so that nothing more is read of this file: it may be edited during a long run.
main "$@"; exit
