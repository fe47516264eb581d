# SPDX-License-Identifier: Apache-2.0
# The Debian packages. `packaging/build-deb.sh` makes them.
file(STRINGS /etc/os-release lines REGEX "^(ID|VERSION_ID)=")
list(SORT lines)  # ID, VERSION_ID
string(REGEX REPLACE "[A-Z_]+=\"?([^\";]*)\"?" "\\1" system "${lines}")
string(REPLACE ";" "" system "${system}")  # "debian12", "ubuntu24.04"

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME dlperf-dashboard)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "measure how fast deep-learning frameworks train")
set(CPACK_PACKAGE_CONTACT "DLPerf Dashboard <dlperf-dashboard@example.org>")
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS ${CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL dashboard)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_VERSION "${PROJECT_VERSION}~${system}")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

# dlperf_package(COMPONENT NAME TEXT [FIELD VALUE]...): fields as CPack names them.
function(dlperf_package component name text)
  string(TOUPPER "${component}" upper)
  set(prefix CPACK_DEBIAN_${upper})
  set(${prefix}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(${prefix}_DESCRIPTION "${text}" PARENT_SCOPE)
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest field value)
    set(${prefix}_PACKAGE_${field} "${value}" PARENT_SCOPE)
  endwhile()
  if(NOT component IN_LIST CPACK_COMPONENTS_ALL)
    set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
  endif()
  # What Debian wants of every package: its licence and its history.
  set(doc "${CMAKE_CURRENT_BINARY_DIR}/doc/${name}")
  file(MAKE_DIRECTORY "${doc}")
  configure_file(changelog.in "${doc}/changelog" @ONLY)
  execute_process(COMMAND gzip -9nf "${doc}/changelog")
  install(FILES "${doc}/changelog.gz" copyright DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${name}" COMPONENT ${component})
endfunction()

string(TIMESTAMP changed "%s" UTC)
if(last_change)
  set(changed "${last_change}")
endif()
execute_process(COMMAND date -u -R -d "@${changed}" OUTPUT_VARIABLE changed OUTPUT_STRIP_TRAILING_WHITESPACE)

dlperf_package(dashboard dlperf-dashboard
  "Launches the trainers of deep-learning frameworks on this machine, over SSH or\nin Slurm, follows their logs live, and turns them into throughput and speedup\nby DLPerf's rules. Compares frameworks, topologies and batch sizes in charts\nbeside published figures, and exports reports.\n.\nThis package has the window and the command line."
  SECTION science
  DEPENDS "openssh-client, fonts-inter, fonts-jetbrains-mono, qt6-qpa-plugins"
  RECOMMENDS "dlperf-worker, fonts-noto-cjk, libsecret-1-0, python3, qt6-translations-l10n"
  SUGGESTS "slurm-client, podman, openmpi-bin")
if(DLPERF_WORKER)
  dlperf_package(worker dlperf-worker
    "This package has the bundled trainer: it trains ResNet50 v1.5 with synthetic\nor real images on a CPU, alone or data-parallel with other processes and\nmachines. dlperf-dashboard brings it to the nodes that it measures, and\nlaunches it there."
    SECTION science)
  if(TARGET dlperf_worker_cuda)
    dlperf_package(cuda dlperf-worker-cuda
      "This package has the CUDA backend of dlperf-worker, which trains on NVIDIA's\nGPUs. CUDA's run-time library, cuDNN and NCCL come from NVIDIA and are found by\nthe loader of the machine that trains."
      SECTION contrib/science SHLIBDEPS OFF
      DEPENDS "dlperf-worker (= ${CPACK_DEBIAN_PACKAGE_VERSION}), libc6, libgcc-s1, libstdc++6")
  endif()
endif()
include(CPack)
