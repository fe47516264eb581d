#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# train.py takes the batch size of a whole node and stops by itself after max_iter iterations.
set -euo pipefail

export CUDA_VISIBLE_DEVICES=$DLPERF_DEVICE_LIST PYTHONUNBUFFERED=1
[ -z "$DLPERF_INTERFACE" ] || export NCCL_SOCKET_IFNAME=$DLPERF_INTERFACE
[ -z "$DLPERF_RDMA" ] || export NCCL_IB_HCA=$DLPERF_RDMA

dali=false threads=8 memory=0.98 format=NCHW precision=()
if [ "$DLPERF_DEVICES" -eq 3 ] || [ "$DLPERF_DEVICES" -eq 4 ]; then threads=12; fi
if [ "$DLPERF_FEATURES" = dali ]; then
  dali=true threads=10 memory=0.8
fi
export FLAGS_fraction_of_gpu_memory_to_use=$memory
if [ "$DLPERF_PRECISION" = fp16 ]; then
  format=NHWC
  precision=(--use_fp16=True --use_dynamic_loss_scaling=true --scale_loss=128.0
    --fuse_elewise_add_act_ops=true --fuse_bn_act_ops=true)
  export FLAGS_conv_workspace_size_limit=4000 FLAGS_cudnn_exhaustive_search=1
  export FLAGS_cudnn_batchnorm_spatial_persistent=1
fi

launcher=() schedule=cosine_decay
if [ "$DLPERF_NODES" -gt 1 ]; then
  IFS=, read -r -a addresses <<<"$DLPERF_NODE_ADDRESSES"
  launcher=(--cluster_node_ips="$DLPERF_NODE_ADDRESSES" --node_ip="${addresses[$DLPERF_NODE_RANK]}"
    --started_port="$DLPERF_MASTER_PORT")
  schedule=piecewise_decay
fi

cd "$DLPERF_OPT_SOURCE_DIR"
exec "$DLPERF_OPT_PYTHON" -m paddle.distributed.launch ${launcher[@]+"${launcher[@]}"} train.py \
  ${precision[@]+"${precision[@]}"} --data_format="${DLPERF_OPT_DATA_FORMAT:-$format}" \
  --data_dir="${DLPERF_OPT_DATA:-$DLPERF_DATA_DIR}" --total_images=1302936 --class_dim=1000 --validate=False \
  --model=ResNet50 --batch_size="$((DLPERF_BATCH_SIZE * DLPERF_DEVICES))" --print_step=1 --save_step=10000 \
  --reader_thread="${DLPERF_OPT_READER_THREAD:-$threads}" --lr_strategy="$schedule" --lr=0.001 \
  --momentum_rate=0.875 --image_shape 3 224 224 --max_iter="$DLPERF_TRAIN" \
  --model_save_dir="$DLPERF_RUN_DIR/output" --l2_decay=0.000030518 --warm_up_epochs=1 --use_mixup=False \
  --use_label_smoothing=True --label_smoothing_epsilon=0.1 --use_dali="$dali"
