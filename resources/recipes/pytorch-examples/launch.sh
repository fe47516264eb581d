#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# main.py takes the batch size of a whole node and divides it by the node's GPUs; DLPerf's learning rate follows it.
# It has no iteration limit: the run is stopped once it is measured.
set -euo pipefail

export CUDA_VISIBLE_DEVICES=$DLPERF_DEVICE_LIST PYTHONUNBUFFERED=1
[ -z "$DLPERF_INTERFACE" ] || export NCCL_SOCKET_IFNAME=$DLPERF_INTERFACE GLOO_SOCKET_IFNAME=$DLPERF_INTERFACE
[ -z "$DLPERF_RDMA" ] || export NCCL_IB_HCA=$DLPERF_RDMA

node_batch=$((DLPERF_BATCH_SIZE * DLPERF_DEVICES))
lr=$(awk -v batch="$node_batch" 'BEGIN {print batch / 1000}')
data=("${DLPERF_OPT_DATA:-$DLPERF_DATA_DIR}")
if [ "$DLPERF_OPT_DUMMY" = yes ]; then data=(--dummy); fi

cd "$DLPERF_RUN_DIR"  # checkpoints are written to the working folder
exec "$DLPERF_OPT_PYTHON" "$DLPERF_OPT_SOURCE_DIR/main.py" --arch resnet50 --epochs 1 \
  --batch-size "$node_batch" --lr "$lr" --momentum 0.125 --workers "$DLPERF_OPT_WORKERS" --print-freq 1 \
  --multiprocessing-distributed --dist-backend nccl \
  --dist-url "tcp://$DLPERF_MASTER_ADDR:$DLPERF_MASTER_PORT" \
  --world-size "$DLPERF_NODES" --rank "$DLPERF_NODE_RANK" "${data[@]}"
