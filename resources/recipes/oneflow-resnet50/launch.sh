#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# OneFlow-Benchmark's ResNet50: every node runs the same command, OneFlow finds its own address in the list of nodes. It
# prints every 20th iteration, so warmup and train are multiples of 20.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"

preset NCCL_LAUNCH_MODE=PARALLEL
precision=()
if [ "$DLPERF_PRECISION" != fp32 ]; then precision=(--use_fp16=True --channel_last=True --pad_output=True); fi
if has xla; then precision+=(--use_xla=True); fi
input=(--train_data_dir="$data/train" --train_data_part_num="$DLPERF_OPT_TRAIN_PARTS")
if is_yes synthetic "$DLPERF_OPT_SYNTHETIC"; then input=(); fi

exec "$DLPERF_PYTHON" "$DLPERF_OPT_SOURCE_DIR/Classification/cnns/of_cnn_train_val.py" --model=resnet50 \
  --num_nodes="$DLPERF_NODES" --gpu_num_per_node="$DLPERF_DEVICES" --node_ips="$DLPERF_NODE_ADDRESSES" \
  --ctrl_port="$DLPERF_MASTER_PORT" --num_examples="$((DLPERF_TRAIN * world_batch))" --num_epochs=1 \
  --batch_size_per_device="$DLPERF_BATCH_SIZE" --val_batch_size_per_device=125 \
  --optimizer=sgd --momentum=0.875 --label_smoothing=0.1 --learning_rate=0.001 --loss_print_every_n_iter=20 \
  ${precision[@]+"${precision[@]}"} ${input[@]+"${input[@]}"} --fuse_bn_relu=True --fuse_bn_add_relu=True \
  --nccl_fusion_threshold_mb=16 --nccl_fusion_max_ops=24 --gpu_image_decoder="$DLPERF_OPT_GPU_DECODER" \
  --log_dir="$DLPERF_RUN_DIR/oneflow_log" --model_save_dir="$DLPERF_RUN_DIR/model"
