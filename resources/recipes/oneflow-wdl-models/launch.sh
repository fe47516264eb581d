#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# OneFlow models' Wide & Deep, as DLPerf's measurements of 2021-12: one launcher a node, one process a device.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"

preset ONEFLOW_KERNEL_ENABLE_CUDA_GRAPH=1 ONEFLOW_THREAD_ENABLE_LOCAL_MESSAGE_QUEUE=1 \
  ONEFLOW_KERNEL_DISABLE_BLOB_ACCESS_CHECKER=1 ONEFLOW_ACTOR_ENABLE_LIGHT_ACTOR=1
if [ -e "$DLPERF_OPT_PRELOAD" ]; then preset LD_PRELOAD="$DLPERF_OPT_PRELOAD"; fi

mode=(--execution_mode "$DLPERF_OPT_MODE")
case $DLPERF_OPT_MODE in
  graph | eager) ;;
  ddp) mode=(--execution_mode eager --ddp) ;;
  *) unknown mode "$DLPERF_OPT_MODE" ;;
esac
input=(--dataset_format ofrecord --data_dir "$data" --data_part_num "$DLPERF_OPT_TRAIN_PARTS"
  --data_part_name_suffix_length 5)
if is_yes synthetic "$DLPERF_OPT_SYNTHETIC"; then input=(--dataset_format synthetic); fi

exec "$DLPERF_PYTHON" -m oneflow.distributed.launch \
  --nnodes "$DLPERF_NODES" --node_rank "$DLPERF_NODE_RANK" --nproc_per_node "$DLPERF_DEVICES" \
  --master_addr "$DLPERF_MASTER_ADDR" --master_port "$DLPERF_MASTER_PORT" \
  "$DLPERF_OPT_SOURCE_DIR/RecommenderSystems/wide_and_deep/train.py" "${mode[@]}" "${input[@]}" \
  --batch_size "$world_batch" --batch_size_per_proc "$DLPERF_BATCH_SIZE" --max_iter "$((DLPERF_TRAIN + 100))" \
  --loss_print_every_n_iter 100 --eval_interval 0 --learning_rate 0.001 --deep_dropout_rate 0.5 \
  --wide_vocab_size "$DLPERF_OPT_VOCABULARY" --deep_vocab_size "$DLPERF_OPT_VOCABULARY" \
  --deep_embedding_vec_size "$DLPERF_OPT_EMBEDDING" --hidden_units_num "$DLPERF_OPT_HIDDEN_LAYERS" --hidden_size 1024 \
  --model_save_dir '' --test_name "$DLPERF_RUN_ID"
