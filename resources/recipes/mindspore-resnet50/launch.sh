#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# MindSpore's ResNet50 by DLPerf's trainer; see mindspore.sh. DLPerf ran 200 iterations and read 120.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"
# shellcheck source=resources/recipes/shared/mpi.sh
. "$DLPERF_RECIPE_DIR/mpi.sh"
# shellcheck source=resources/recipes/shared/mindspore.sh
. "$DLPERF_RECIPE_DIR/mindspore.sh"

zoo cv/resnet
type=fp16
if [ "$DLPERF_PRECISION" = fp32 ]; then type=fp32; fi
distributed=()
if [ "$DLPERF_WORLD_SIZE" -gt 1 ]; then distributed=(--run_distribute=True --device_num="$DLPERF_DEVICES"); fi

exec ${start[@]+"${start[@]}"} "$DLPERF_PYTHON" "$DLPERF_RECIPE_DIR/own_folder.py" \
  "$DLPERF_OPT_SOURCE_DIR/MindSpore/resnet50v1.5/train.py" \
  --net=resnet50 --dataset=imagenet2012 --device_target=GPU --dataset_path="$data/train" \
  ${distributed[@]+"${distributed[@]}"} --data_sink_steps=10 --train_steps="$((DLPERF_TRAIN + 80))" \
  --batch_size="$DLPERF_BATCH_SIZE" --dtype="$type"
