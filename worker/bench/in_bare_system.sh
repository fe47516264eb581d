#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whether bench_gpu.sh builds the worker where a borrowed GPU may be: a bare Ubuntu 24.04 (g++ 13) without a network, whose
# CUDA toolkit has neither cuBLAS nor cuDNN nor NCCL, but Python's wheels have. It measures as far as that system's GPU goes;
# its archive is in FOLDER/kept. Takes the toolkit of this machine and fetches the wheels. Needs root, debootstrap, pip,
# unzip.
# Usage: worker/bench/in_bare_system.sh FOLDER
set -euo pipefail

if [[ ${1:?} == --inside ]]; then
  apt-get -qq update
  apt-get -qq -o Dpkg::Use-Pty=0 install --no-install-recommends cmake g++ make python3 >/dev/null
  ln -sfn /out/cuda /usr/local/cuda
  ln -sfn /out/wheels/nvidia /usr/lib/python3/dist-packages/nvidia
  g++ --version | head -n 1
  exec unshare --net /src/worker/bench_gpu.sh --minutes 10 --output /out/kept
fi

mkdir -p "$1"
folder=$(readlink -f "$1")
rm -rf "$folder/wheels"
mkdir -p "$folder"/{cuda,wheels}
tar -c --exclude='*cublas*' --exclude='*cudnn*' --exclude='*nccl*' -C "${CUDA_HOME:-/usr/local/cuda}/" . | tar -x -C "$folder/cuda"
python3 -m pip download -q --no-deps -d "$folder/wheels" nvidia-cublas nvidia-cudnn-cu13 nvidia-nccl-cu13
for wheel in "$folder"/wheels/*.whl; do
  unzip -qo "$wheel" 'nvidia/*' -d "$folder/wheels"
done
"$(dirname "$(readlink -f "$0")")/../../packaging/in-bare-system.sh" noble "$folder" \
  env CUDAARCHS="${CUDAARCHS:-90}" /src/worker/bench/in_bare_system.sh --inside
