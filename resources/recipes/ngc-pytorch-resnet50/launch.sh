#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# NVIDIA's multiproc.py starts one process a device; the batch size is a device's, DLPerf's learning rate a node's.
# amp and fp16 are the same options in DLPerf. The extractor skips the first five iterations, so a few more are run.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"

precision=()
if [ "$DLPERF_PRECISION" != fp32 ]; then
  precision=(--amp)
  case $DLPERF_OPT_LOSS_SCALE in
    dynamic) precision+=(--dynamic-loss-scale) ;;
    static) ;;
    *) precision+=(--static-loss-scale "$DLPERF_OPT_LOSS_SCALE") ;;
  esac
fi

source=$DLPERF_OPT_SOURCE_DIR/PyTorch/Classification/ConvNets
exec "$DLPERF_PYTHON" "$source/multiproc.py" \
  --nnodes "$DLPERF_NODES" --node_rank "$DLPERF_NODE_RANK" --nproc_per_node "$DLPERF_DEVICES" \
  --master_addr "$DLPERF_MASTER_ADDR" --master_port "$DLPERF_MASTER_PORT" \
  "$source/main.py" --arch resnet50 -c fanin --label-smoothing 0.1 \
  --data-backend "$DLPERF_OPT_DATA_BACKEND" --workers "$DLPERF_OPT_WORKERS" \
  --memory-format "$DLPERF_OPT_MEMORY_FORMAT" --batch-size "$DLPERF_BATCH_SIZE" --print-freq 1 \
  --optimizer-batch-size -1 --lr "$(awk -v batch="$node_batch" 'BEGIN {print batch / 1000}')" \
  --lr-schedule cosine --warmup 8 --momentum 0.125 --weight-decay 3.0517578125e-05 \
  --epochs 1 --prof "$((DLPERF_TRAIN + 30))" --training-only --no-checkpoints \
  --workspace "$DLPERF_RUN_DIR" --raport-file raport.json \
  ${precision[@]+"${precision[@]}"} "$data"
