#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# For launchers that start the processes of all nodes from the first one over SSH: `mpi` (Open MPI's, or MPICH's Hydra)
# and `horovod` are the commands up to the trainer's own. Everything that the trainer needs lies at the same place on
# every node, as in DLPerf's runs.
set -euo pipefail

# An environment's horovodrun; what the node's setup put before a system's folder stays there.
case :$PATH: in
  *":${DLPERF_PYTHON%/*}:"*) ;;
  *) case $DLPERF_PYTHON in */*) export PATH=${DLPERF_PYTHON%/*}:$PATH ;; esac ;;
esac

per_node=${per_node:-$DLPERF_DEVICES}  # processes
hosts=
for address in ${DLPERF_NODE_ADDRESSES//,/ }; do hosts+=${hosts:+,}$address:$per_node; done
if [ "$DLPERF_NODES" -eq 1 ]; then hosts=localhost:$per_node; fi
ssh_port=${DLPERF_SSH_PORTS%%,*}
for port in ${DLPERF_SSH_PORTS//,/ }; do
  if [ "$port" != "$ssh_port" ]; then
    echo "the nodes' SSH ports differ ($DLPERF_SSH_PORTS), but the launcher takes one: name them in ~/.ssh/config" >&2
    exit 2
  fi
done

mpirun=${DLPERF_OPT_LAUNCHER:-mpirun}
case $(readlink -f "$(command -v "$mpirun")") in *hydra*) is_hydra=yes ;; *) is_hydra= ;; esac
bind=(-bind-to "${DLPERF_OPT_BIND_TO:-none}")
if [ -n "$is_hydra" ]; then
  mpi=("$mpirun" -n "$((DLPERF_NODES * per_node))" -hosts "$hosts" "${bind[@]}")
else
  mpi=("$mpirun" --allow-run-as-root -oversubscribe -np "$((DLPERF_NODES * per_node))" -H "$hosts" "${bind[@]}" -map-by slot
    -mca pml ob1 -mca btl ^openib)
fi
horovod=(horovodrun -np "$((DLPERF_NODES * per_node))" -H "$hosts" --start-timeout 600)
if [ "$DLPERF_NODES" -gt 1 ]; then
  ssh_options="-p $ssh_port -q -o BatchMode=yes"
  horovod+=(-p "$ssh_port")
  if [ -n "$is_hydra" ]; then
    export HYDRA_LAUNCHER_EXTRA_ARGS=$ssh_options
    mpi+=(-launcher ssh)
    if [ -n "$DLPERF_INTERFACE" ]; then mpi+=(-iface "$DLPERF_INTERFACE"); fi
  else
    mpi+=(-mca plm_rsh_args "$ssh_options")
    if [ -n "$DLPERF_INTERFACE" ]; then
      mpi+=(-mca btl_tcp_if_include "$DLPERF_INTERFACE" -mca oob_tcp_if_include "$DLPERF_INTERFACE")
    fi
  fi
fi

# forward NAME...: mpirun gives these variables to the processes on all nodes, where they are set. By DLPERF_RUN_ID a
# run's processes are found again. horovodrun and Hydra forward all by themselves.
forward() {
  local name
  if [ -n "$is_hydra" ]; then return; fi
  for name in "$@"; do
    if [ -n "${!name+set}" ]; then mpi+=(-x "$name"); fi
  done
}
forward DLPERF_RUN_ID DLPERF_RUN_DIR PATH LD_LIBRARY_PATH PYTHONPATH PYTHONUNBUFFERED CUDA_VISIBLE_DEVICES \
  NCCL_SOCKET_IFNAME NCCL_IB_HCA NCCL_DEBUG NVIDIA_TF32_OVERRIDE

# Names of torchrun for programs that know no others; after the command of mpirun, before the program.
# shellcheck disable=SC2034,SC2016  # used by who sources this; expanded on each node
as_torchrun=(bash -c 'export RANK=${OMPI_COMM_WORLD_RANK:-$PMI_RANK} WORLD_SIZE=${OMPI_COMM_WORLD_SIZE:-$PMI_SIZE}
  export LOCAL_RANK=${OMPI_COMM_WORLD_LOCAL_RANK:-$MPI_LOCALRANKID} && exec "$@"' rank)
