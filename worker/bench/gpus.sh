# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # the variables are those of bench_gpu.sh, which sources this
# Several GPUs: right numbers over NCCL, and how much faster they are than one.

count_gpus() {
  if [[ -n $all_gpus ]]; then
    tr ',' '\n' <<<"$all_gpus" | grep -c .
  else
    nvidia-smi -L 2>/dev/null | grep -c '^GPU '
  fi
}

# The losses of two processes, on two GPUs over NCCL, against those of one with all images. (In the dry run: over Gloo.)
check_gpu_losses() {
  local what="fp32, $rank_steps steps, frozen statistics" name=gpus-losses visible=("$@")
  local steps=(--steps "$rank_steps" --batches 4)
  is_done "$name" && return
  begin "$name"
  check_command "${curve[1]}" "${curve[2]}" --frozen-norm "${steps[@]}" --output "$scratch/one"
  limited "$numbers_need" "$cold" "$name-one" "${command[@]}" || { empty_row "$name" "$what" 3 "$why"; return; }
  two_processes "$name-two" "$scratch/two" "${steps[@]}" --comm "$rank_comm" ||
    { empty_row "$name" "$what" 3 "$why"; return; }
  compare_row "$name" "$what" 3 files "$scratch/two.0" "$scratch/one"
  rm -f "$scratch"/*
}

# Sets `row`: images a second of all GPUs together, and of that many times one GPU's (`one`, which the first row sets).
scaling_row() { # GPUS
  local command name="gpus-speed-$1" speed
  worker_command "$precision" "$images" 2
  if prepared 60 "$precision-$images-$pixels" "${command[@]}"; then
    worker_command "$precision" "$images" $((warmup + iterations))
    (($1 > 1)) && command+=(--devices "$1" --comm nccl)
    if limited 40 300 "$name" "${visible[@]}" "${command[@]}"; then
      speed=$(speed_in_log "$logs/$name.out" $(($1 * images)))
      one=${one:-$([[ $1 == 1 ]] && echo "$speed")}
      row="| $precision | $images | $1 | $speed | $(awk -v gpus="$1" -v speed="$speed" -v one="$one" \
        'BEGIN { if (one) printf "%.1f %%", 100 * speed / (gpus * one); else printf "not measured" }') |"
      return
    fi
  fi
  note_failure gpus-speed "$why"
  row="| $precision | $images | $1 | $why | |"
}

measure_scaling() { # GPUS
  local precision=${rows_first[0]% *} images=${rows_first[0]#* } one="" row text="" gpus=(1 2) n
  is_done gpus-speed && return
  begin gpus-speed
  (($1 > 2)) && gpus+=("$1")
  for n in "${gpus[@]}"; do
    scaling_row "$n"
    text+=${text:+$'\n'}$row
    put_row gpus-speed "$text"
  done
}

several_gpus() {
  local count visible=() what="fp32, $rank_steps steps, frozen statistics"
  if [[ $backend == cpu ]]; then
    check_gpu_losses
    return
  fi
  count=$(count_gpus)
  if ((count < 2)); then
    why="$( ((count)) && echo one || echo no) GPU here"
    put_row gpus-losses "| $what | two processes over nccl against one | | | | $why |"
    put_row gpus-speed "| ${rows_first[0]/ / | } | 2 | $why | |"
    return
  fi
  visible=(env -u CUDA_VISIBLE_DEVICES)
  [[ -n $all_gpus ]] && visible=(env CUDA_VISIBLE_DEVICES="$all_gpus")
  check_gpu_losses "${visible[@]}"
  measure_scaling "$count"
}
