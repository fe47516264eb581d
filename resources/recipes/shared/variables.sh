#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What every launch.sh begins with: the node's devices and its network, in the words that trainers know.
set -euo pipefail

# preset NAME=VALUE...: exports each variable but those that the plan or the node sets itself: theirs are what is tried.
preset() {
  local pair
  for pair in "$@"; do
    case " ${DLPERF_VARIABLES-} " in *" ${pair%%=*} "*) ;; *) export "${pair?}" ;; esac
  done
}

export CUDA_VISIBLE_DEVICES=$DLPERF_DEVICE_LIST PYTHONUNBUFFERED=1
if [ -n "$DLPERF_INTERFACE" ]; then
  preset NCCL_SOCKET_IFNAME="$DLPERF_INTERFACE" GLOO_SOCKET_IFNAME="$DLPERF_INTERFACE"
fi
if [ -n "$DLPERF_RDMA" ]; then preset NCCL_IB_HCA="$DLPERF_RDMA"; fi
if [ "$DLPERF_PRECISION" = fp32 ]; then preset NVIDIA_TF32_OVERRIDE=0; fi  # else newer GPUs multiply with fewer bits
