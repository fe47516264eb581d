#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gluon-nlp's BERT under mpirun; its batch size is that of all devices, and every process prints every iteration. It
# saves the model when it ends, beside its log, where nobody needs it.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"
# shellcheck source=resources/recipes/shared/mpi.sh
. "$DLPERF_RECIPE_DIR/mpi.sh"

type=float16
if [ "$DLPERF_PRECISION" = fp32 ]; then type=float32; fi
input=(--data "$data/*.np[yz]")  # the trainer expands it
if is_yes synthetic "$DLPERF_OPT_SYNTHETIC"; then input+=(--synthetic_data); fi

status=0
"${mpi[@]}" "$DLPERF_PYTHON" "$DLPERF_RECIPE_DIR/padding.py" "$DLPERF_OPT_SOURCE_DIR/scripts/bert/run_pretraining.py" \
  --model bert_12_768_12 --dtype "$type" "${input[@]}" --data_eval '' --comm_backend horovod \
  --total_batch_size "$world_batch" --total_batch_size_eval "$world_batch" --accumulate 1 \
  --lr 1e-4 --warmup_ratio 1 --max_seq_length 128 --max_predictions_per_seq 20 --no_compute_acc \
  --num_steps "$DLPERF_TRAIN" --log_interval 1 --ckpt_interval 1000000 --ckpt_dir . || status=$?
rm -f ./*.params ./*.states.*
exit "$status"
