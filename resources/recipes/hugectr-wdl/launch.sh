#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# HugeCTR by the program of DLPerf's own: one process a node for all of its GPUs, its batch size is that of all devices.
# DLPerf measured one node; on several HugeCTR wants mpirun with one process on each.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"
# shellcheck disable=SC2034  # used by mpi.sh
per_node=1
# shellcheck source=resources/recipes/shared/mpi.sh
. "$DLPERF_RECIPE_DIR/mpi.sh"

start=()
if [ "$DLPERF_NODES" -gt 1 ]; then start=("${mpi[@]}"); fi

exec ${start[@]+"${start[@]}"} "$DLPERF_PYTHON" "$DLPERF_OPT_SOURCE_DIR/HugeCTR/wdl/scripts/wdl.py" \
  --num_nodes "$DLPERF_NODES" --gpu_num_per_node "$DLPERF_DEVICES" --batch_size "$world_batch" --data_dir "$data" \
  --max_iter "$((DLPERF_TRAIN + 100))" --loss_print_every_n_iter 100 --eval_interval 1000000 --eval_batchs 20 \
  --wide_workspace_size_per_gpu_in_mb "$DLPERF_OPT_WIDE_WORKSPACE" \
  --deep_workspace_size_per_gpu_in_mb "$DLPERF_OPT_DEEP_WORKSPACE" \
  --deep_embedding_vec_size "$DLPERF_OPT_EMBEDDING" --hidden_units_num "$DLPERF_OPT_HIDDEN_LAYERS" --hidden_size 1024
