# SPDX-License-Identifier: Apache-2.0
# What the CUDA backend is made of so far: kernels and cuDNN's graphs, as libraries. DLPERF_CUDA says whether they are
# built: AUTO (where the toolkit is), ON (else it is an error) or OFF. cuDNN and NCCL may be in a system folder, in the
# toolkit or in Python's wheels: those of the python3 on the PATH are found, -DCUDNN_ROOT=…/site-packages/nvidia/cudnn
# and -DNCCL_ROOT=…/site-packages/nvidia/nccl name others. NCCL is optional.
set(DLPERF_CUDA AUTO CACHE STRING "Build the parts of the CUDA backend: AUTO, ON or OFF")
set(DLPERF_WITH_CUDA OFF)
set(DLPERF_WITH_CUDNN OFF)
set(DLPERF_WITH_NCCL OFF)
if(NOT DLPERF_CUDA)
  return()
endif()

function(dlperf_lacks_cuda what)
  if(DLPERF_CUDA STREQUAL "AUTO")
    message(STATUS "${what}: no CUDA backend")
  else()
    message(FATAL_ERROR "${what}, which -DDLPERF_CUDA=ON needs")
  endif()
endfunction()

include(CheckLanguage)
check_language(CUDA)
find_package(CUDAToolkit 13 QUIET)
if(NOT CMAKE_CUDA_COMPILER OR NOT CUDAToolkit_FOUND)
  dlperf_lacks_cuda("nvcc of a CUDA toolkit, 13 or later, is missing")
  return()
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80 90)
endif()
enable_language(CUDA)
set(DLPERF_WITH_CUDA ON)
message(STATUS "CUDA ${CUDAToolkit_VERSION}: the GPU's kernels are built for ${CMAKE_CUDA_ARCHITECTURES}")

add_library(dlperf_worker_cuda_kernels STATIC
  src/cuda/check.cpp
  src/cuda/kernels/batch_norm_backward.cu
  src/cuda/kernels/batch_norm_forward.cu
  src/cuda/kernels/convert.cu
  src/cuda/kernels/loss.cu
  src/cuda/kernels/loss_scale.cu
  src/cuda/kernels/pixels.cu
  src/cuda/kernels/pooling.cu
  src/cuda/kernels/sgd.cu)
target_compile_features(dlperf_worker_cuda_kernels PUBLIC cxx_std_20)
target_compile_options(dlperf_worker_cuda_kernels PRIVATE
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wconversion;-Wshadow;-Werror>"
  "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;--Werror=all-warnings;-Xcompiler=-Wall,-Wextra,-Wshadow,-Werror>")
target_include_directories(dlperf_worker_cuda_kernels PUBLIC src)
target_link_libraries(dlperf_worker_cuda_kernels PUBLIC CUDA::cudart_static)

include(src/cuda/find_nvidia.cmake)
dlperf_find_nvidia(CUDNN cudnn cudnn_graph.h libcudnn.so.9)
dlperf_find_nvidia(NCCL nccl nccl.h libnccl.so.2)
if(NOT CUDNN_INCLUDE_DIR OR NOT CUDNN_LIBRARY)
  dlperf_lacks_cuda("cuDNN 9 (cudnn_graph.h, libcudnn) is missing; -DCUDNN_ROOT=… names its folder")
  return()
endif()
set(DLPERF_WITH_CUDNN ON)

add_library(dlperf_worker_cuda_dnn STATIC
  src/cuda/dnn/candidates.cpp
  src/cuda/dnn/check.cpp
  src/cuda/dnn/choose.cpp
  src/cuda/dnn/convolution_graphs.cpp
  src/cuda/dnn/convolution_shape.cpp
  src/cuda/dnn/descriptor.cpp
  src/cuda/dnn/device_description.cpp
  src/cuda/dnn/engine_choice.cpp
  src/cuda/dnn/event_timer.cpp
  src/cuda/dnn/find_plan.cpp
  src/cuda/dnn/fused_graphs.cpp
  src/cuda/dnn/graph.cpp
  src/cuda/dnn/graph_builder.cpp
  src/cuda/dnn/handle.cpp
  src/cuda/dnn/machine.cpp
  src/cuda/dnn/plan.cpp
  src/cuda/dnn/plan_cache.cpp
  src/cuda/dnn/plan_file.cpp
  src/cuda/dnn/target.cpp)
target_compile_options(dlperf_worker_cuda_dnn PRIVATE -Wall -Wextra -Wconversion -Wshadow -Werror)
target_include_directories(dlperf_worker_cuda_dnn SYSTEM PUBLIC "${CUDNN_INCLUDE_DIR}")
target_link_libraries(dlperf_worker_cuda_dnn
  PUBLIC dlperf_worker_core dlperf_worker_cuda_kernels "${CUDNN_LIBRARY}")

if(NOT NCCL_INCLUDE_DIR OR NOT NCCL_LIBRARY)
  message(STATUS "NCCL is missing: several GPUs are reduced by way of the host; -DNCCL_ROOT=… names its folder")
  return()
endif()
set(DLPERF_WITH_NCCL ON)
message(STATUS "NCCL: ${NCCL_LIBRARY}")

add_library(dlperf_worker_cuda_nccl STATIC
  src/cuda/nccl/check.cpp
  src/cuda/nccl/communicator.cpp
  src/cuda/nccl/nccl_comm.cpp)
set_target_properties(dlperf_worker_cuda_nccl PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_compile_options(dlperf_worker_cuda_nccl PRIVATE -Wall -Wextra -Wconversion -Wshadow -Werror)
target_include_directories(dlperf_worker_cuda_nccl SYSTEM PUBLIC "${NCCL_INCLUDE_DIR}")
target_link_libraries(dlperf_worker_cuda_nccl
  PUBLIC dlperf_worker_core dlperf_worker_cuda_kernels "${NCCL_LIBRARY}")
