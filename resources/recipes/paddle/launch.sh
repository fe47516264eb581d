#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One launcher of Paddle a node, one process a device. It gives each process one device of CUDA_VISIBLE_DEVICES, so it
# needs the list also where train.py then computes on the CPU.
set -euo pipefail
# shellcheck source=resources/recipes/shared/training.sh
. "$DLPERF_RECIPE_DIR/training.sh"

export CUDA_VISIBLE_DEVICES=$DLPERF_DEVICE_LIST
preset FLAGS_paddle_num_threads="$DLPERF_OPT_THREADS"
arguments=(--nnodes "$DLPERF_NODES" --nproc_per_node "$DLPERF_DEVICES" --max_restart 0
  --log_dir "$DLPERF_RUN_DIR/paddle" --log_level WARNING --enable_gpu_log False)
if [ "$DLPERF_NODES" -gt 1 ]; then
  arguments+=(--master "$DLPERF_MASTER_ADDR:$DLPERF_MASTER_PORT" --rank "$DLPERF_NODE_RANK")
fi

# The launcher sends what the processes print to files and copies only the first one's, every two seconds. So they get
# standard output also as standard input, which the launcher leaves alone, and print there.
exec "$DLPERF_PYTHON" "$DLPERF_RECIPE_DIR/launcher.py" "${arguments[@]}" \
  "$DLPERF_RECIPE_DIR/train.py" "${options[@]}" <&1
