#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# NVIDIA's MXNet trainer under horovodrun; its batch size is that of all devices. It writes its lines to standard error
# and to a file, which is not wanted.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"
# shellcheck source=resources/recipes/shared/mpi.sh
. "$DLPERF_RECIPE_DIR/mpi.sh"

case $DLPERF_PRECISION in
  fp32) precision=(--dtype float32 --input-layout NHWC --fuse-bn-relu 0 --fuse-bn-add-relu 0) ;;
  *)
    precision=(--dtype float16 --input-layout NCHW --conv-layout NHWC --batchnorm-layout NHWC --pooling-layout NHWC
      --fuse-bn-relu 1 --fuse-bn-add-relu 1)
    if is_yes amp "$DLPERF_OPT_AMP"; then precision+=(--amp); fi ;;
esac

preset MXNET_UPDATE_ON_KVSTORE=0 MXNET_EXEC_ENABLE_ADDTO=1 MXNET_USE_TENSORRT=0 MXNET_GPU_WORKER_NTHREADS=2 \
  MXNET_GPU_COPY_NTHREADS=1 MXNET_OPTIMIZER_AGGREGATION_SIZE=54 MXNET_HOROVOD_NUM_GROUPS=16 \
  MXNET_EXEC_BULK_EXEC_MAX_NODE_TRAIN_FWD=999 MXNET_EXEC_BULK_EXEC_MAX_NODE_TRAIN_BWD=25 \
  HOROVOD_CYCLE_TIME=0.1 HOROVOD_FUSION_THRESHOLD=67108864 HOROVOD_NUM_NCCL_STREAMS=2

gpus=$(seq -s , 0 "$((DLPERF_DEVICES - 1))")  # of those that CUDA_VISIBLE_DEVICES shows
exec "${horovod[@]}" "$DLPERF_PYTHON" "$DLPERF_RECIPE_DIR/dali_names.py" \
  "$DLPERF_OPT_SOURCE_DIR/MxNet/Classification/RN50v1.5/train.py" \
  "${precision[@]}" --arch resnetv15 --num-layers 50 --num-classes 1000 --mode train \
  --data-train "$data/train.rec" --data-train-idx "$data/train.idx" --data-backend "$DLPERF_OPT_DATA_BACKEND" \
  --dali-fuse-decoder "$DLPERF_OPT_FUSE_DECODER" --dali-threads "$DLPERF_OPT_WORKERS" \
  --gpus "$gpus" --batch-size "$world_batch" --image-shape 3,224,224 --kv-store horovod \
  --lr 0.256 --lr-schedule cosine --optimizer sgd --mom 0.875 --wd 3.0517578125e-05 --label-smoothing 0.1 \
  --benchmark-iters "$DLPERF_TRAIN" --num-epochs 1 --no-metrics --disp-batches 1 --save-frequency 0 \
  --log /dev/null --report ''
