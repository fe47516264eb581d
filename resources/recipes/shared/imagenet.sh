#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pytorch/examples, imagenet/main.py, at every revision: it takes the batch size of a whole node and divides it by the
# node's GPUs; DLPerf's learning rate follows that. Sets `command`, to which the data is still to be added.
set -euo pipefail

program=("$DLPERF_OPT_SOURCE_DIR/imagenet/main.py")
case $DLPERF_FEATURES in
  '') ;;
  dali | dali-cpu) program=("$DLPERF_RECIPE_DIR/dali.py" cpu "${program[@]}") ;;  # DLPerf decoded on the CPU
  dali-gpu) program=("$DLPERF_RECIPE_DIR/dali.py" gpu "${program[@]}") ;;
  *) fail "dali, dali-cpu and dali-gpu exclude each other" ;;
esac

momentum=0.125 processes=()
case $DLPERF_OPT_PARALLEL in
  distributed)
    processes=(--multiprocessing-distributed --dist-backend nccl
      --dist-url "tcp://$DLPERF_MASTER_ADDR:$DLPERF_MASTER_PORT"
      --world-size "$DLPERF_NODES" --rank "$DLPERF_NODE_RANK") ;;
  data-parallel)  # DLPerf's first measurements
    [ "$DLPERF_NODES" -eq 1 ] || fail "DataParallel trains on one node only; set the option parallel to distributed"
    momentum=0.9 ;;
  *) unknown parallel "$DLPERF_OPT_PARALLEL" ;;
esac

# shellcheck disable=SC2034  # used by who sources this
command=("$DLPERF_PYTHON" "${program[@]}" --arch resnet50 --epochs 1 --batch-size "$node_batch"
  --lr "$(awk -v batch="$node_batch" 'BEGIN {print batch / 1000}')" --momentum "$momentum"
  --workers "$DLPERF_OPT_WORKERS" --print-freq 1 ${processes[@]+"${processes[@]}"})
