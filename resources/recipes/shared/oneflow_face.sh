#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# OneFlow's InsightFace: every node runs the same command. The nodes' addresses are given through the configuration, for
# the option --node_ips of that revision cannot read an address. Its control port is 12138, as written in it.
# shellcheck disable=SC2154  # what upstream.sh sets
set -euo pipefail

model_parallel=1 partial_fc=1
if has data-parallel; then model_parallel=0 partial_fc=0; fi
if has model-parallel; then partial_fc=0; fi
chosen=${DLPERF_FEATURES//[!,]/}
if [ -n "$chosen" ]; then fail "data-parallel, model-parallel and partial-fc exclude each other"; fi

addresses=
for address in ${DLPERF_NODE_ADDRESSES//,/ }; do addresses+="'$address',"; done
parts=$DLPERF_OPT_TRAIN_PARTS
if [ -z "$parts" ]; then
  case $DLPERF_OPT_DATASET in
    emore) parts=32 ;;
    *) parts=200 ;;
  esac
  if [ "$DLPERF_DEVICES" -eq 1 ]; then parts=1; fi
fi
network=$DLPERF_OPT_NETWORK
if [ "$DLPERF_OPT_DATASET" = glint360k_8GPU ] && [ "$network" = r100 ]; then network=r100_glint360k; fi
precision=False
if [ "$DLPERF_PRECISION" = fp16 ]; then precision=True; fi
synthetic=False
if is_yes synthetic "$DLPERF_OPT_SYNTHETIC"; then synthetic=True; fi

exec "$DLPERF_PYTHON" "$DLPERF_RECIPE_DIR/face.py" "$DLPERF_OPT_SOURCE_DIR/insightface_train.py" sample_config \
  default.node_ips="[$addresses]" default.do_validation_while_train=False \
  default.save_last_snapshot=False config.dataset_dir="$data" config.train_data_part_num="$parts" -- \
  --network="$network" --dataset="$DLPERF_OPT_DATASET" --loss=arcface --num_nodes="$DLPERF_NODES" \
  --device_num_per_node="$DLPERF_DEVICES" --train_batch_size="$world_batch" --train_unit=batch \
  --train_iter="$((DLPERF_TRAIN + 30))" --model_parallel="$model_parallel" --partial_fc="$partial_fc" \
  --sample_ratio="$DLPERF_OPT_SAMPLE_RATIO" --use_fp16="$precision" --use_synthetic_data="$synthetic" \
  --loss_print_frequency=1 --iter_num_in_snapshot=1000000 --validation_interval=1000000 \
  --log_dir="$DLPERF_RUN_DIR/oneflow_log" --models_root="$DLPERF_RUN_DIR/models"
