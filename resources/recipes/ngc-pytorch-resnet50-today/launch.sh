#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# As ngc-pytorch-resnet50, by NVIDIA's last revision: its loss scale is always dynamic, its weights are initialised by
# their inputs without being told, "synthetic" has found its h, and it prints two speeds a line.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"

precision=()
if [ "$DLPERF_PRECISION" = amp ]; then precision=(--amp --static-loss-scale "$DLPERF_OPT_LOSS_SCALE"); fi

source=$DLPERF_OPT_SOURCE_DIR/PyTorch/Classification/ConvNets
exec "$DLPERF_PYTHON" "$source/multiproc.py" \
  --nnodes "$DLPERF_NODES" --node_rank "$DLPERF_NODE_RANK" --nproc_per_node "$DLPERF_DEVICES" \
  --master_addr "$DLPERF_MASTER_ADDR" --master_port "$DLPERF_MASTER_PORT" \
  "$source/main.py" --arch resnet50 --label-smoothing 0.1 \
  --data-backend "$DLPERF_OPT_DATA_BACKEND" --workers "$DLPERF_OPT_WORKERS" \
  --memory-format "$DLPERF_OPT_MEMORY_FORMAT" --batch-size "$DLPERF_BATCH_SIZE" --print-freq 1 \
  --optimizer-batch-size -1 --lr "$(awk -v batch="$node_batch" 'BEGIN {print batch / 1000}')" \
  --lr-schedule cosine --warmup 8 --momentum 0.125 --weight-decay 3.0517578125e-05 \
  --epochs 1 --prof "$((DLPERF_TRAIN + 30))" --training-only --no-checkpoints \
  --workspace "$DLPERF_RUN_DIR" --raport-file raport.json \
  ${precision[@]+"${precision[@]}"} "$data"
