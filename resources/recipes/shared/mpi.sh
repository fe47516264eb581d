#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# For launchers that start the processes of all nodes from the first one, over SSH or in a job of Slurm: `mpi` (that of the
# option: Open MPI's, MPICH's Hydra, horovodrun or srun) and `horovod` are the commands up to the trainer's own.
# Everything that the trainer needs lies at the same place on every node, as in DLPerf's runs.
set -euo pipefail

# An environment's horovodrun; what the node's setup put before a system's folder stays there.
case :$PATH: in
  *":${DLPERF_PYTHON%/*}:"*) ;;
  *) case $DLPERF_PYTHON in */*) export PATH=${DLPERF_PYTHON%/*}:$PATH ;; esac ;;
esac

# In a job of Slurm Open MPI would start its daemons by srun, which waits for what the step that we are in holds, and would
# know the job's nodes and slots only.
preset OMPI_MCA_plm=^slurm OMPI_MCA_ras=^slurm PRTE_MCA_plm=^slurm PRTE_MCA_ras=^slurm

per_node=${per_node:-$DLPERF_DEVICES}  # processes
launcher=${DLPERF_OPT_LAUNCHER:-mpirun} bind_to=${DLPERF_OPT_BIND_TO:-none} is_hydra=

# A step beside the one that this script is in, on the first of the job's nodes. What our step says of itself in the
# environment must not hold for it.
in_job() {
  case $bind_to in core | socket) bind_to+=s ;; numa) bind_to=ldoms ;; esac
  if [ -z "${SLURM_JOB_ID-}" ]; then
    echo 'srun starts processes in a job of Slurm only: set "scheduler": "slurm" in the cluster file' >&2
    exit 2
  fi
  mpi=(srun --overlap --overcommit --relative 0 --nodes "$DLPERF_NODES" --ntasks "$((DLPERF_NODES * per_node))"
    --ntasks-per-node "$per_node" --cpu-bind "$bind_to" --mpi none --kill-on-bad-exit=1 --input none)
}

over_ssh() {
  local address port hosts="" ssh_port ssh_options
  for address in ${DLPERF_NODE_ADDRESSES//,/ }; do hosts+=${hosts:+,}$address:$per_node; done
  if [ "$DLPERF_NODES" -eq 1 ]; then hosts=localhost:$per_node; fi
  ssh_port=${DLPERF_SSH_PORTS%%,*}
  for port in ${DLPERF_SSH_PORTS//,/ }; do
    if [ "$port" != "$ssh_port" ]; then
      echo "the nodes' SSH ports differ ($DLPERF_SSH_PORTS), but the launcher takes one: name them in ~/.ssh/config" >&2
      exit 2
    fi
  done

  case $(readlink -f "$(command -v "$launcher")") in *hydra*) is_hydra=yes ;; *) is_hydra= ;; esac
  if [ -n "$is_hydra" ]; then
    mpi=("$launcher" -n "$((DLPERF_NODES * per_node))" -hosts "$hosts" -bind-to "$bind_to" -launcher ssh)
  else
    mpi=("$launcher" --allow-run-as-root -oversubscribe -np "$((DLPERF_NODES * per_node))" -H "$hosts"
      -bind-to "$bind_to" -map-by slot -mca pml ob1 -mca btl ^openib)
    if [ -n "${DLPERF_OPT_LAUNCHER-}" ]; then mpi+=(--tag-output); fi  # DLPerf's own command lines stay as they are
  fi
  horovod=(horovodrun -np "$((DLPERF_NODES * per_node))" -H "$hosts" --start-timeout 600)
  if [ "$DLPERF_NODES" -gt 1 ]; then
    ssh_options="-p $ssh_port -q -o BatchMode=yes"
    horovod+=(-p "$ssh_port")
    if [ -n "$is_hydra" ]; then
      export HYDRA_LAUNCHER_EXTRA_ARGS=$ssh_options
      if [ -n "$DLPERF_INTERFACE" ]; then mpi+=(-iface "$DLPERF_INTERFACE"); fi
    else
      mpi+=(-mca plm_rsh_args "$ssh_options")
      if [ -n "$DLPERF_INTERFACE" ]; then
        mpi+=(-mca btl_tcp_if_include "$DLPERF_INTERFACE" -mca oob_tcp_if_include "$DLPERF_INTERFACE")
      fi
    fi
  fi
  if [ "$launcher" = horovodrun ]; then mpi=("${horovod[@]}"); fi
}

if [ "$launcher" = srun ]; then in_job; else over_ssh; fi

# forward NAME...: mpirun gives these variables to the processes on all nodes, where they are set. By DLPERF_RUN_ID a
# run's processes are found again. horovodrun, Hydra and srun forward all by themselves.
forward() {
  local name
  if [ -n "$is_hydra" ] || [ "$launcher" = srun ] || [ "$launcher" = horovodrun ]; then return; fi
  for name in "$@"; do
    case " ${forwarded-} " in *" $name "*) continue ;; esac
    if [ -n "${!name+set}" ]; then mpi+=(-x "$name") forwarded+=" $name"; fi
  done
}
forward DLPERF_RUN_ID DLPERF_RUN_DIR PATH LD_LIBRARY_PATH PYTHONPATH PYTHONUNBUFFERED CUDA_VISIBLE_DEVICES \
  NCCL_SOCKET_IFNAME NCCL_IB_HCA NCCL_DEBUG NVIDIA_TF32_OVERRIDE
# What the plan and the node set for all trainers.
# shellcheck disable=SC2086  # names without blanks
forward ${DLPERF_VARIABLES-}

# Names of torchrun for programs that know no others; after the command of mpirun, before the program.
# shellcheck disable=SC2034,SC2016  # used by who sources this; expanded on each node
as_torchrun=(bash -c '
  export RANK=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${HOROVOD_RANK:-$SLURM_PROCID}}}
  export WORLD_SIZE=${OMPI_COMM_WORLD_SIZE:-${PMI_SIZE:-${HOROVOD_SIZE:-$SLURM_STEP_NUM_TASKS}}}
  export LOCAL_RANK=${OMPI_COMM_WORLD_LOCAL_RANK:-${MPI_LOCALRANKID:-${HOROVOD_LOCAL_RANK:-$SLURM_LOCALID}}}
  export LOCAL_WORLD_SIZE='"$per_node"'
  exec "$@"' rank)
