#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One process a device, each of which sees its own GPU only and is told by TF_CONFIG where all of them listen: from the
# master port on, each on a port of its own.
set -euo pipefail
# shellcheck source=resources/recipes/shared/training.sh
. "$DLPERF_RECIPE_DIR/training.sh"
end_signal=KILL # TERM is only a notice to TensorFlow
# shellcheck source=resources/recipes/shared/processes.sh
. "$DLPERF_RECIPE_DIR/processes.sh"

preset TF_CPP_MIN_LOG_LEVEL=1  # no lines that only inform
workers=
port=$DLPERF_MASTER_PORT
IFS=, read -ra nodes <<<"$DLPERF_NODE_ADDRESSES"
for node in "${nodes[@]}"; do
  for ((device = 0; device < DLPERF_DEVICES; ++device)); do
    workers+=${workers:+, }\"$node:$((port++))\"
  done
done

IFS=, read -ra devices <<<"$DLPERF_DEVICE_LIST"
for ((device = 0; device < DLPERF_DEVICES; ++device)); do
  if [ "$DLPERF_OPT_BACKEND" != cpu ]; then export CUDA_VISIBLE_DEVICES=${devices[device]}; fi
  index=$((DLPERF_NODE_RANK * DLPERF_DEVICES + device))
  TF_CONFIG="{\"cluster\": {\"worker\": [$workers]}, \"task\": {\"type\": \"worker\", \"index\": $index}}" \
    "$DLPERF_PYTHON" "$DLPERF_RECIPE_DIR/train.py" "${options[@]}" &
  jobs+=($!)
done
wait_for_jobs
