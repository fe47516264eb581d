#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Paddle's BERT: one process a node for all of its GPUs, a batch is counted in tokens, a device's. The first process
# waits a minute for the others. DLPerf switched InfiniBand off for it.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"

source=$DLPERF_OPT_SOURCE_DIR/PaddleNLP/pretrain_language_models/BERT
distributed=false
if [ "$DLPERF_NODES" -gt 1 ]; then
  distributed=true
  worker_endpoints=$(with_port "$DLPERF_NODE_ADDRESSES" "$DLPERF_MASTER_PORT")
  IFS=, read -r -a endpoints <<<"$worker_endpoints"
  current_endpoint=${endpoints[$DLPERF_NODE_RANK]}
  export worker_endpoints current_endpoint
  unset http_proxy https_proxy
  if is_yes infiniband "$DLPERF_OPT_INFINIBAND"; then :; else preset NCCL_IB_DISABLE=1; fi
fi

fp16=false dynamic=false
if [ "$DLPERF_PRECISION" != fp32 ]; then
  fp16=true
  case $DLPERF_OPT_LOSS_SCALING in
    dynamic) dynamic=true ;;
    static) ;;
    *) unknown loss_scaling "$DLPERF_OPT_LOSS_SCALING" ;;
  esac
fi
if [ -z "$data" ]; then data=$source/data/train; fi

cd "$source"
exec "$DLPERF_PYTHON" -u train.py --is_distributed "$distributed" --use_cuda true --use_fast_executor true \
  --weight_sharing true --generate_neg_sample true --batch_size "$((DLPERF_BATCH_SIZE * 128))" --max_seq_len 128 \
  --data_dir "$data" --validation_set_dir "$data" --vocab_path data/demo_config/vocab.txt \
  --bert_config_path "${DLPERF_OPT_CONFIG:-data/demo_config/bert_config.json}" \
  --learning_rate 1e-4 --weight_decay 0.01 --warmup_steps 120 --num_train_steps "$DLPERF_TRAIN" \
  --use_fp16 "$fp16" --use_dynamic_loss_scaling "$dynamic" --init_loss_scaling 128.0 \
  --skip_steps 1 --save_steps 1000000 --validation_steps 1000000 --verbose true \
  --checkpoints "$DLPERF_RUN_DIR/checkpoints"
