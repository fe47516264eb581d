#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What one device of each node computes: the bundled trainer on 1n1g, on all nodes at the same time, each by itself.
set -euo pipefail

export CUDA_VISIBLE_DEVICES=$DLPERF_DEVICE_LIST
export RANK=0 WORLD_SIZE=1 LOCAL_RANK=0 LOCAL_WORLD_SIZE=1  # whatever started this: it is one by itself

# What keeps a GPU busy takes a processor minutes. A GPU that does not work is no reason to measure the processor.
work=(--batch-size 4 --image-size 64 --backend cpu)
if [ -e "$DLPERF_BIN_DIR/libdlperf_worker_cuda.so" ] && timeout 20 nvidia-smi -L 2>/dev/null | grep '^GPU ' >/dev/null; then
  work=(--batch-size 64 --image-size 224 --backend cuda)
fi
exec "$DLPERF_BIN_DIR/dlperf-worker" "${work[@]}" --iterations "$DLPERF_TRAIN" --warmup "$DLPERF_WARMUP"
