# SPDX-License-Identifier: Apache-2.0
# Finds a library of NVIDIA's that need not be part of the toolkit.

# The folders nvidia/<name> of the Python wheels that the python3 on the PATH would import.
function(dlperf_nvidia_wheels name result)
  set(folders "")
  find_program(DLPERF_PYTHON3 python3)
  mark_as_advanced(DLPERF_PYTHON3)
  if(DLPERF_PYTHON3)
    execute_process(COMMAND "${DLPERF_PYTHON3}" -c "import sys; print(';'.join(sys.path))"
      OUTPUT_VARIABLE paths OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    foreach(path IN LISTS paths)
      if(IS_DIRECTORY "${path}/nvidia/${name}")
        list(APPEND folders "${path}/nvidia/${name}")
      endif()
    endforeach()
  endif()
  set(${result} "${folders}" PARENT_SCOPE)
endfunction()

# Sets <prefix>_INCLUDE_DIR and <prefix>_LIBRARY where both are found in one place: in <prefix>_ROOT, in the toolkit or a
# system folder, or in a wheel's folder nvidia/<wheel>. Wheels have no unversioned link, so the soname is a name as well.
function(dlperf_find_nvidia prefix name header soname wheel)
  dlperf_nvidia_wheels(${wheel} wheels)
  foreach(place root standard wheel)
    if(place STREQUAL "root")
      set(where PATHS ${${prefix}_ROOT} NO_DEFAULT_PATH)
    elseif(place STREQUAL "standard")
      set(where HINTS ${CUDAToolkit_INCLUDE_DIRS} ${CUDAToolkit_LIBRARY_DIR})
    else()
      set(where PATHS ${wheels} NO_DEFAULT_PATH)
    endif()
    find_path(${prefix}_INCLUDE_DIR ${header} ${where} PATH_SUFFIXES include)
    find_library(${prefix}_LIBRARY NAMES ${name} ${soname} ${where} PATH_SUFFIXES lib lib64)
    if(${prefix}_INCLUDE_DIR AND ${prefix}_LIBRARY)
      break()
    endif()
    # Only one of the two is there: another place's would not fit it.
    unset(${prefix}_INCLUDE_DIR CACHE)
    unset(${prefix}_LIBRARY CACHE)
  endforeach()
endfunction()
