#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# OneFlow's models of today: one launcher a node, one process a device, which each print their own speed. Nothing is
# said about the number of nodes to the trainer, which refuses more than one although it trains on them.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"

preset NCCL_LAUNCH_MODE=PARALLEL
mode=()
case $DLPERF_OPT_MODE in
  graph)
    mode=(--graph --scale-grad --fuse-bn-relu --fuse-bn-add-relu)
    if [ "$DLPERF_PRECISION" = amp ]; then mode+=(--use-fp16 --channel-last); fi ;;
  ddp)
    if [ "$DLPERF_PRECISION" = amp ]; then fail "amp needs the option mode to be graph"; fi
    mode=(--ddp) ;;
  *) unknown mode "$DLPERF_OPT_MODE" ;;
esac
if is_yes synthetic "$DLPERF_OPT_SYNTHETIC"; then
  input=(--synthetic-data)
else
  input=(--ofrecord-path "$data" --ofrecord-part-num "$DLPERF_OPT_TRAIN_PARTS")
  if is_yes gpu_decoder "$DLPERF_OPT_GPU_DECODER"; then input+=(--use-gpu-decode); fi
fi

exec "$DLPERF_PYTHON" -m oneflow.distributed.launch \
  --nnodes "$DLPERF_NODES" --node_rank "$DLPERF_NODE_RANK" --nproc_per_node "$DLPERF_DEVICES" \
  --master_addr "$DLPERF_MASTER_ADDR" --master_port "$DLPERF_MASTER_PORT" \
  "$DLPERF_OPT_SOURCE_DIR/Vision/classification/image/resnet50/train.py" "${mode[@]}" "${input[@]}" \
  --train-batch-size "$DLPERF_BATCH_SIZE" --num-devices-per-node "$DLPERF_DEVICES" --lr 0.001 --momentum 0.875 \
  --num-epochs 1 --batches-per-epoch "$DLPERF_TRAIN" --skip-eval \
  --print-interval "$DLPERF_OPT_PRINT_INTERVAL" --metric-local True --metric-train-acc True
