#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# OneFlow-Benchmark's ResNet50 of DLPerf's first report: it knows neither fused batch normalisation nor the GPU decoder
# nor a control port (its own is 12138), and names two options otherwise.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"

preset NCCL_LAUNCH_MODE=PARALLEL
precision=()
if [ "$DLPERF_PRECISION" != fp32 ]; then precision=(--use_fp16=True); fi
input=(--train_data_dir="$data/train" --train_data_part_num="$DLPERF_OPT_TRAIN_PARTS")
if is_yes synthetic "$DLPERF_OPT_SYNTHETIC"; then input=(); fi

exec "$DLPERF_PYTHON" "$DLPERF_OPT_SOURCE_DIR/Classification/cnns/of_cnn_train_val.py" --model=resnet50 \
  --num_nodes="$DLPERF_NODES" --gpu_num_per_node="$DLPERF_DEVICES" --node_ips="$DLPERF_NODE_ADDRESSES" \
  --num_examples="$((DLPERF_TRAIN * world_batch))" --num_epochs=1 \
  --batch_size_per_device="$DLPERF_BATCH_SIZE" --val_batch_size_per_device=125 \
  --model_update=momentum --mom=0.875 --label-smoothing=0.1 --learning_rate=0.001 --loss_print_every_n_iter=20 \
  ${precision[@]+"${precision[@]}"} ${input[@]+"${input[@]}"} \
  --log_dir="$DLPERF_RUN_DIR/oneflow_log" --model_save_dir="$DLPERF_RUN_DIR/model"
