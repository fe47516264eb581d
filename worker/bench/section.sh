# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # the variables are those of bench_gpu.sh, which sources this
# The section of BENCHMARKS.md: all rows that there are, and what is missing.

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
  local item what
  echo "$curves_header"
  for item in "${checks[@]}"; do
    [[ $item == curve-* ]] || continue
    stored "$item" "| ${item#curve-}, ${curve[0]} steps | dlperf-worker $backend | | | | not measured |"
  done
  what="| fp32, $rank_steps steps, frozen statistics | two processes over $rank_comm against one"
  stored gpus-losses "$what | | | | not measured |"
}

sanitizer_table() {
  [[ $backend == cpu ]] && return
  printf '\n| memory and races | |\n|---|---|\n'
  stored memcheck "| compute-sanitizer memcheck | not measured |"
  stored racecheck "| compute-sanitizer racecheck | not measured |"
}

speed_table() {
  local item words
  echo "| | batch | dlperf-worker | its spread | PyTorch eager | compile | reduce-overhead | max-autotune" \
    "| ratio to the best | goal |"
  echo "|---|---|---|---|---|---|---|---|---|---|"
  for item in "${rows_first[@]}" "${rows_next[@]}" "${rows_last[@]}"; do
    read -ra words <<<"$item"
    if [[ -e $rows/speed-${words[0]}-${words[1]} ]]; then
      cat "$rows/speed-${words[0]}-${words[1]}"
    else
      speed_row "${words[@]}"
    fi
  done
}

scaling_table() {
  [[ $backend == cpu ]] && return
  printf '\n| | batch a GPU | GPUs | images/s | of as many times one |\n|---|---|---|---|---|\n'
  stored gpus-speed "| ${rows_first[0]/ / | } | 2 | not measured | |"
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
  scaling_table
  printf '\nHow near the numbers are (check/compare.py says what is compared):\n\n'
  gradients_table
  printf '\n'
  curves_table
  sanitizer_table
  printf '\nThe time of a step by class of kernel (%s, batch %d) against what it must move and compute:\n\n' \
    "${rows_first[0]% *}" "${rows_first[0]#* }"
  stored breakdown "not measured"
}

# What is on a machine that goes away is not lost then.
keep_results() {
  cp "$results/section.md" "$kept/section.md.new" && mv "$kept/section.md.new" "$kept/section.md"
  tar -czf "$kept/results.tar.gz.new" -C "$results" . && mv "$kept/results.tar.gz.new" "$kept/results.tar.gz"
}

# write_section [NEWS]: what was left out for lack of time can wait for the end, when there is none for it either.
write_section() {
  [[ ${1:-} != *"left out"* ]] || return 0
  write_environment
  section >"$results/section.md"
  [[ -z $kept ]] || keep_results
  [[ $backend == cuda && -n $write ]] || return 0
  "$python" "$here/bench_section.py" "$here/BENCHMARKS.md" "$device" <"$results/section.md"
}
