# SPDX-License-Identifier: Apache-2.0
# What the CUDA backend is made of so far: kernels, as a library. DLPERF_CUDA says whether they are
# built: AUTO (where the toolkit is), ON (else it is an error) or OFF.
set(DLPERF_CUDA AUTO CACHE STRING "Build the parts of the CUDA backend: AUTO, ON or OFF")
set(DLPERF_WITH_CUDA OFF)
set(DLPERF_WITH_CUDNN OFF)
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
