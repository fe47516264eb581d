#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints what dlperf-worker prints, at a steady pace, and trains nothing.
set -euo pipefail

cat <<EOT
# dlperf-worker 0.1.0
# backend: cpu
# precision: $DLPERF_PRECISION
# batch_size: $DLPERF_BATCH_SIZE
# world_size: $DLPERF_WORLD_SIZE
# image_size: 64
EOT
case $DLPERF_OPT_FLOOD in
  lines) yes "0123456789abcdef0123456789abcdef0123456789abcdef" | head -c 200000000 && printf '\n' ;;
  line) head -c 200000000 /dev/zero | tr '\0' x && printf '\n' ;;
esac
for ((i = 1; i <= DLPERF_TRAIN; i++)); do
  sleep "$DLPERF_OPT_STEP"
  if [[ $i -eq $DLPERF_OPT_FAIL_AT ]]; then
    echo "ModuleNotFoundError: No module named 'patience'"
    echo "toy: error: out of patience at iteration $i"
    exit 3
  fi
  echo "iteration $i epoch 0 loss 6.9$((i % 10)) time 0.5000$((i % 10))0 s data 0.000210 s comm 0.044000 s throughput 16.00 images/s"
done
