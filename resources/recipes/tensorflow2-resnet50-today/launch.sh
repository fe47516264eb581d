#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The same trainer in today's package, where it lies among what is kept for old users; Keras 2 is asked for by name.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"
# shellcheck source=resources/recipes/shared/classifier.sh
. "$DLPERF_RECIPE_DIR/classifier.sh"

write_config '{"warmup_epochs": 0}'
preset TF_USE_LEGACY_KERAS=1
exec "$DLPERF_PYTHON" -m official.legacy.image_classification.classifier_trainer \
  --mode=train_and_eval --model_type=resnet --dataset=imagenet --log_steps="$DLPERF_OPT_LOG_STEPS" \
  --model_dir="$DLPERF_RUN_DIR/output" --data_dir="$data" --config_file="$DLPERF_RUN_DIR/config.yaml"
