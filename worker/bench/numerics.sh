# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # the variables are those of bench_gpu.sh, which sources this
# Gradients and losses against PyTorch's in double precision.

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
    broken[$name]=yes
    put_row "$name" "$(<"$logs/$name-compare.out")"
  else
    empty_row "$name" "$what" "$columns" "$why"
  fi
}

# empty_row NAME WHAT COLUMNS WHY
empty_row() {
  note_failure "$1" "$4"
  put_row "$1" "| $2 | dlperf-worker $backend |$(printf ' |%.0s' $(seq "$3")) $4 |"
}

# NEED RESERVE PRECISION STATISTICS IMAGES PIXELS
check_gradients() {
  local need=$(($1 + $2)) name="gradients-$3-$4" what="$3, $4 statistics, $5 images, $6 px" output="$scratch/$3-$4"
  is_done "$name" && return
  begin "$name"
  local frozen=()
  [[ $4 == frozen ]] && frozen=(--frozen-norm)
  check_command "$5" "$6" --precision "$3" "${frozen[@]}" --output "$output"
  if [[ -z $torch_version ]]; then
    empty_row "$name" "$what" 4 "no PyTorch"
  elif limited "$need" "$cold" "$name" "${command[@]}"; then
    compare_row "$name" "$what" 4 torch "$output"
  else
    empty_row "$name" "$what" 4 "$why"
  fi
  rm -f "$output" "$output.f32"
}

# numerics RESERVE ITEM…: all of these gradients that leave RESERVE seconds for what is more important.
numerics() {
  local item reserve=$1
  shift
  for item in "$@"; do
    # shellcheck disable=SC2086 # words on purpose
    check_gradients "$numbers_need" "$reserve" $item
  done
}

check_curve() { # PRECISION
  local name="curve-$1" output="$scratch/curve-$1" what="$1, ${curve[0]} steps"
  check_command "${curve[1]}" "${curve[2]}" --precision "$1" --steps "${curve[0]}" --batches 4 --output "$output"
  if [[ -z $torch_version ]]; then
    empty_row "$name" "$what" 3 "no PyTorch"
  elif limited "$numbers_need" "$cold" "$name" "${command[@]}"; then
    compare_row "$name" "$what" 3 torch "$output"
  else
    empty_row "$name" "$what" 3 "$why"
  fi
}
