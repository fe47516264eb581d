#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# TensorFlow's classifier_trainer takes nearly all from a file: this writes it (JSON is YAML) with DLPerf's values.
# write_config LEARNING_RATE, a JSON object.
set -euo pipefail

write_config() {
  local builder=records xla=false type=float32 scale=null
  if is_yes synthetic "$DLPERF_OPT_SYNTHETIC"; then builder=synthetic; fi
  if has xla; then xla=true; fi
  case $DLPERF_PRECISION in
    fp16 | amp) type=float16 scale="\"$DLPERF_OPT_LOSS_SCALE\"" ;;
    bf16) type=bfloat16 ;;
  esac
  local spread='"distribution_strategy": "mirrored", "batchnorm_spatial_persistent": true'
  if [ "$DLPERF_NODES" -gt 1 ]; then
    spread='"distribution_strategy": "multi_worker_mirrored", "batchnorm_spatial_persistent": false'
    spread+=', "all_reduce_alg": "nccl", "task_index": '$DLPERF_NODE_RANK
    spread+=', "worker_hosts": "'$(with_port "$DLPERF_NODE_ADDRESSES" "$DLPERF_MASTER_PORT")'"'
  fi
  local images='"name": "imagenet2012", "builder": "'$builder'", "image_size": 224, "num_classes": 1000'
  images+=', "batch_size": '$DLPERF_BATCH_SIZE', "use_per_replica_batch_size": true, "dtype": "'$type'"'
  images+=', "mean_subtract": true, "standardize": true'
  cat >config.yaml <<CONFIG
{
  "runtime": {"num_gpus": $DLPERF_DEVICES, "enable_xla": $xla, "loss_scale": $scale, $spread},
  "train_dataset": {"split": "train", "num_examples": 640512, $images},
  "validation_dataset": {"split": "validation", "num_examples": 50000, $images},
  "model": {
    "name": "resnet", "model_params": {"rescale_inputs": false}, "loss": {"label_smoothing": 0.1},
    "optimizer": {"name": "momentum", "momentum": 0.875, "decay": 0.9, "epsilon": 0.001}, "learning_rate": $1
  },
  "train": {"resume_checkpoint": false, "epochs": 1, "steps": $DLPERF_TRAIN},
  "evaluation": {"skip_eval": true}
}
CONFIG
}
