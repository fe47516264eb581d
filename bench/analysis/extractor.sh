#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# DLPerf's own script for a format, on a folder of logs: what bench/analysis/run.sh compares with. Its JSON, where it
# writes one, is RESULTS/logs_result.json if the folder is called "logs". Exits 3 for a format without a script.
# Usage: bench/analysis/extractor.sh CHECKOUT FORMAT LOGS RESULTS WARMUP TRAIN
set -euo pipefail
checkout=$1 format=$2 logs=$3 results=$4 warmup=$5 train=$6
ngc=NVIDIADeepLearningExamples

case $format in
  pytorch-examples) script=PyTorch/resnet50v1.5/extract_pytorch_logs_time.py ;;
  ngc-pytorch-resnet50) script=$ngc/PyTorch/resnet50v1.5/extract_pytorch_logs_time.py ;;
  ngc-pytorch-bert) script=$ngc/PyTorch/BERT/extract_pytorch_logs_time.py ;;
  paddle-resnet50) script=PaddlePaddle/resnet50v1.5/extract_paddle_logs.py ;;
  paddle-resnet50-time) script=PaddlePaddle/resnet50v1.5/extract_paddle_logs_time.py ;;
  paddle-bert) script=PaddlePaddle/bert/extract_paddle_logs.py ;;
  ngc-tensorflow1-resnet50) script=$ngc/TensorFlow/Classification/ConvNets/resnet50v1.5/extract_tensorflow_logs.py ;;
  ngc-tensorflow1-resnet50-time) script=$ngc/TensorFlow/Classification/ConvNets/resnet50v1.5/extract_tensorflow_logs_time.py ;;
  tensorflow2-bert) script=TensorFlow/bert/extract_tensorflow_logs_time.py ;;
  mxnet-resnet50) script=MxNet/Classification/RN50v1b/extract_mxnet_logs.py ;;
  ngc-mxnet-resnet50) script=$ngc/MxNet/Classification/RN50v1.5/extract_mxnet_logs.py ;;
  ngc-mxnet-resnet50-time) script=$ngc/MxNet/Classification/RN50v1.5/extract_mxnet_logs_time.py ;;
  mxnet-bert) script=MxNet/BERT/extract_mxnet_logs.py ;;
  mxnet-partial-fc) script=MxNet/InsightFace/PartailFC/extract_mxnet_logs.py ;;
  oneflow-resnet50) script=OneFlow/Classification/ConvNets/resnet50v1.5/extract_cnn_result.py ;;
  oneflow-bert) script=OneFlow/LanguageModeling/BERT/extract_bert_result.py ;;
  oneflow-face) script=OneFlow/Recognition/insightface/extract_oneflow_logs_time.py ;;
  *) exit 3 ;;
esac

export PYTHONDONTWRITEBYTECODE=1  # the checkout stays as it is
python=${PYTHON:-python3}
case $format in
  oneflow-resnet50 | oneflow-bert)
    exec "$python" "$checkout/$script" --benchmark_log_dir "$logs" --start_iter "$warmup" --end_iter "$train" ;;
  *)
    exec "$python" "$checkout/$script" --log_dir "$logs" --output_dir "$results" \
      --warmup_batches "$warmup" --train_batches "$train" ;;
esac
