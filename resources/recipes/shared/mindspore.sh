#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the recipes of MindSpore's model zoo share. DLPerf put trainers of its own into the model zoo's folders; here
# they stay where they are and find the folder's modules by PYTHONPATH. Batch sizes are a device's, and devices print
# once in ten iterations (data_sink_steps), so warmup and train are multiples of ten.
# zoo FOLDER: of model_zoo/official; sets `start`, the command up to Python.
# shellcheck disable=SC2034,SC2154  # what others set and use
set -euo pipefail

zoo() {
  local folder=$DLPERF_OPT_MODEL_ZOO/model_zoo/official/$1
  [ -d "$folder/src" ] || fail "$folder/src is not there: model_zoo names a checkout of mindspore-ai/mindspore"
  export PYTHONPATH=$folder${PYTHONPATH:+:$PYTHONPATH}
  preset GLOG_logtostderr=1 GLOG_v=2
  forward PYTHONPATH GLOG_logtostderr GLOG_v
  start=()
  if [ "$DLPERF_WORLD_SIZE" -gt 1 ]; then start=("${mpi[@]}"); fi
}
