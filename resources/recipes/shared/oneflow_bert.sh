#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the two revisions of OneFlow-Benchmark's BERT have in common: every node runs the same command. It prints every
# 20th iteration and numbers them from 0: 19, 39, … 119. Sets `command`.
set -euo pipefail

program=("$DLPERF_OPT_SOURCE_DIR/LanguageModeling/BERT/run_pretraining.py")
if has no-clip; then
  if has clip; then fail "clip and no-clip exclude each other"; fi
  program=("$DLPERF_RECIPE_DIR/no_clip.py" "${program[@]}")
fi
precision=()
if [ "$DLPERF_PRECISION" != fp32 ]; then precision=(--use_fp16=True); fi

# shellcheck disable=SC2034  # used by who sources this
command=("$DLPERF_PYTHON" "${program[@]}" --num_nodes="$DLPERF_NODES" --gpu_num_per_node="$DLPERF_DEVICES"
  --node_ips="$DLPERF_NODE_ADDRESSES" --batch_size_per_device="$DLPERF_BATCH_SIZE" --iter_num="$((DLPERF_TRAIN + 21))"
  --data_dir="$data" --data_part_num="$DLPERF_OPT_TRAIN_PARTS" --learning_rate=1e-4 --loss_print_every_n_iter=20
  --seq_length=128 --max_predictions_per_seq=20 --num_hidden_layers=12 --num_attention_heads=12
  --max_position_embeddings=512 --type_vocab_size=2 --vocab_size=30522 --attention_probs_dropout_prob=0.1
  --hidden_dropout_prob=0.1 --hidden_size_per_head=64 --model_save_every_n_iter=1000000
  --log_dir="$DLPERF_RUN_DIR/oneflow_log" --model_save_dir="$DLPERF_RUN_DIR/model" ${precision[@]+"${precision[@]}"})
