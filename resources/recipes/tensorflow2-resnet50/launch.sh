#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# TensorFlow's official ResNet50 as DLPerf ran it: the trainer prints every 100 iterations, so warmup and train are
# multiples of 100. What DLPerf edited in a file for each node is written here.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"
# shellcheck source=resources/recipes/shared/classifier.sh
. "$DLPERF_RECIPE_DIR/classifier.sh"

rate='{"name": "piecewise_constant_with_warmup", "examples_per_epoch": 640512'
if [ "$DLPERF_NODES" -gt 1 ]; then
  write_config "$rate"', "initial_lr": 1.024, "warmup_epochs": 1}'
else
  write_config "$rate"', "initial_lr": 0.256, "warmup_epochs": 0}'
fi

export PYTHONPATH=$DLPERF_OPT_SOURCE_DIR${PYTHONPATH:+:$PYTHONPATH}
exec "$DLPERF_PYTHON" -m official.vision.image_classification.classifier_trainer \
  --mode=train_and_eval --model_type=resnet --dataset=imagenet --log_steps=100 \
  --model_dir="$DLPERF_RUN_DIR/output" --data_dir="$data" --config_file="$DLPERF_RUN_DIR/config.yaml"
