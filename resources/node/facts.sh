#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the trainer meets, one "key=value" a line. Set before: secrets, packages (names, each between spaces).
# shellcheck disable=SC2154  # what is set before
echo "system=$(uname -srm)"
echo "distribution=$(. /etc/os-release 2>/dev/null && echo "$PRETTY_NAME")"
echo "cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
if command -v nvidia-smi >/dev/null; then
  timeout 10 nvidia-smi --query-gpu=index,name,driver_version --format=csv,noheader | sed 's/^/gpu=/'
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
