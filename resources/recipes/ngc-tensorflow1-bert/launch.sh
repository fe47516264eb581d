#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# NVIDIA's TensorFlow 1 BERT under horovodrun or mpirun, as DLPerf; its batch size is a device's. It prints every tenth
# iteration. It saves its model when it ends, beside its log, where nobody needs it.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"
# shellcheck source=resources/recipes/shared/mpi.sh
. "$DLPERF_RECIPE_DIR/mpi.sh"

start=() spread=()
if [ "$DLPERF_NODES" -gt 1 ]; then
  start=("${horovod[@]}") spread=(--horovod)
elif [ "$DLPERF_DEVICES" -gt 1 ]; then
  start=("${mpi[@]}") spread=(--horovod)
fi
precision=()
if [ "$DLPERF_PRECISION" != fp32 ]; then
  case $DLPERF_OPT_FP16_BY in
    amp) precision=(--use_fp16) ;;
    hand) precision=(--manual_fp16) ;;
    *) unknown fp16_by "$DLPERF_OPT_FP16_BY" ;;
  esac
fi
if has xla; then precision+=(--use_xla); fi

status=0
${start[@]+"${start[@]}"} "$DLPERF_PYTHON" "$DLPERF_RECIPE_DIR/own_folder.py" \
  "$DLPERF_OPT_SOURCE_DIR/TensorFlow/LanguageModeling/BERT/run_pretraining.py" \
  --input_files_dir="$data" --eval_files_dir="$data" --bert_config_file="$DLPERF_RECIPE_DIR/bert_base.json" \
  --output_dir=. --dllog_path=/dev/null --do_train=True --do_eval=False --train_batch_size="$DLPERF_BATCH_SIZE" \
  --eval_batch_size=16 --max_seq_length=128 --max_predictions_per_seq=20 --num_train_steps="$DLPERF_TRAIN" \
  --num_warmup_steps=10000 --num_accumulation_steps=1 --save_checkpoints_steps=10000 --display_loss_steps=10 \
  --learning_rate=1e-4 --optimizer_type=adam ${spread[@]+"${spread[@]}"} ${precision[@]+"${precision[@]}"} \
  --allreduce_post_accumulation=False || status=$?
rm -f ./model.ckpt-* ./checkpoint ./graph.pbtxt
exit "$status"
