#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The bundled trainer: one process a device, started by itself.
set -euo pipefail

export MASTER_ADDR=$DLPERF_MASTER_ADDR MASTER_PORT=$DLPERF_MASTER_PORT
export CUDA_VISIBLE_DEVICES=$DLPERF_DEVICE_LIST

options=(
  --devices "$DLPERF_DEVICES" --nodes "$DLPERF_NODES" --node-rank "$DLPERF_NODE_RANK"
  --batch-size "$DLPERF_BATCH_SIZE" --iterations "$DLPERF_TRAIN" --precision "$DLPERF_PRECISION"
  --image-size "$DLPERF_OPT_IMAGE_SIZE" --classes "$DLPERF_OPT_CLASSES"
  --threads "$DLPERF_OPT_THREADS" --workers "$DLPERF_OPT_WORKERS" --backend "$DLPERF_OPT_BACKEND"
  --comm "$DLPERF_OPT_COMM"
  --label-smoothing "$DLPERF_OPT_LABEL_SMOOTHING" --momentum "$DLPERF_OPT_MOMENTUM"
  --weight-decay "$DLPERF_OPT_WEIGHT_DECAY" --seed "$DLPERF_OPT_SEED"
  --comm-timeout "$DLPERF_OPT_COMM_TIMEOUT"
)
[ -z "$DLPERF_OPT_LR" ] || options+=(--lr "$DLPERF_OPT_LR")
[ -z "$DLPERF_OPT_DATA" ] || options+=(--data "$DLPERF_OPT_DATA")

exec "$DLPERF_BIN_DIR/dlperf-worker" "${options[@]}"
