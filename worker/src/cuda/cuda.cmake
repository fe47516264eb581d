# SPDX-License-Identifier: Apache-2.0
# The CUDA backend: libraries, and of them the plug-in that dlperf-worker loads. DLPERF_CUDA says whether they are
# built: AUTO (where the toolkit is), ON (else it is an error) or OFF. cuBLAS, cuDNN and NCCL may be in a system folder,
# in the toolkit or in Python's wheels: those of the python3 on the PATH are found, -DCUBLAS_ROOT=…/site-packages/nvidia/cu13,
# -DCUDNN_ROOT=…/nvidia/cudnn and -DNCCL_ROOT=…/nvidia/nccl name others. NCCL is optional.
set(DLPERF_CUDA AUTO CACHE STRING "Build the CUDA backend: AUTO, ON or OFF")
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

file(GLOB sources CONFIGURE_DEPENDS src/cuda/kernels/*.cu)
add_library(dlperf_worker_cuda_kernels STATIC src/cuda/runtime/check.cpp ${sources})
target_compile_features(dlperf_worker_cuda_kernels PUBLIC cxx_std_20)
target_compile_options(dlperf_worker_cuda_kernels PRIVATE
  "$<$<COMPILE_LANGUAGE:CXX>:${DLPERF_WORKER_WARNINGS}>"
  "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;-Xcompiler=-Wall,-Wextra,-Wshadow>"
  "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${DLPERF_WARNINGS_ARE_ERRORS}>>:--Werror=all-warnings;-Xcompiler=-Werror>")
target_include_directories(dlperf_worker_cuda_kernels PUBLIC src)
target_link_libraries(dlperf_worker_cuda_kernels PUBLIC CUDA::cudart_static)

# What stands on CUDA's runtime and the kernels alone: the tests link it with their own of both.
file(GLOB sources CONFIGURE_DEPENDS src/cuda/decode/*.cpp src/cuda/net/*.cpp src/cuda/train/*.cpp)
add_library(dlperf_worker_cuda_training STATIC
  src/cuda/cuda_backend.cpp src/cuda/runtime/noise.cpp ${sources})
target_compile_features(dlperf_worker_cuda_training PUBLIC cxx_std_20)
target_compile_options(dlperf_worker_cuda_training PRIVATE ${DLPERF_WORKER_WARNINGS})
target_include_directories(dlperf_worker_cuda_training PUBLIC src)
target_include_directories(dlperf_worker_cuda_training SYSTEM PUBLIC ${CUDAToolkit_INCLUDE_DIRS})
target_link_libraries(dlperf_worker_cuda_training PUBLIC ${CMAKE_DL_LIBS})  # nvJPEG is opened at run time

include(src/cuda/find_nvidia.cmake)
dlperf_find_nvidia(CUBLAS cublas cublas_v2.h libcublas.so.13 cu13)
dlperf_find_nvidia(CUDNN cudnn cudnn_graph.h libcudnn.so.9 cudnn)
dlperf_find_nvidia(NCCL nccl nccl.h libnccl.so.2 nccl)
if(NOT CUBLAS_INCLUDE_DIR OR NOT CUBLAS_LIBRARY)
  dlperf_lacks_cuda("cuBLAS 13 (cublas_v2.h, libcublas) is missing; -DCUBLAS_ROOT=… names its folder")
  return()
endif()
if(NOT CUDNN_INCLUDE_DIR OR NOT CUDNN_LIBRARY)
  dlperf_lacks_cuda("cuDNN 9 (cudnn_graph.h, libcudnn) is missing; -DCUDNN_ROOT=… names its folder")
  return()
endif()
set(DLPERF_WITH_CUDNN ON)

# cuDNN's plans and cuBLAS behind the interface that the network is written against.
file(GLOB sources CONFIGURE_DEPENDS src/cuda/dnn/*.cpp)
add_library(dlperf_worker_cuda_dnn STATIC ${sources})
target_compile_options(dlperf_worker_cuda_dnn PRIVATE ${DLPERF_WORKER_WARNINGS})
target_include_directories(dlperf_worker_cuda_dnn SYSTEM PUBLIC "${CUDNN_INCLUDE_DIR}" "${CUBLAS_INCLUDE_DIR}")
target_link_libraries(dlperf_worker_cuda_dnn
  PUBLIC dlperf_worker_cuda_training dlperf_worker_core dlperf_worker_cuda_kernels
  "${CUDNN_LIBRARY}" "${CUBLAS_LIBRARY}")

if(NCCL_INCLUDE_DIR AND NCCL_LIBRARY)
  set(DLPERF_WITH_NCCL ON)
  message(STATUS "NCCL: ${NCCL_LIBRARY}")
  file(GLOB sources CONFIGURE_DEPENDS src/cuda/nccl/*.cpp)
  add_library(dlperf_worker_cuda_nccl STATIC ${sources})
  target_compile_options(dlperf_worker_cuda_nccl PRIVATE ${DLPERF_WORKER_WARNINGS})
  target_include_directories(dlperf_worker_cuda_nccl SYSTEM PUBLIC "${NCCL_INCLUDE_DIR}")
  target_link_libraries(dlperf_worker_cuda_nccl
    PUBLIC dlperf_worker_core dlperf_worker_cuda_kernels "${NCCL_LIBRARY}")
else()
  message(STATUS "NCCL is missing: several GPUs are reduced by way of the host; -DNCCL_ROOT=… names its folder")
endif()

add_library(dlperf_worker_cuda MODULE src/cuda/plugin.cpp)
set_target_properties(dlperf_worker_cuda PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
target_compile_options(dlperf_worker_cuda PRIVATE ${DLPERF_WORKER_WARNINGS})
target_compile_definitions(dlperf_worker_cuda PRIVATE $<$<BOOL:${DLPERF_WITH_NCCL}>:DLPERF_WITH_NCCL>)
# Nothing of it is anybody else's business, and what it does not use of the program's parts it does not need.
target_link_options(dlperf_worker_cuda PRIVATE -Wl,--exclude-libs,ALL -Wl,--as-needed)
target_link_libraries(dlperf_worker_cuda PRIVATE
  dlperf_worker_cuda_training dlperf_worker_cuda_dnn $<TARGET_NAME_IF_EXISTS:dlperf_worker_cuda_nccl>
  dlperf_worker_cuda_kernels dlperf_worker_core)
foreach(part kernels training dnn nccl)
  if(TARGET dlperf_worker_cuda_${part})
    set_target_properties(dlperf_worker_cuda_${part} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
endforeach()
