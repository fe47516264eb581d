#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# train.py takes the batch size of a whole node and stops by itself after max_iter iterations. Threads, memory and
# learning rate are those of DLPerf's scripts for one node and for several.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"

launcher=() schedule=cosine_decay threads=8 memory=0.98 reader=(--use_dali=false)
if [ "$DLPERF_NODES" -gt 1 ]; then
  IFS=, read -r -a addresses <<<"$DLPERF_NODE_ADDRESSES"
  launcher=(--cluster_node_ips="$DLPERF_NODE_ADDRESSES" --node_ip="${addresses[$DLPERF_NODE_RANK]}"
    --started_port="$DLPERF_MASTER_PORT")
  schedule=piecewise_decay
elif [ "$DLPERF_DEVICES" -eq 3 ] || [ "$DLPERF_DEVICES" -eq 4 ]; then
  threads=12
fi
if has dali; then
  threads=10 memory=0.8 reader=(--use_dali=true)
  preset DALI_EXTRA_PATH="$DLPERF_OPT_DALI_EXTRA"
  if [ "$DLPERF_NODES" -gt 1 ] && is_yes dali_as_dlperf "$DLPERF_OPT_DALI_AS_DLPERF"; then reader=(); fi
fi
preset FLAGS_fraction_of_gpu_memory_to_use="$memory"

format=NCHW precision=()
if [ "$DLPERF_PRECISION" != fp32 ]; then
  format=NHWC
  precision=(--use_fp16=True --fuse_elewise_add_act_ops=true --fuse_bn_act_ops=true)
  case $DLPERF_OPT_LOSS_SCALING in
    dynamic) precision+=(--use_dynamic_loss_scaling=true --scale_loss="$DLPERF_OPT_SCALE_LOSS") ;;
    static) precision+=(--use_dynamic_loss_scaling=false --scale_loss="$DLPERF_OPT_SCALE_LOSS") ;;
    off) precision+=(--use_dynamic_loss_scaling=false --scale_loss=1.0) ;;
    *) unknown loss_scaling "$DLPERF_OPT_LOSS_SCALING" ;;
  esac
  preset FLAGS_conv_workspace_size_limit=4000 FLAGS_cudnn_exhaustive_search=1 FLAGS_cudnn_batchnorm_spatial_persistent=1
fi

cd "$DLPERF_OPT_SOURCE_DIR/PaddleCV/image_classification"  # its modules are looked for in the working folder
exec "$DLPERF_PYTHON" -m paddle.distributed.launch ${launcher[@]+"${launcher[@]}"} train.py \
  ${precision[@]+"${precision[@]}"} --data_format="${DLPERF_OPT_DATA_FORMAT:-$format}" --data_dir="$data" \
  --total_images=1302936 --class_dim=1000 --validate=False --model=ResNet50 --batch_size="$node_batch" \
  --reader_thread="${DLPERF_OPT_READER_THREAD:-$threads}" ${reader[@]+"${reader[@]}"} \
  --lr_strategy="$schedule" --lr=0.001 --momentum_rate=0.875 --l2_decay=0.000030518 --warm_up_epochs=1 \
  --image_shape 3 224 224 --use_mixup=False --use_label_smoothing=True --label_smoothing_epsilon=0.1 \
  --max_iter="$DLPERF_TRAIN" --print_step=1 --save_step=1000000 --model_save_dir="$DLPERF_RUN_DIR/output"
