#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the trainer meets, one "key=value" a line. Set before: secrets, packages (names, each between spaces),
# cpu_quota.
# shellcheck disable=SC2154  # what is set before
echo "system=$(uname -srm)"
echo "distribution=$(. /etc/os-release 2>/dev/null && echo "$PRETTY_NAME")"
cores=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)
echo "cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $cores cores"
quota=$(cpu_quota)
echo "cpu_quota=${quota:-none}${quota:+ of $cores}"
# Only whether another node has the same: its boot and its network, as probe.sh asks them.
machine=$(cat /proc/sys/kernel/random/boot_id && readlink /proc/self/ns/net) &&
  echo "machine=$(printf %s "$machine" | sha256sum | cut -c 1-12)"
if command -v nvidia-smi >/dev/null; then
  timeout 10 nvidia-smi --query-gpu=index,name,driver_version --format=csv,noheader | sed 's/^/gpu=/'
fi
# The networks that reach other machines, NAME MBIT/S, which of them the way to another node of the run begins at, and
# their addresses. One without a cable leads nowhere.
IFS=, read -r first second _ <<<"$DLPERF_NODE_ADDRESSES"
if [ -n "$second" ] && command -v ip >/dev/null; then
  other=$first; [ "$DLPERF_NODE_RANK" = 0 ] && other=$second
  way=$DLPERF_INTERFACE
  [ -n "$way" ] || way=$(ip route get "$(getent ahosts "$other" | sed 's/ .*//;q')" 2>/dev/null | sed -n 's/.* dev \([^ ]*\).*/\1/p')
  for name in $(ip -o addr show up scope global 2>/dev/null | sed 's/^[0-9]*: \([^ ]*\) .*/\1/' | sort -u); do
    case $name in lo|docker*|veth*|virbr*|br-*|cni*|flannel*) continue ;; esac
    [ "$(cat "/sys/class/net/$name/carrier" 2>/dev/null)" != 0 ] || continue
    echo "interface=$name $(cat "/sys/class/net/$name/speed" 2>/dev/null || echo -1)$([ "$name" != "$way" ] || echo ' used')$(
      ip -o addr show dev "$name" scope global 2>/dev/null | sed -n '1,4s/.* inet6* \([^ ]*\).*/ \1/p' | tr -d '\n')"
  done
fi
for variable in ${!DLPERF_OPT_@}; do  # checkouts that options name
  case ${!variable} in
    /*) commit=$(git -C "${!variable}" rev-parse HEAD 2>/dev/null) && echo "commit=$variable $commit" ;;
  esac
done
for variable in CUDA_VISIBLE_DEVICES ${!OMP_@} ${!NCCL_@} ${!KMP_@} ${!MKL_@} ${!OPENBLAS_@}; do
  case $secrets in *" $variable "*) continue ;; esac
  [ -n "${!variable+set}" ] && echo "env=$variable=${!variable//$'\n'/ }"
done
for package in $packages; do
  echo "python_$package=$("${DLPERF_PYTHON:-python3}" -c 'import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))' "$package" 2>/dev/null)"
done
