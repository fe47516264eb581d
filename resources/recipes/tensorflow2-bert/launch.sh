#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# TensorFlow's official BERT; its batch size is that of all devices. strategy.py does what DLPerf changed in it.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"

type=fp16
if [ "$DLPERF_PRECISION" = fp32 ]; then type=fp32; fi
xla=false nodes=()
if has xla; then
  xla=true
  preset TF_XLA_FLAGS=--tf_xla_cpu_global_jit
fi
if [ "$DLPERF_NODES" -gt 1 ]; then
  nodes=(--distribution_strategy=multi_worker_mirrored --all_reduce_alg=nccl --task_index="$DLPERF_NODE_RANK"
    --worker_hosts="$(with_port "$DLPERF_NODE_ADDRESSES" "$DLPERF_MASTER_PORT")")
fi

export PYTHONPATH=$DLPERF_OPT_SOURCE_DIR${PYTHONPATH:+:$PYTHONPATH}
exec "$DLPERF_PYTHON" "$DLPERF_RECIPE_DIR/strategy.py" \
  --input_files="$data/*.tfrecord" --bert_config_file="$DLPERF_RECIPE_DIR/bert_base.json" \
  --max_seq_length=128 --max_predictions_per_seq=20 --train_batch_size="$world_batch" \
  --num_steps_per_epoch="$DLPERF_TRAIN" --num_train_epochs=1 --warmup_steps=10000 --use_next_sentence_label=True \
  --train_summary_interval=0 --optimizer_type=adamw --num_gpus="$DLPERF_DEVICES" \
  --datasets_num_private_threads="$DLPERF_OPT_WORKERS" --dtype="$type" --enable_xla="$xla" \
  --model_dir="$DLPERF_RUN_DIR/output" ${nodes[@]+"${nodes[@]}"}
