#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# For launchers that start the processes of all nodes from the first one over SSH: `mpi` and `horovod` are the commands
# up to the trainer's own. Everything that the trainer needs lies at the same place on every node, as in DLPerf's runs.
set -euo pipefail

case $DLPERF_PYTHON in */*) export PATH=${DLPERF_PYTHON%/*}:$PATH ;; esac  # an environment's horovodrun

per_node=${per_node:-$DLPERF_DEVICES}  # processes
hosts=$(with_port "$DLPERF_NODE_ADDRESSES" "$per_node")
if [ "$DLPERF_NODES" -eq 1 ]; then hosts=localhost:$per_node; fi
ssh_port=${DLPERF_SSH_PORTS%%,*}
for port in ${DLPERF_SSH_PORTS//,/ }; do
  if [ "$port" != "$ssh_port" ]; then
    fail "the nodes' SSH ports differ ($DLPERF_SSH_PORTS), but the launcher takes one: name them in ~/.ssh/config"
  fi
done

mpi=(mpirun --allow-run-as-root -oversubscribe -np "$((DLPERF_NODES * per_node))" -H "$hosts" -bind-to none -map-by slot
  -mca pml ob1 -mca btl ^openib)
horovod=(horovodrun -np "$((DLPERF_NODES * per_node))" -H "$hosts" --start-timeout 600)
if [ "$DLPERF_NODES" -gt 1 ]; then
  mpi+=(-mca plm_rsh_args "-p $ssh_port -q -o BatchMode=yes")
  horovod+=(-p "$ssh_port")
  if [ -n "$DLPERF_INTERFACE" ]; then mpi+=(-mca btl_tcp_if_include "$DLPERF_INTERFACE"); fi
fi

# forward NAME...: mpirun gives these variables to the processes on all nodes, where they are set. By DLPERF_RUN_ID a
# run's processes are found again. horovodrun forwards all by itself.
forward() {
  local name
  for name in "$@"; do
    if [ -n "${!name+set}" ]; then mpi+=(-x "$name"); fi
  done
}
forward DLPERF_RUN_ID DLPERF_RUN_DIR PATH LD_LIBRARY_PATH PYTHONPATH PYTHONUNBUFFERED CUDA_VISIBLE_DEVICES \
  NCCL_SOCKET_IFNAME NCCL_IB_HCA NCCL_DEBUG NVIDIA_TF32_OVERRIDE
