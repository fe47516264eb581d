#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# On CPUs a worker process a device, on GPUs one a node. Several workers meet at a key-value store: a server on each
# node, a scheduler on the first. Variables DMLC_* make these of any Python that imports MXNet.
set -euo pipefail
# shellcheck source=resources/recipes/shared/training.sh
. "$DLPERF_RECIPE_DIR/training.sh"
# shellcheck source=resources/recipes/shared/processes.sh
. "$DLPERF_RECIPE_DIR/processes.sh"

workers=$DLPERF_DEVICES
if [ "$DLPERF_OPT_BACKEND" != cpu ]; then
  gpus=$("$DLPERF_PYTHON" -c 'import mxnet; print(mxnet.context.num_gpus())') || gpus=0
  if [ "$gpus" -gt 0 ]; then workers=1; fi
fi
export DMLC_NUM_WORKER=$((workers * DLPERF_NODES)) DMLC_NUM_SERVER=$DLPERF_NODES

helper() {
  DMLC_ROLE=$1 CUDA_VISIBLE_DEVICES='' "$DLPERF_PYTHON" -c 'import mxnet' &
  jobs+=($!)
}

if [ "$DMLC_NUM_WORKER" -gt 1 ]; then
  unset PORT # else all of them would listen there
  DMLC_PS_ROOT_URI=$(address "$DLPERF_MASTER_ADDR")
  export DMLC_PS_ROOT_URI DMLC_PS_ROOT_PORT=$DLPERF_MASTER_PORT
  if [ -n "$DLPERF_INTERFACE" ] && [ -e "/sys/class/net/$DLPERF_INTERFACE" ]; then
    export DMLC_INTERFACE=$DLPERF_INTERFACE
  else
    IFS=, read -ra nodes <<<"$DLPERF_NODE_ADDRESSES"
    DMLC_NODE_HOST=$(address "${nodes[DLPERF_NODE_RANK]}")
    export DMLC_NODE_HOST
  fi
  if [ "$DLPERF_NODE_RANK" = 0 ]; then helper scheduler; fi
  helper server
fi
for ((worker = DLPERF_NODE_RANK * workers; worker < (DLPERF_NODE_RANK + 1) * workers; ++worker)); do
  DMLC_ROLE=worker "$DLPERF_PYTHON" "$DLPERF_RECIPE_DIR/train.py" "${options[@]}" --process "$worker" &
  jobs+=($!)
done
wait_for_jobs
