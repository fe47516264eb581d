#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One torchrun a node, or mpirun or srun from the first; one process a device. The redirects are for Debian 12's torchrun
# (1.13 on Python 3.11), which takes "none" for an unknown value and crashes: a mapping that names only a tenth process
# leaves the others alone.
set -euo pipefail
# shellcheck source=resources/recipes/shared/training.sh
. "$DLPERF_RECIPE_DIR/training.sh"

trainer=("$DLPERF_RECIPE_DIR/train.py" "${options[@]}" --compile "$DLPERF_OPT_COMPILE")
if [ "$DLPERF_OPT_LAUNCHER" != torchrun ]; then
  export MASTER_ADDR=$DLPERF_MASTER_ADDR MASTER_PORT=$DLPERF_MASTER_PORT
  # shellcheck source=resources/recipes/shared/mpi.sh
  . "$DLPERF_RECIPE_DIR/mpi.sh"
  forward MASTER_ADDR MASTER_PORT OMP_NUM_THREADS GLOO_SOCKET_IFNAME
  exec "${mpi[@]}" "${as_torchrun[@]}" "$DLPERF_PYTHON" "${trainer[@]}"
fi
exec "$DLPERF_PYTHON" -m torch.distributed.run --redirects 9:1 --tee 9:1 \
  --nnodes "$DLPERF_NODES" --node_rank "$DLPERF_NODE_RANK" --nproc_per_node "$DLPERF_DEVICES" \
  --master_addr "$DLPERF_MASTER_ADDR" --master_port "$DLPERF_MASTER_PORT" \
  "${trainer[@]}"
