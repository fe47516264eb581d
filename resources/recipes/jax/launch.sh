#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One process a device, all started here: JAX has no launcher of its own.
set -euo pipefail
# shellcheck source=resources/recipes/shared/training.sh
. "$DLPERF_RECIPE_DIR/training.sh"
# shellcheck source=resources/recipes/shared/processes.sh
. "$DLPERF_RECIPE_DIR/processes.sh"

# XLA takes its number of threads from NPROC; without the flag, kernels use another pool, of all cores, besides.
preset NPROC="$DLPERF_OPT_THREADS"
if [ "$DLPERF_OPT_THREADS" = 1 ]; then
  export XLA_FLAGS="--xla_cpu_multi_thread_eigen=false ${XLA_FLAGS:-}"  # the last one holds
fi

for ((device = 0; device < DLPERF_DEVICES; device++)); do
  "$DLPERF_PYTHON" "$DLPERF_RECIPE_DIR/train.py" "${options[@]}" --device "$device" &
  jobs+=($!)
done
wait_for_jobs
