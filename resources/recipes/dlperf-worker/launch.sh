#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The bundled trainer: one process a device, started by itself, by torchrun, mpirun, horovodrun or srun.
set -euo pipefail
# shellcheck source=resources/recipes/shared/variables.sh
. "$DLPERF_RECIPE_DIR/variables.sh"

export MASTER_ADDR=$DLPERF_MASTER_ADDR MASTER_PORT=$DLPERF_MASTER_PORT

options=(
  --batch-size "$DLPERF_BATCH_SIZE" --iterations "$DLPERF_TRAIN" --warmup "$DLPERF_WARMUP" --precision "$DLPERF_PRECISION"
  --image-size "$DLPERF_OPT_IMAGE_SIZE" --classes "$DLPERF_OPT_CLASSES"
  --threads "$DLPERF_OPT_THREADS" --backend "$DLPERF_OPT_BACKEND"
  --comm "$DLPERF_OPT_COMM"
  --label-smoothing "$DLPERF_OPT_LABEL_SMOOTHING" --momentum "$DLPERF_OPT_MOMENTUM"
  --weight-decay "$DLPERF_OPT_WEIGHT_DECAY" --seed "$DLPERF_OPT_SEED"
  --comm-timeout "$DLPERF_OPT_COMM_TIMEOUT"
)
[ -z "$DLPERF_OPT_LR" ] || options+=(--lr "$DLPERF_OPT_LR")
[ -z "$DLPERF_OPT_WORKERS" ] || options+=(--workers "$DLPERF_OPT_WORKERS")
[ "$DLPERF_OPT_DECODE" = host ] || options+=(--decode "$DLPERF_OPT_DECODE")
[ -z "$DLPERF_OPT_DATA" ] || options+=(--data "$DLPERF_OPT_DATA")

worker=("$DLPERF_BIN_DIR/dlperf-worker" "${options[@]}")
case $DLPERF_OPT_LAUNCHER in
  own) exec "${worker[@]}" --devices "$DLPERF_DEVICES" --nodes "$DLPERF_NODES" --node-rank "$DLPERF_NODE_RANK" ;;
  torchrun)
    # The redirects are for Debian 12's torchrun; see the recipe pytorch.
    exec torchrun --redirects 9:1 --tee 9:1 --no_python --nnodes "$DLPERF_NODES" --node_rank "$DLPERF_NODE_RANK" \
      --nproc_per_node "$DLPERF_DEVICES" --master_addr "$MASTER_ADDR" --master_port "$MASTER_PORT" "${worker[@]}"
    ;;
  *)
    # shellcheck source=resources/recipes/shared/mpi.sh
    . "$DLPERF_RECIPE_DIR/mpi.sh"
    forward MASTER_ADDR MASTER_PORT DLPERF_INTERFACE
    exec "${mpi[@]}" "${as_torchrun[@]}" "${worker[@]}"
    ;;
esac
