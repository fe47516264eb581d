#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# NVIDIA's PyTorch BERT; its batch size is a device's, fp16 and amp are the same to it. The extractor skips the first
# five iterations, and the last line has another form, so a few more are run.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"

export TRAINER=$DLPERF_OPT_SOURCE_DIR/PyTorch/LanguageModeling/BERT/run_pretraining.py
case $DLPERF_OPT_OPTIMIZER in
  adam) program=$DLPERF_RECIPE_DIR/adam.py ;;
  lamb) program=$TRAINER ;;
  *) unknown optimizer "$DLPERF_OPT_OPTIMIZER" ;;
esac
precision=()
if [ "$DLPERF_PRECISION" != fp32 ]; then
  precision=(--fp16)
  if [ "$DLPERF_OPT_LOSS_SCALE" != dynamic ]; then
    precision+=(--loss_scale="$DLPERF_OPT_LOSS_SCALE" --init_loss_scale="$DLPERF_OPT_LOSS_SCALE")
  fi
fi

exec "$DLPERF_PYTHON" -m torch.distributed.launch \
  --nnodes="$DLPERF_NODES" --node_rank="$DLPERF_NODE_RANK" --nproc_per_node="$DLPERF_DEVICES" \
  --master_addr="$DLPERF_MASTER_ADDR" --master_port="$DLPERF_MASTER_PORT" \
  "$program" --input_dir="$data" --output_dir="$DLPERF_RUN_DIR/checkpoints" \
  --config_file="$DLPERF_RECIPE_DIR/bert_base.json" --bert_model=bert-base-uncased \
  --train_batch_size="$DLPERF_BATCH_SIZE" --max_seq_length=128 --max_predictions_per_seq=20 \
  --max_steps="$((DLPERF_TRAIN + 30))" --warmup_proportion=1 --learning_rate=6e-3 --seed=42 \
  --num_steps_per_checkpoint=1000000 --skip_checkpoint ${precision[@]+"${precision[@]}"} \
  --do_train --disable_progress_bar --json-summary "$DLPERF_RUN_DIR/dllogger.json"
