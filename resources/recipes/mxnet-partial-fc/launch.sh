#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# InsightFace's Partial FC of MXNet: DLPerf started it by horovodrun on one node and by mpirun on several. (Its
# HOROVOD_GPU_BROADCAST=NCLL, misspelled, is read only while Horovod is built.)
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"
# shellcheck source=resources/recipes/shared/mpi.sh
. "$DLPERF_RECIPE_DIR/mpi.sh"

preset MXNET_CPU_WORKER_NTHREADS=3
if [ "$DLPERF_NODES" -eq 1 ]; then
  preset HOROVOD_CACHE_CAPACITY=0
  start=("${horovod[@]}")
else
  preset HOROVOD_CACHE_CAPACITY=1024 OMP_NUM_THREADS=2 MXNET_USE_OPERATOR_TUNING=1 \
    MXNET_USE_NUM_CORES_OPERATOR_TUNING=1 MXNET_CUDNN_AUTOTUNE_DEFAULT=1
  forward MXNET_CPU_WORKER_NTHREADS HOROVOD_CACHE_CAPACITY OMP_NUM_THREADS MXNET_USE_OPERATOR_TUNING \
    MXNET_USE_NUM_CORES_OPERATOR_TUNING MXNET_CUDNN_AUTOTUNE_DEFAULT
  start=("${mpi[@]}")
fi

values=(config.batch_size="$DLPERF_BATCH_SIZE" config.max_update="$DLPERF_TRAIN" config.frequent=1
  config.sample_ratio="$DLPERF_OPT_SAMPLE_RATIO" config.rec="$data/train.rec")
if [ "$DLPERF_PRECISION" = fp16 ]; then values+=(config.fp16=True); else values+=(config.fp16=False); fi
if is_yes synthetic "$DLPERF_OPT_SYNTHETIC"; then values+=(config.debug=1); fi

exec "${start[@]}" "$DLPERF_PYTHON" "$DLPERF_RECIPE_DIR/face.py" \
  "$DLPERF_OPT_SOURCE_DIR/recognition/partial_fc/mxnet/train_memory.py" default "${values[@]}" -- \
  --network r100 --loss arcface --dataset "$DLPERF_OPT_DATASET" --models-root '{scratch}'
