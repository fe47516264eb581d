# SPDX-License-Identifier: Apache-2.0
# Read by CTest before it runs: one entry for each test suite of ${program}, whose cases share a process. A case of its
# own each, as gtest_discover_tests() has it, starts a program 1,600 times, which under a sanitizer takes minutes.
if(NOT EXISTS "${program}")
  add_test("${program}_NOT_BUILT" "${program}")
  return()
endif()
execute_process(COMMAND "${program}" --gtest_list_tests OUTPUT_VARIABLE listed RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${program} cannot list its tests: ${result}")
endif()
string(REGEX MATCHALL "(^|\n)[^ \n]+\\." suites "${listed}")
foreach(suite IN LISTS suites)
  string(STRIP "${suite}" suite)
  string(REGEX REPLACE "\\.$" "" name "${suite}")
  add_test("${name}" "${program}" "--gtest_filter=${suite}*")
  set_tests_properties("${name}" PROPERTIES TIMEOUT 600 PROCESSORS 2)
endforeach()
