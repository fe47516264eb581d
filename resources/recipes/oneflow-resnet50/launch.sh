#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every node runs the same command: OneFlow finds its own address in the list of nodes. It prints every 20th
# iteration, so warmup and train are multiples of 20.
set -euo pipefail

export CUDA_VISIBLE_DEVICES=$DLPERF_DEVICE_LIST PYTHONUNBUFFERED=1 NCCL_LAUNCH_MODE=PARALLEL
[ -z "$DLPERF_INTERFACE" ] || export NCCL_SOCKET_IFNAME=$DLPERF_INTERFACE
[ -z "$DLPERF_RDMA" ] || export NCCL_IB_HCA=$DLPERF_RDMA

precision=()
if [ "$DLPERF_PRECISION" = fp16 ]; then
  precision=(--use_fp16 --channel_last=True --pad_output)
fi
data=(--train_data_dir="${DLPERF_OPT_DATA:-$DLPERF_DATA_DIR}/train" --train_data_part_num="$DLPERF_OPT_TRAIN_PARTS")
if [ "$DLPERF_OPT_SYNTHETIC" = yes ]; then data=(); fi

cd "$DLPERF_OPT_SOURCE_DIR"
exec "$DLPERF_OPT_PYTHON" of_cnn_train_val.py --model=resnet50 \
  --num_nodes="$DLPERF_NODES" --gpu_num_per_node="$DLPERF_DEVICES" --node_ips="$DLPERF_NODE_ADDRESSES" \
  --num_examples="$((DLPERF_TRAIN * DLPERF_WORLD_SIZE * DLPERF_BATCH_SIZE))" --num_epoch=1 \
  --batch_size_per_device="$DLPERF_BATCH_SIZE" --val_batch_size_per_device=125 \
  --optimizer=sgd --momentum=0.875 --label_smoothing=0.1 --learning_rate=0.001 \
  --loss_print_every_n_iter=20 ${precision[@]+"${precision[@]}"} ${data[@]+"${data[@]}"} \
  --fuse_bn_relu=True --fuse_bn_add_relu=True --nccl_fusion_threshold_mb=16 --nccl_fusion_max_ops=24 \
  --gpu_image_decoder=True --log_dir="$DLPERF_RUN_DIR/log"
