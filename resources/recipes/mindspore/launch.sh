#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One process a device. Several meet at a scheduler on the first node, as the variables MS_* tell; it ends after them.
# msrun would set the same, but it leaves its workers behind when it is ended, and what they print in files.
set -euo pipefail
# shellcheck source=resources/recipes/shared/training.sh
. "$DLPERF_RECIPE_DIR/training.sh"
end_signal=KILL
# shellcheck source=resources/recipes/shared/processes.sh
. "$DLPERF_RECIPE_DIR/processes.sh"

preset GLOG_v=3  # errors only: MindSpore warns of all that it does
if [ "$DLPERF_WORLD_SIZE" -gt 1 ]; then
  IFS=, read -ra nodes <<<"$DLPERF_NODE_ADDRESSES"
  MS_SCHED_HOST=$(address "$DLPERF_MASTER_ADDR")
  MS_WORKER_IP=$(address "${nodes[DLPERF_NODE_RANK]}")
  export MS_SCHED_HOST MS_SCHED_PORT=$DLPERF_MASTER_PORT MS_WORKER_IP MS_WORKER_NUM=$DLPERF_WORLD_SIZE
  if [ "$DLPERF_NODE_RANK" = 0 ]; then
    MS_ROLE=MS_SCHED CUDA_VISIBLE_DEVICES='' "$DLPERF_PYTHON" -c '
import mindspore.communication
mindspore.set_device("CPU")
mindspore.communication.init()' &
    jobs+=($!)
  fi
  export MS_ROLE=MS_WORKER
fi
for ((device = 0; device < DLPERF_DEVICES; ++device)); do
  DEVICE_ID=$device MS_NODE_ID=$((DLPERF_NODE_RANK * DLPERF_DEVICES + device)) \
    "$DLPERF_PYTHON" "$DLPERF_RECIPE_DIR/train.py" "${options[@]}" &
  jobs+=($!)
done
wait_for_jobs
