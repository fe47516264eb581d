#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds dlperf-worker, checks its numbers against PyTorch's and measures how fast both are on this machine's GPU.
# Each row is printed as it ends, and the GPU's section of BENCHMARKS.md is written after each, so an interrupted run
# has left what it saw. The most important comes first. `worker/bench_gpu.sh --help` says more; bench/plan.sh lists what
# is measured.
# shellcheck disable=SC1090,SC2034,SC2154 # it shares its variables with bench/*.sh
set -uo pipefail

usage() {
  cat <<'TEXT'
usage: worker/bench_gpu.sh [options]

  --minutes N     (8, or 8.5) leave out, from the end, what would not fit (without it nothing is left out)
  --stages LIST   of numerics,throughput,checks,breakdown,gpus,batches; other rows stay as an earlier run left them
  --backend cpu   a dry run: small, on the CPU, and BENCHMARKS.md is left alone
  --continue      go on where the last run ended: what has a figure is not measured again
  --no-write      leave BENCHMARKS.md alone
  --build DIR     where to build (build-gpu beside worker/; build-gpu-cpu for the dry run)
  --programs DIR  the programs are there: build only where --build is given as well, and take them if that fails
  --prebuild DIR  make such programs for GPUs of sm_90, and end: carry them to a machine that may not build
  --results DIR   rows and logs (results in the build folder)
  --output DIR    keep the section and an archive of all rows and logs there, too, after each figure
  --plan          print what a GPU's section would say with nothing measured, and end
  --help          show this text

Needs the CUDA toolkit, cuDNN 9 (CUDNN_ROOT names its folder where it is in neither the system nor PyTorch's wheel) and
Python 3.10; PyTorch for the comparison (PYTHON=… names the Python that has it; its torch.compile needs a C compiler and
Python's headers: python3-dev). It takes the first of the GPUs, or of those in CUDA_VISIBLE_DEVICES; only the stage gpus
takes all of them. DLPERF_COMMIT names the commit where there is no .git. Exit codes: 0 all went well, 1 a check or a
stage failed, 2 usage.
TEXT
}

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
for part in plan limits machine numerics checks speed gpus section; do
  source "$here/bench/$part.sh"
done
python=${PYTHON:-python3}
backend=cuda budget=1000000 stages=numerics,throughput,checks,breakdown,gpus,batches chosen=""
write=yes build="" programs="" prebuild="" results="" kept="" plan="" continuing="" running=""
[[ -x /usr/local/cuda/bin/nvcc ]] && PATH=$PATH:/usr/local/cuda/bin
all_gpus=${CUDA_VISIBLE_DEVICES:-}
export CUDA_VISIBLE_DEVICES=${CUDA_VISIBLE_DEVICES:-0}
export CUDA_VISIBLE_DEVICES=${CUDA_VISIBLE_DEVICES%%,*}
own_library_path=${LD_LIBRARY_PATH:-}
export CUDA_DEVICE_ORDER=${CUDA_DEVICE_ORDER:-PCI_BUS_ID} # the numbers are nvidia-smi's then

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
      --continue) continuing=yes; shift; continue ;;
      --minutes | --stages | --backend | --build | --programs | --prebuild | --results | --output) ;;
      *) complain "unknown option '$1'" ;;
    esac
    (($# > 1)) || complain "$1 needs a value"
    case $1 in
      --minutes)
        [[ $2 =~ ^([1-9][0-9]{0,3})(\.([0-9]))?$ ]] ||
          complain "--minutes must be a number from 1 to 9999 like 8 or 8.5, not '$2'"
        budget=$((60 * BASH_REMATCH[1] + 6 * ${BASH_REMATCH[3]:-0})) ;;
      --stages)
        [[ $2 =~ ^(($stage),)*($stage)$ ]] ||
          complain "--stages must be some of $stages, not '$2'"
        chosen=yes stages=$2 ;;
      --backend)
        [[ $2 == cpu || $2 == cuda ]] || complain "--backend must be cpu or cuda, not '$2'"
        backend=$2 ;;
      --build) build=$2 ;;
      --programs) programs=$2 ;;
      --prebuild) prebuild=$2 ;;
      --results) results=$2 ;;
      --output) kept=$2 ;;
    esac
    shift 2
  done
}

trap '[[ -n $running ]] && kill "$running" 2>/dev/null; exit 130' INT TERM

prepare() {
  building=$([[ -n $programs && -z $build ]] || echo yes)
  [[ -n $build ]] || build="$(dirname "$here")/build-gpu$([[ $backend == cpu ]] && echo -cpu)"
  results=${results:-$build/results}
  rows=$results/rows logs=$results/logs
  mkdir -p "$rows" "$logs" ${kept:+"$kept"} || exit 1
  # Rows of an earlier run are kept for a run of single stages, or that goes on, and only where the program is the same.
  commit=${DLPERF_COMMIT:-$(git -C "$here" rev-parse --short HEAD 2>/dev/null)}
  [[ -n $chosen$continuing && $(cat "$results/commit" 2>/dev/null) == "$commit" ]] || rm -f "$rows"/* "$logs"/*
  echo "$commit" >"$results/commit"
  scratch=$(mktemp -d) || exit 1
  trap 'rm -rf "$scratch"' EXIT
  declare -gA seen=() broken=() plans=() begun=()
  threads=$(nproc)
  # Seconds: the most that a check may take where plans must be searched for, and what it takes at least.
  cold=900 numbers_need=$([[ $backend == cpu ]] && echo 40 || echo 45)
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
  if [[ -n $prebuild ]]; then
    prebuild_worker
    return
  fi
  find_programs || return 1

  # First the figure that matters most, then whether its numbers are right; PyTorch's modes, which take longest, have
  # their time reserved, but for the longest of them. Then what takes little of everything, before PyTorch's modes in
  # other precisions.
  local reserve=0
  wanted throughput && [[ $backend == cuda ]] && reserve=$pytorch_need
  wanted throughput && measure_speeds "" "${rows_first[@]}"
  wanted numerics && numerics "$reserve" "${gradients_first[@]}"
  wanted throughput && measure_speeds "${modes[*]}" "${rows_first[@]}"
  wanted breakdown && measure_breakdown
  wanted throughput && measure_speeds "" "${rows_next[@]}"
  wanted numerics && numerics 0 "${gradients_first[@]}"
  wanted checks && other_checks
  wanted throughput && measure_speeds "${modes[*]}" "${rows_next[@]}"
  wanted numerics && numerics 0 "${gradients_next[@]}"
  wanted gpus && several_gpus
  wanted throughput && measure_speeds "$slow_mode" "${rows_first[@]}" "${rows_next[@]}"
  wanted batches && measure_speeds "${modes[*]}" "${rows_last[@]}" && measure_speeds "$slow_mode" "${rows_last[@]}"

  write_section
  printf '\n'
  cat "$results/section.md"
  ((${#broken[@]} == 0))
}

# On one line, so that nothing more is read of this file: it may be edited during a long run.
main "$@"; exit
