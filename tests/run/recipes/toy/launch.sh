#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A trainer that prints dlperf-worker's lines, and misbehaves as its option says.
set -u

header() {
  printf '# dlperf-worker 0.1.0\n# backend: cpu\n# precision: %s\n# batch_size: %s\n# world_size: %s\n# image_size: 32\n' \
    "$DLPERF_PRECISION" "$DLPERF_BATCH_SIZE" "$DLPERF_WORLD_SIZE"
}

# lines FIRST LAST
lines() {
  local i
  for ((i = $1; i <= $2; i++)); do
    printf 'iteration %d epoch 0 loss 6.9 time %s s data 0.000100 s comm 0.0 s throughput 16.00 images/s\n' "$i" "${time:-0.500000}"
    sleep "$DLPERF_OPT_SECONDS"
  done
}

last=${DLPERF_OPT_LINES:-$DLPERF_TRAIN}
header
case $DLPERF_OPT_BEHAVIOUR in
  train) lines 1 "$last" ;;
  crash) lines 1 5; echo "cannot find the data"; exit 3 ;;
  port-taken)  # TEXT: for how many attempts; the test may hold them
    while [ -e "$HOME/held" ]; do sleep 0.05; done
    echo tried >>"$HOME/attempts"
    [ "$(wc -l <"$HOME/attempts")" -gt "$DLPERF_OPT_TEXT" ] || { echo "bind: Address already in use"; exit 1; }
    lines 1 "$last"
    ;;
  oom) lines 1 5; echo "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB"; exit 1 ;;
  memory)  # TEXT: for how many samples a node has memory, and with which batch size the trainer finds no data
    read -r room bad _ <<<"$DLPERF_OPT_TEXT"
    [ "$DLPERF_BATCH_SIZE" != "$bad" ] || [ -e "$HOME/mended" ] || { echo "cannot find the data"; exit 3; }
    [ $((DLPERF_BATCH_SIZE * DLPERF_DEVICES)) -le "$room" ] || { echo "torch.OutOfMemoryError: CUDA out of memory"; exit 1; }
    lines 1 "$last"
    ;;
  loading)  # as fast as TEXT threads load, of which three are enough
    case $DLPERF_OPT_TEXT in 1) time=0.600000 ;; 2) time=0.300000 ;; *) time=0.200000 ;; esac
    lines 1 "$last"
    ;;
  slow-second) [ "$DLPERF_REPETITION" = 2 ] && time=0.600000; lines 1 "$last" ;;
  silent) sleep 1000 ;;
  endless) lines 1 1000000 ;;
  stubborn) trap '' TERM; lines 1 1000000 ;;
  sessions) setsid bash -c 'trap "" HUP; while :; do sleep 1; done' & lines 1 1000000 ;;
  doublefork) ( ( while :; do sleep 1; done ) & ) ; lines 1 "$last" ;;
  no-newline) lines 1 $((last - 1)); printf 'iteration %d epoch 0 loss 6.9 time 0.500000 s' "$last" ;;
  binary) lines 1 5; head -c 300000 /dev/urandom; printf '\n'; lines 6 "$last" ;;
  flood) while :; do echo "0123456789abcdef0123456789abcdef0123456789abcdef" || exit 28; done ;;
  torrent) yes "0123456789abcdef0123456789abcdef0123456789abcdef" | head -c 200000000; printf '\n'; lines 1 "$last" ;;
  one-line) head -c 200000000 /dev/zero | tr '\0' x; printf '\n'; lines 1 "$last" ;;
  second-dies) [ "$DLPERF_NODE_RANK" = 1 ] && { lines 1 5; exit 7; }; lines 1 1000000 ;;
  escape) lines 1 5; printf '\033]0;owned\007\033[2J\302\2331mgone <b>wrong</b>\033[31m'; exit 3 ;;
  second-stalls) lines 1 5; [ "$DLPERF_NODE_RANK" = 1 ] && sleep 1000; lines 6 1000000 ;;
  command-missing) [ "$DLPERF_NODE_RANK" = 1 ] && { no-such-command-here; exit; }; lines 1 1000000 ;;
  text) printf '%s' "$DLPERF_OPT_TEXT" >"$DLPERF_RUN_DIR/text"; env -0 >"$DLPERF_RUN_DIR/env"; lines 1 "$last" ;;
  *) echo "unknown behaviour"; exit 2 ;;
esac
