#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# InsightFace's ArcFace of MXNet: one process for all GPUs of one node. It prints every 20th iteration and ends itself.
# shellcheck disable=SC2154  # what upstream.sh sets
set -euo pipefail

[ "$DLPERF_NODES" -eq 1 ] || fail "this trainer trains on one node only; mxnet-partial-fc does on several"
program=train_parall.py
if has data-parallel; then
  if has model-parallel; then fail "data-parallel and model-parallel exclude each other"; fi
  program=train.py
fi

exec "$DLPERF_PYTHON" "$DLPERF_RECIPE_DIR/face.py" "$DLPERF_OPT_SOURCE_DIR/recognition/ArcFace/$program" \
  config=sample_config config.max_steps="$DLPERF_TRAIN" config.dataset_path="$data" -- \
  --network "$DLPERF_OPT_NETWORK" --loss arcface --dataset "$DLPERF_OPT_DATASET" \
  --per-batch-size "$DLPERF_BATCH_SIZE" --frequent 20 --ckpt 0 --models-root '{scratch}'
