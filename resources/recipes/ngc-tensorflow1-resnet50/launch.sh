#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# NVIDIA's TensorFlow 1 trainer under mpirun, one process a device. Learning rate, warm-up and share of the memory are
# those of DLPerf's scripts for one node and for several. The hook that prints speeds is silent for 20 iterations.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"
# shellcheck source=resources/recipes/shared/mpi.sh
. "$DLPERF_RECIPE_DIR/mpi.sh"

start=() schedule=(--warmup_steps=10000 --lr_init=0.001)
if [ "$DLPERF_WORLD_SIZE" -gt 1 ]; then start=("${mpi[@]}"); fi
if [ "$DLPERF_NODES" -gt 1 ]; then schedule=(--warmup_steps=0 --lr_init=0.256 --gpu_memory_fraction=0.98); fi

case $DLPERF_PRECISION in
  fp32) precision=(--precision=fp32) ;;
  fp16) precision=(--precision=fp16) ;;
  amp) precision=(--precision=fp32 --use_tf_amp) ;;
esac
if [ "$DLPERF_PRECISION" != fp32 ] && [ "$DLPERF_OPT_LOSS_SCALE" != none ]; then
  precision+=(--use_static_loss_scaling --loss_scale="$DLPERF_OPT_LOSS_SCALE")
fi

input=(--data_dir="$data/tfrecords")
if is_yes synthetic "$DLPERF_OPT_SYNTHETIC"; then
  if has dali; then fail "synthetic data does not come from DALI"; fi
  input=()
fi
if has dali; then input+=(--use_dali --data_idx_dir="$data/dali_idx"); fi
if has xla; then input+=(--use_xla); fi

exec ${start[@]+"${start[@]}"} "$DLPERF_PYTHON" \
  "$DLPERF_OPT_SOURCE_DIR/TensorFlow/Classification/ConvNets/main.py" \
  --arch=resnet50 --mode=train --iter_unit=batch --num_iter="$DLPERF_TRAIN" --batch_size="$DLPERF_BATCH_SIZE" \
  "${schedule[@]}" --lr_warmup_epochs=8 --use_cosine_lr --label_smoothing=0.1 --momentum=0.875 \
  --weight_decay=3.0517578125e-05 --weight_init=fan_in "${precision[@]}" ${input[@]+"${input[@]}"} \
  --results_dir=. --display_every=1
