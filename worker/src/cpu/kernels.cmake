# SPDX-License-Identifier: Apache-2.0
# kernels_isa.cpp once for every level of the instruction set that we choose from at run time.
add_library(dlperf_worker_kernels INTERFACE)

function(dlperf_add_kernels isa)
  add_library(dlperf_worker_kernels_${isa} OBJECT "${CMAKE_CURRENT_SOURCE_DIR}/src/cpu/kernels_isa.cpp")
  target_compile_features(dlperf_worker_kernels_${isa} PRIVATE cxx_std_20)
  target_compile_definitions(dlperf_worker_kernels_${isa} PRIVATE DLPERF_ISA=${isa})
  # -O3 in every build type but for a sanitizer's flags: these loops are what a step consists of.
  target_compile_options(dlperf_worker_kernels_${isa} PRIVATE
    -O3 ${ARGN} -Wall -Wextra -Wconversion -Wshadow -Werror)
  target_include_directories(dlperf_worker_kernels_${isa} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src")
  target_link_libraries(dlperf_worker_kernels_${isa} PRIVATE OpenMP::OpenMP_CXX)
  target_sources(dlperf_worker_kernels INTERFACE $<TARGET_OBJECTS:dlperf_worker_kernels_${isa}>)
endfunction()

dlperf_add_kernels(baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  dlperf_add_kernels(avx2 -march=x86-64-v3)
  dlperf_add_kernels(avx512 -march=x86-64-v4 -mprefer-vector-width=512)
  target_compile_definitions(dlperf_worker_kernels INTERFACE DLPERF_X86_KERNELS)
endif()
