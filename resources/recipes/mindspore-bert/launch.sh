#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# MindSpore's BERT by DLPerf's trainer; see mindspore.sh.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"
# shellcheck source=resources/recipes/shared/mpi.sh
. "$DLPERF_RECIPE_DIR/mpi.sh"
# shellcheck source=resources/recipes/shared/mindspore.sh
. "$DLPERF_RECIPE_DIR/mindspore.sh"

zoo nlp/bert
type=fp16 scaled=true
if [ "$DLPERF_PRECISION" = fp32 ]; then type=fp32 scaled=false; fi
distributed=false fusion=false
if [ "$DLPERF_WORLD_SIZE" -gt 1 ]; then distributed=true; fi
if has graph-kernel-fusion; then fusion=true; fi

exec ${start[@]+"${start[@]}"} "$DLPERF_PYTHON" "$DLPERF_RECIPE_DIR/own_folder.py" \
  "$DLPERF_OPT_SOURCE_DIR/MindSpore/bert/run_pretrain.py" \
  --device_target=GPU --distribute="$distributed" --epoch_size=1 --enable_save_ckpt=false --enable_lossscale="$scaled" \
  --enable_data_sink=true --data_sink_steps=10 --train_steps="$DLPERF_TRAIN" --data_dir="$data" --schema_dir= \
  --enable_graph_kernel="$fusion" --batch_size="$DLPERF_BATCH_SIZE" --dtype="$type"
