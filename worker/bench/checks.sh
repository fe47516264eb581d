# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # the variables are those of bench_gpu.sh, which sources this
# What needs no PyTorch: the backends against each other, processes against one, NVIDIA's sanitizers.

# The CUDA backend against the CPU's, which its own tests hold against PyTorch's double precision.
check_backends() {
  local what="fp32, frozen statistics"
  check_command "${curve[1]}" "${curve[2]}" --frozen-norm --output "$scratch/cuda"
  limited 60 "$cold" backends-cuda "${command[@]}" || { empty_row backends "$what" 4 "$why"; return; }
  check_command "${curve[1]}" "${curve[2]}" --frozen-norm --output "$scratch/cpu" --backend cpu
  limited 30 180 backends-cpu "${command[@]}" || { empty_row backends "$what" 4 "$why"; return; }
  compare_row backends "$what" 4 files "$scratch/cuda" "$scratch/cpu"
}

# two_processes NAME OUTPUT OPTION…: each with half of the images, into OUTPUT.0 and OUTPUT.1. Batch statistics would
# differ by the share, so they are frozen.
two_processes() {
  local name=$1 output=$2 images=$((curve[1] / 2))
  shift 2
  # shellcheck disable=SC2016 # for the inner shell
  local both='RANK=0 LOCAL_RANK=0 "$@" --output "$0.0" & RANK=1 LOCAL_RANK=1 "$@" --output "$0.1"; other=$?
    wait $! && exit $other'
  # Two that search at once on one GPU would disturb each other's timings.
  check_command "$images" "${curve[2]}" --frozen-norm "$@" --output "$output.0"
  prepared "$numbers_need" "fp32-$images-${curve[2]}-frozen" "${command[@]}" || return
  check_command "$images" "${curve[2]}" --frozen-norm --comm-timeout 60 "$@"
  limited 30 180 "$name" "${visible[@]}" env WORLD_SIZE=2 LOCAL_WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 \
    MASTER_PORT=$((20000 + RANDOM % 10000)) bash -c "$both" "$output" "${command[@]}"
}

# Two processes, on one GPU, against one with all images.
check_ranks() {
  local what="fp32, two processes" comm=() visible=()
  [[ $backend == cuda ]] && comm=(--comm gloo)
  check_command "${curve[1]}" "${curve[2]}" --frozen-norm --output "$scratch/one"
  limited "$numbers_need" "$cold" ranks-one "${command[@]}" || { empty_row ranks "$what" 4 "$why"; return; }
  two_processes ranks-two "$scratch/two" "${comm[@]}" || { empty_row ranks "$what" 4 "$why"; return; }
  compare_row ranks "$what" 4 files "$scratch/two.0" "$scratch/one"
}

# memcheck watches a training, so that the step's graph, the optimizer, the loss scale and all streams are in it. NVIDIA's
# libraries try calls that may fail, so it does not report those; the worker itself stops at each that fails. Racecheck
# watches the kernels' own tests: cuDNN's and cuBLAS's kernels are not ours to mend, and where they run beside watched ones
# it breaks off on Hopper (Internal Sanitizer Error).
check_sanitizer() { # TOOL
  local sanitizer options=(--error-exitcode 9) command=("$programs/worker_cuda_kernels_on_gpu") why=""
  if ! sanitizer=$(command -v compute-sanitizer); then
    why="no compute-sanitizer"
  elif [[ $1 == racecheck ]]; then
    [[ -x ${command[0]} ]] || why="no worker_cuda_kernels_on_gpu among the programs"
  else
    options+=(--report-api-errors no)
    check_command 2 32 --precision fp16 --steps 3 --batches 2 --output "$scratch/$1"
    # Plans that are timed under the tool would take for ever, and be the wrong ones.
    prepared "$numbers_need" fp16-2-32-steps "${command[@]}"
  fi
  if [[ -z $why ]] && limited 60 900 "$1" "$sanitizer" --tool "$1" "${options[@]}" "${command[@]}"; then
    put_row "$1" "| compute-sanitizer $1 | clean |"
  else
    note_failure "$1" "$why"
    [[ $why == failed* ]] && why="$why $(grep -hE 'SUMMARY|Device not supported' "$logs/$1.out" | tail -n 1)"
    put_row "$1" "| compute-sanitizer $1 | $why |"
  fi
}

other_checks() {
  local name
  for name in "${checks[@]}"; do
    is_done "$name" && continue
    begin "$name"
    case $name in
      curve-*) check_curve "${name#curve-}" ;;
      memcheck | racecheck) check_sanitizer "$name" ;;
      backends) check_backends ;;
      ranks) check_ranks ;;
    esac
    rm -f "$scratch"/*
  done
}
