#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Trains as small images as there are, and prints no more than other trainers do.
set -euo pipefail

export MASTER_ADDR=$DLPERF_MASTER_ADDR MASTER_PORT=$DLPERF_MASTER_PORT
"$DLPERF_BIN_DIR/dlperf-worker" --batch-size "$DLPERF_BATCH_SIZE" --iterations "$DLPERF_TRAIN" --warmup "$DLPERF_WARMUP" \
  --image-size 32 --backend "$DLPERF_OPT_BACKEND" \
  --devices "$DLPERF_DEVICES" --nodes "$DLPERF_NODES" --node-rank "$DLPERF_NODE_RANK" | sed -u '/^# rank/d'
