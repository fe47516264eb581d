#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# OneFlow-Benchmark's Wide & Deep: every node runs the same command; its batch size is that of all devices. DLPerf's
# figure is the time between two lines that are 1000 iterations apart.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"

input=(--dataset_format=ofrecord --train_data_dir="$data/train" --eval_data_dir="$data/val"
  --train_data_part_num="$DLPERF_OPT_TRAIN_PARTS" --eval_data_part_num="$DLPERF_OPT_VAL_PARTS"
  --train_part_name_suffix_length=5 --eval_part_name_suffix_length=5)
if is_yes synthetic "$DLPERF_OPT_SYNTHETIC"; then input=(--dataset_format=synthetic); fi

exec "$DLPERF_PYTHON" "$DLPERF_OPT_SOURCE_DIR/ClickThroughRate/WideDeepLearning/wdl_train_eval.py" \
  --num_nodes="$DLPERF_NODES" --gpu_num_per_node="$DLPERF_DEVICES" --node_ips="$DLPERF_NODE_ADDRESSES" \
  --ctrl_port="$DLPERF_MASTER_PORT" --batch_size="$world_batch" --max_iter="$DLPERF_TRAIN" \
  --loss_print_every_n_iter=100 --eval_interval=1000000 "${input[@]}" --learning_rate=0.001 --deep_dropout_rate=0.5 \
  --wide_vocab_size="$DLPERF_OPT_VOCABULARY" --deep_vocab_size="$DLPERF_OPT_VOCABULARY" \
  --deep_embedding_vec_size="$DLPERF_OPT_EMBEDDING" --hidden_units_num="$DLPERF_OPT_HIDDEN_LAYERS" --hidden_size=1024
