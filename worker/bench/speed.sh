# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # the variables are those of bench_gpu.sh, which sources this
# Images a second, the worker's and PyTorch's in turns; and what the time of a step goes to.

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
  write_section "$4"
}

worker_command() { # PRECISION IMAGES ITERATIONS
  command=("$programs/dlperf-worker" --backend "$backend" --precision "$1" --batch-size "$2" --image-size "$pixels"
    --threads "$threads" --iterations "$3")
}

# A figure of a training that teaches nothing is none: prints what is wrong with the losses, if anything.
wrong_losses() {
  awk -v warmup="$warmup" '
    /taught nothing/ && n > warmup { print "a gradient was too large after " n " iterations"; exit }
    /^iteration / {
      for (i = 1; i < NF; ++i) if ($i == "loss") loss[++n] = $(i + 1)
      if (loss[n] !~ /^[0-9.]+$/) { print "the loss of iteration " n " is " loss[n]; exit }
    }
    END { if (n > 1 && loss[n] >= loss[1]) print "the loss went from " loss[1] " to " loss[n] }' "$1" | head -n 1
}

# True where it was measured.
run_worker() { # PRECISION IMAGES NUMBER
  local name="speed-$1-$2" command log="$logs/speed-$1-$2-worker-$3.out"
  worker_command "$1" "$2" 2
  if prepared 20 "$1-$2-$pixels" "${command[@]}"; then
    worker_command "$1" "$2" $((warmup + iterations))
    if limited 15 240 "$name-worker-$3" "${command[@]}"; then
      why=$(wrong_losses "$log")
      if [[ -z $why ]]; then
        note_speed "$1" "$2" worker "$(speed_in_log "$log" "$2")"
        return 0
      fi
      why="wrong: $why"
    fi
  fi
  note_failure "$name" "$why"
  note_speed "$1" "$2" worker "$why"
  return 1
}

# Soon, by the plans that cuDNN names first, so that there is a figure whatever comes of the search for better ones.
run_worker_unsearched() { # PRECISION IMAGES
  local command log="$logs/speed-$1-$2-first.out"
  [[ $backend == cpu ]] && return
  worker_command "$1" "$2" $((warmup + iterations))
  limited 15 120 "speed-$1-$2-first" env DLPERF_WORKER_PLANS=0 "${command[@]}" && [[ -z $(wrong_losses "$log") ]] &&
    note_speed "$1" "$2" first "$(speed_in_log "$log" "$2")"
}

run_torch() { # PRECISION IMAGES MODE
  local name="speed-$1-$2" out="$logs/speed-$1-$2-$3.out" need=$eager_need limit=600 speed
  local command=(env LD_LIBRARY_PATH="$own_library_path" "$python" "$here/bench_torch.py" --mode "$3" --precision "$1" --batch-size "$2" --image-size "$pixels"
    --warmup "$warmup" --iterations "$torch_iterations" --device "$backend" --threads "$threads")
  [[ $3 == eager ]] || need=$compile_need
  [[ $3 == max-autotune ]] && need=$((2 * slow_need)) limit=$(((budget - SECONDS) / 2)) # the rest is for other figures
  if [[ -z $torch_version ]]; then
    note_speed "$1" "$2" "$3" "no PyTorch"
  elif limited "$need" "$limit" "$name-$3" "${command[@]}"; then
    speed=$(sed -n 's/.*"images_per_second": \([0-9.]*\).*/\1/p' "$out")
    note_speed "$1" "$2" "$3" "$(printf '%.1f' "$speed")"
  elif grep -qs '"missing"' "$out"; then
    note_speed "$1" "$2" "$3" "not in this PyTorch: $(sed -n 's/.*"missing": "\([^"]*\)".*/\1/p' "$out")"
  else
    note_failure "$name" "$why"
    note_speed "$1" "$2" "$3" "$why"
  fi
}

speeds_of() { [[ ! -e $rows/speed-$1-$2.speeds ]] || cat "$rows/speed-$1-$2.speeds"; }

# The row of all that is measured so far. A mode that this PyTorch has and that gave no figure might have been the best:
# then the ratio is at most what the others say, and the goal can be missed but not met. The slow mode may be missing.
speed_row() { # PRECISION IMAGES
  speeds_of "$1" "$2" | awk -F '\t' -v precision="$1" -v batch="$2" -v modes="${modes[*]} $slow_mode" -v slow="$slow_mode" -v backend="$backend" '
    function cell(text) { return text == "" ? "not measured" : text }
    function verdict(ratio, goal) {
      if (!ratio) return ""
      if (ratio < goal) return ": missed"
      if (missing == slow) return ": met by what is known"
      return missing == "" ? ": met" : ": undecided without " missing
    }
    $1 == "worker" && $2 ~ /^[0-9.]+$/ {
      sum += $2; ++n
      if (n == 1 || $2 < low) low = $2
      if ($2 > high) high = $2
      next
    }
    $1 == "worker" { trouble = $2; next }
    $1 == "first" { first = "at least " $2; next }
    { other[$1] = $2; if ($2 ~ /^[0-9.]+$/ && $2 > best) best = $2 }
    END {
      goal["fp16"] = 1.15; goal["bf16"] = 1.05; goal["tf32"] = 1.03
      mean = n ? sum / n : 0
      printf "| %s | %d | %s | %s |", precision, batch, n ? sprintf("%.1f", mean) : first ? first : cell(trouble),
        (n > 1) ? sprintf("%.1f %% of %d", 100 * (high - low) / mean, n) : ""
      count = split(modes, names, " ")
      for (i = 1; i <= count; ++i) {
        printf " %s |", cell(other[names[i]])
        if (other[names[i]] !~ /^([0-9.]+$|not in this PyTorch|no PyTorch)/)
          missing = missing (missing == "" ? "" : " and ") names[i]
      }
      ratio = n && best ? mean / best : 0
      if (ratio) printf " %s%.3f |", missing == "" ? "" : "at most ", ratio
      else printf " not measured |"
      if (!(precision in goal) || backend == "cpu") printf " |\n"
      else printf " %.2f%s |\n", goal[precision], verdict(ratio, goal[precision])
    }'
}

has_speed() { # PRECISION IMAGES WHO
  speeds_of "$1" "$2" | grep -qP "^$3\t[0-9.]+$"
}

# The first figure of a row, which may come long before PyTorch's.
begin_speed() { # PRECISION IMAGES
  local name="speed-$1-$2"
  [[ -n ${begun[$name]:-} ]] && return
  begin "$name"
  begun[$name]=yes
  [[ -n $continuing ]] && has_speed "$1" "$2" worker && return
  rm -f "$rows/$name.speeds"
  [[ "$1 $2" == "${rows_first[0]}" ]] && run_worker_unsearched "$1" "$2"
  run_worker "$1" "$2" 1
}

# The worker before and after each of PyTorch's modes: what the machine does to one it does to the other.
measure_speed() { # PRECISION IMAGES MODE…
  local precision=$1 images=$2 mode
  shift 2
  begin_speed "$precision" "$images"
  for mode in "$@"; do
    has_speed "$precision" "$images" "$mode" && continue
    run_torch "$precision" "$images" "$mode"
    has_speed "$precision" "$images" "$mode" && has_speed "$precision" "$images" worker &&
      run_worker "$precision" "$images" "after-$mode"
  done
  cat "$rows/speed-$precision-$images"
}

# measure_speeds MODES ITEM…: of each of these rows the worker's first figure, and those modes.
measure_speeds() {
  local item these=$1
  shift
  for item in "$@"; do
    # shellcheck disable=SC2086 # words on purpose
    measure_speed $item $these
  done
}

measure_breakdown() {
  local command precision=${rows_first[0]% *} images=${rows_first[0]#* }
  is_done breakdown && return
  begin breakdown
  worker_command "$precision" "$images" 2
  if prepared 20 "$precision-$images-$pixels" "${command[@]}"; then
    check_command "$images" "$pixels" --precision "$precision" --breakdown
    if limited 20 240 breakdown "${command[@]}"; then
      why=$(<"$logs/breakdown.out")
    elif [[ $why == *"cpu backend does not know"* ]]; then
      why="no GPU"
    fi
  fi
  [[ $why == "|"* ]] || note_failure breakdown "$why"
  put_row breakdown "$why"
}
