#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How fast the links between nodes are: the bundled trainer exchanges messages instead of gradients. Within a node with
# GPUs, nccl-tests measure the same, if they are installed.
set -euo pipefail

export CUDA_VISIBLE_DEVICES=$DLPERF_DEVICE_LIST
# Gloo takes the interface from DLPERF_INTERFACE itself.
if [ -n "$DLPERF_INTERFACE" ]; then export NCCL_SOCKET_IFNAME=$DLPERF_INTERFACE; fi
if [ -n "$DLPERF_RDMA" ]; then export NCCL_IB_HCA=$DLPERF_RDMA; fi
export MASTER_ADDR=$DLPERF_MASTER_ADDR MASTER_PORT=$DLPERF_MASTER_PORT

# One pair that does not reach each other holds the others up no longer than this.
"$DLPERF_BIN_DIR/dlperf-worker" --measure links --backend "$DLPERF_OPT_BACKEND" --comm-timeout 60 \
  --devices "$DLPERF_DEVICES" --nodes "$DLPERF_NODES" --node-rank "$DLPERF_NODE_RANK"

if [ "$DLPERF_NODES" = 1 ] && [ "$DLPERF_OPT_BACKEND" = auto ] && command -v all_reduce_perf >/dev/null &&
  timeout 20 nvidia-smi -L 2>/dev/null | grep '^GPU ' >/dev/null; then
  echo "# nccl-tests: $(command -v all_reduce_perf)"
  timeout 120 all_reduce_perf -b 8 -e 128M -f 2 -g "$DLPERF_DEVICES" || echo "# nccl-tests ended with exit code $?"
fi
