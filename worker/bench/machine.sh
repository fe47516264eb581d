# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # the variables are those of bench_gpu.sh, which sources this
# The machine and its libraries, and the build for it.

query_gpu() {
  nvidia-smi -i "$CUDA_VISIBLE_DEVICES" --query-gpu="$1" --format=csv,noheader,nounits 2>/dev/null | head -n 1
}

name_device() {
  if [[ $backend == cuda ]]; then
    device=$(query_gpu name)
  else
    device="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) threads"
  fi
  device=${device:-unknown}
}

torch_fact() { "$python" -c "import torch; print($1)" 2>/dev/null; }

# The folder of a library in PyTorch's wheels: PyTorch computes with it, so the worker should, too. CMake would ask the
# python3 on the PATH, which may be another than PyTorch's, and takes the toolkit's library where the wheel has no header.
wheel_folder() { "$python" -c "import nvidia.$1 as found; print(list(found.__path__)[0])" 2>/dev/null; }

worker_libraries() {
  local line
  line=$(grep -hm 1 '^# libraries: ' "$logs"/*worker*.out 2>/dev/null | head -n 1)
  echo "${line#'# libraries: '}"
}

write_environment() {
  local libraries
  libraries=$(worker_libraries)
  {
    echo "$(date -u +%F), $device${driver:+, driver $driver}${toolkit:+, CUDA toolkit $toolkit}."
    echo "dlperf-worker${commit:+ at $commit}${libraries:+ with $libraries}; ${torch_version:-no PyTorch}."
  } >"$results/environment.md"
}

find_environment() {
  driver="" toolkit="" torch_version=""
  if [[ $backend == cuda ]]; then
    driver=$(query_gpu driver_version)
    toolkit=$(nvcc --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p')
  fi
  torch_version=$(torch_fact "f'PyTorch {torch.__version__}' + (f' with CUDA {torch.version.cuda} and cuDNN ' \
    f'{torch.backends.cudnn.version()}' if torch.version.cuda else '')")
  write_environment
  cat "$results/environment.md"
}

# Programs that were built on another machine look for NVIDIA's libraries in this one's. PyTorch finds its own.
find_libraries() {
  local part folders=""
  for part in cudnn cu13 nccl; do
    part=$(wheel_folder "$part") && folders+=$part/lib:
  done
  export LD_LIBRARY_PATH=$folders/usr/local/cuda/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
}

find_programs() {
  if [[ -n $building ]] && ! build_worker; then
    echo "bench_gpu.sh: the build $why; see $logs"
    # The first errors of both: what fails later fails for them.
    grep -hE -m 3 '(error|Error|undefined reference)' "$logs"/configure.{out,err} "$logs"/build.{out,err} 2>/dev/null
    [[ -n $programs ]] || return 1
    echo "bench_gpu.sh: takes the programs in $programs"
    building=""
  fi
  [[ -z $building ]] || programs=$build/bin
  find_libraries
}

# Without what another machine may lack: they are for GPUs alone.
prebuild_worker() {
  build_worker -DCMAKE_CUDA_ARCHITECTURES="${CUDAARCHS:-90}" \
    -DCMAKE_DISABLE_FIND_PACKAGE_{Gloo,JPEG,OpenMP}=ON || { echo "bench_gpu.sh: the build $why; see $logs" >&2; return 1; }
  mkdir -p "$prebuild" &&
    cp "$build"/bin/{dlperf-worker,dlperf-worker-check,libdlperf_worker_cuda.so} "$prebuild" && ls -l "$prebuild"
}

build_worker() { # OPTION… of CMake
  local options=(-DCMAKE_BUILD_TYPE=Release -DDLPERF_WARNINGS_ARE_ERRORS=OFF) capability cublas cudnn nccl
  if [[ $backend == cuda ]]; then
    capability=$(query_gpu compute_cap)
    cublas=${CUBLAS_ROOT:-$(wheel_folder cu13)}
    cudnn=${CUDNN_ROOT:-$(wheel_folder cudnn)}
    nccl=${NCCL_ROOT:-$(wheel_folder nccl)}
    options+=(-DDLPERF_CUDA=ON ${capability:+-DCMAKE_CUDA_ARCHITECTURES="${capability//./}"}
      ${cublas:+-DCUBLAS_ROOT="$cublas"} ${cudnn:+-DCUDNN_ROOT="$cudnn"} ${nccl:+-DNCCL_ROOT="$nccl"})
  else
    options+=(-DDLPERF_CUDA=OFF)
  fi
  command -v make >/dev/null || options+=(-G Ninja)
  echo "building in $build …"
  # CMake refuses a folder that it configured for another checkout.
  grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$here" "$build/CMakeCache.txt" 2>/dev/null ||
    rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles"
  limited 1 300 configure cmake -S "$here" -B "$build" "${options[@]}" "$@" &&
    limited 1 1200 build cmake --build "$build" -j "$(nproc)"
}
