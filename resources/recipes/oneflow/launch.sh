#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One launcher of OneFlow a node, one process a device. OneFlow makes ./log, which is another file in the run's folder.
set -euo pipefail
# shellcheck source=resources/recipes/shared/training.sh
. "$DLPERF_RECIPE_DIR/training.sh"

mkdir -p "$DLPERF_RUN_DIR/oneflow"
cd "$DLPERF_RUN_DIR/oneflow"
exec "$DLPERF_PYTHON" -m oneflow.distributed.launch --nnodes "$DLPERF_NODES" --node_rank "$DLPERF_NODE_RANK" \
  --nproc_per_node "$DLPERF_DEVICES" --master_addr "$DLPERF_MASTER_ADDR" --master_port "$DLPERF_MASTER_PORT" \
  "$DLPERF_RECIPE_DIR/train.py" "${options[@]}" --graph "$DLPERF_OPT_GRAPH"
