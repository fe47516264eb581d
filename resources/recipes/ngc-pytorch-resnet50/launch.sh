#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# NVIDIA's multiproc.py starts one process a device; the batch size is a device's, DLPerf's learning rate a node's.
# amp and fp16 are the same flags in DLPerf. The extractor skips the first five iterations, so a few more are run.
set -euo pipefail

[ -z "$DLPERF_INTERFACE" ] || export NCCL_SOCKET_IFNAME=$DLPERF_INTERFACE
[ -z "$DLPERF_RDMA" ] || export NCCL_IB_HCA=$DLPERF_RDMA
export CUDA_VISIBLE_DEVICES=$DLPERF_DEVICE_LIST PYTHONUNBUFFERED=1

lr=$(awk -v batch="$((DLPERF_BATCH_SIZE * DLPERF_DEVICES))" 'BEGIN {print batch / 1000}')
precision=()
if [ "$DLPERF_PRECISION" != fp32 ]; then
  precision=(--amp)
  if [ "$DLPERF_OPT_LOSS_SCALE" = dynamic ]; then
    precision+=(--dynamic-loss-scale)
  else
    precision+=(--static-loss-scale "$DLPERF_OPT_LOSS_SCALE")
  fi
fi

exec "$DLPERF_OPT_PYTHON" "$DLPERF_OPT_SOURCE_DIR/multiproc.py" \
  --nnodes "$DLPERF_NODES" --node_rank "$DLPERF_NODE_RANK" --nproc_per_node "$DLPERF_DEVICES" \
  --master_addr "$DLPERF_MASTER_ADDR" --master_port "$DLPERF_MASTER_PORT" \
  "$DLPERF_OPT_SOURCE_DIR/main.py" --arch resnet50 -c fanin --label-smoothing 0.1 \
  --data-backend "$DLPERF_OPT_DATA_BACKEND" -j "$DLPERF_OPT_WORKERS" -b "$DLPERF_BATCH_SIZE" -p 1 \
  --lr "$lr" --lr-schedule cosine --mom 0.125 --wd 3.0517578125e-05 --warmup 8 --optimizer-batch-size -1 \
  --epochs 1 --prof "$((DLPERF_TRAIN + 30))" --training-only --no-checkpoints \
  --workspace "$DLPERF_RUN_DIR" --raport-file "$DLPERF_RUN_DIR/raport.json" \
  ${precision[@]+"${precision[@]}"} "${DLPERF_OPT_DATA:-$DLPERF_DATA_DIR}"
