#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How fast the links between nodes are: the bundled trainer exchanges messages instead of gradients.
set -euo pipefail

export CUDA_VISIBLE_DEVICES=$DLPERF_DEVICE_LIST
export MASTER_ADDR=$DLPERF_MASTER_ADDR MASTER_PORT=$DLPERF_MASTER_PORT

# One pair that does not reach each other holds the others up no longer than this.
exec "$DLPERF_BIN_DIR/dlperf-worker" --measure links --backend "$DLPERF_OPT_BACKEND" --comm-timeout 60 \
  --devices "$DLPERF_DEVICES" --nodes "$DLPERF_NODES" --node-rank "$DLPERF_NODE_RANK"
