# SPDX-License-Identifier: Apache-2.0
# How every target of the project is built: language level, warnings, sanitizers, one include root.

find_program(DLPERF_CCACHE ccache)
if(DLPERF_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # What it must be told to know precompiled headers.
  set(launcher "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${DLPERF_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${launcher}")
  set(CMAKE_C_COMPILER_LAUNCHER "${launcher}")
endif()

find_package(Threads REQUIRED)

add_library(dlperf_options INTERFACE)
target_compile_features(dlperf_options INTERFACE cxx_std_20)
target_compile_options(dlperf_options INTERFACE -Wall -Wextra -Wconversion -Wshadow -Werror)
# g++ 12 sees overlaps in std::string's own code that are not there (GCC bug 105651).
target_compile_options(dlperf_options INTERFACE
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
target_include_directories(dlperf_options INTERFACE "${CMAKE_SOURCE_DIR}")
target_link_libraries(dlperf_options INTERFACE Threads::Threads)
set(CMAKE_CXX_EXTENSIONS OFF)
add_link_options(-Wl,-z,relro,-z,now)

if(DLPERF_SANITIZE)
  # Global, so that libraries, tests and programs agree on one runtime.
  add_compile_options(-fsanitize=${DLPERF_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${DLPERF_SANITIZE})
  # AddressSanitizer finds what two of these find, and x86 does not mind the third; they are a third of g++'s time. The
  # fuzzers' clang looks for all.
  if(DLPERF_SANITIZE MATCHES "undefined" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fno-sanitize=null,object-size,alignment)
  endif()
endif()

# A static library of one room, which is every source in its folder, or those named: dlperf_add_library(dlperf_run)
function(dlperf_add_library name)
  set(sources ${ARGN})
  if(NOT sources)
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  endif()
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC dlperf_options)
endfunction()

# A GoogleTest program of a folder's sources, or of those named, one CTest entry a suite: dlperf_add_test(test_log)
# CASES_APART gives each case an entry, where cases wait for seconds and should do so at once; of all other tests half
# as many run at a time (PROCESSORS), for they compute.
# Link what it needs with target_link_libraries(name PRIVATE …).
function(dlperf_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 option "CASES_APART" "" "")
  set(sources ${option_UNPARSED_ARGUMENTS})
  if(NOT sources)
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE dlperf_options GTest::gtest GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE
    DLPERF_SOURCE_DIR="${CMAKE_SOURCE_DIR}" DLPERF_BINARY_DIR="${CMAKE_BINARY_DIR}")
  dlperf_compile_fast(${name})
  target_precompile_headers(${name} REUSE_FROM dlperf_test_headers)
  if(option_CASES_APART)
    include(GoogleTest)
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 300)
  else()
    set(suites "${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake")
    file(GENERATE OUTPUT "${suites}" CONTENT
      "set(program \"$<TARGET_FILE:${name}>\")\ninclude(\"${CMAKE_SOURCE_DIR}/cmake/gtest_suites.cmake\")\n")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${suites}")
  endif()
endfunction()

# Tests' own code is compiled fast rather than to run fast: most of it runs once. To look for undefined behaviour doubles
# the time, so it is done where headers bring much code of ours into the tests.
function(dlperf_compile_fast target)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" OR DLPERF_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
    if(NOT target MATCHES "analysis|import|log|model")
      target_compile_options(${target} PRIVATE -fno-sanitize=undefined)
    endif()
  endif()
endfunction()

# A Google Benchmark program, built with the rest and run on demand.
function(dlperf_add_benchmark name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE dlperf_options benchmark::benchmark_main)
endfunction()
