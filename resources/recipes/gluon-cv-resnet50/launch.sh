#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gluon-cv's trainer under mpirun, one process a device. It has no iteration limit: the run is stopped once it is
# measured. What it would save goes beside it, and only at the end of an epoch.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"
# shellcheck source=resources/recipes/shared/mpi.sh
. "$DLPERF_RECIPE_DIR/mpi.sh"

type=float16
if [ "$DLPERF_PRECISION" = fp32 ]; then type=float32; fi
export SPEED_OF=$world_batch SPEED_LINES=$DLPERF_TRAIN
forward SPEED_OF SPEED_LINES

exec "${mpi[@]}" "$DLPERF_PYTHON" "$DLPERF_RECIPE_DIR/speed_lines.py" \
  "$DLPERF_OPT_SOURCE_DIR/scripts/classification/imagenet/train_horovod.py" \
  --model=resnet50_v1b --use-rec --rec-train="$data/train.rec" --rec-val="$data/val.rec" \
  --data-nthreads="$DLPERF_OPT_WORKERS" --batch-size="$DLPERF_BATCH_SIZE" --dtype="$type" \
  --lr=0.001 --momentum=0.875 --wd=0.000030518 --num-epochs=1 --warmup-epochs=1 \
  --log-interval=1 --save-frequency=10000 --save-dir=.
