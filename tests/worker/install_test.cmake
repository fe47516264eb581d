# SPDX-License-Identifier: Apache-2.0
# What is installed of the worker starts, has its CUDA backend beside it where one was built, and names no folder of the
# machine that built it.
file(REMOVE_RECURSE "${PREFIX}")
foreach(component worker cuda)
  execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${PREFIX}" --component ${component} OUTPUT_QUIET
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
execute_process(COMMAND "${PREFIX}/bin/dlperf-worker" --version OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
set(library "${PREFIX}/libexec/dlperf-dashboard/libdlperf_worker_cuda.so")
if(CUDA)
  if(NOT EXISTS "${library}")
    message(SEND_ERROR "the CUDA backend is not installed beside the program")
  endif()
  # It may lack cuDNN now; but it was found, and is of the same build.
  if(NOT said MATCHES "CUDA backend: (yes|the CUDA backend cannot be loaded: lib)")
    message(SEND_ERROR "the program says: ${said}")
  endif()
elseif(EXISTS "${library}")
  message(SEND_ERROR "a CUDA backend is installed that was not built")
endif()
file(GLOB installed "${PREFIX}/libexec/dlperf-dashboard/*")
foreach(file IN LISTS installed)
  execute_process(COMMAND readelf -d "${file}" OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
  if(NOT dynamic MATCHES "NEEDED" OR dynamic MATCHES "R(UN)?PATH")
    message(SEND_ERROR "${file} looks for libraries where this machine has them: ${dynamic}")
  endif()
endforeach()
file(REMOVE_RECURSE "${PREFIX}")
