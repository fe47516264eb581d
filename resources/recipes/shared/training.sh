#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the bundled trainers' launch.sh share: devices, threads, and `options` for train.py.
set -euo pipefail
# shellcheck source=resources/recipes/shared/variables.sh
. "$DLPERF_RECIPE_DIR/variables.sh"

export OMP_NUM_THREADS=$DLPERF_OPT_THREADS
if [ "$DLPERF_OPT_BACKEND" = cpu ]; then export CUDA_VISIBLE_DEVICES=; fi

# CUDA's libraries that pip installed lie where the loader does not look. Others that are named go before them.
for folder in "${DLPERF_PYTHON%/bin/*}"/lib/python3*/site-packages/nvidia/*/lib; do
  if [ -d "$folder" ]; then export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder; fi
done

# shellcheck disable=SC2034  # used by who sources this
options=(
  --batch-size "$DLPERF_BATCH_SIZE" --iterations "$DLPERF_TRAIN" --precision "$DLPERF_PRECISION"
  --image-size "$DLPERF_OPT_IMAGE_SIZE" --classes "$DLPERF_OPT_CLASSES" --backend "$DLPERF_OPT_BACKEND"
  --data "${DLPERF_OPT_DATA:-}" --workers "$DLPERF_OPT_WORKERS" --threads "$DLPERF_OPT_THREADS"
  --momentum "$DLPERF_OPT_MOMENTUM" --weight-decay "$DLPERF_OPT_WEIGHT_DECAY"
  --label-smoothing "$DLPERF_OPT_LABEL_SMOOTHING" --seed "$DLPERF_OPT_SEED" --checksum
)
if [ -n "$DLPERF_OPT_LR" ]; then options+=(--lr "$DLPERF_OPT_LR"); fi
