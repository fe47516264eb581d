// SPDX-License-Identifier: Apache-2.0
// Of all that a run was made of, the little that decides how fast it is.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/run/versions.h"

namespace dlperf::run {

// Kernel, libc, driver, MPI, image and checkouts; with a driver of GPUs also CUDA and NCCL; where the trainer
// is a Python program Python, `packages` and those of the framework (a vocabulary id). A checkout is its
// commit, and if it was changed a short checksum of the changes. "535.161.08", or where nodes differ
// "535.161.08 (node1, node2), 550.54.14 (node3)". Texts are clean and short, whatever the nodes said.
[[nodiscard]] std::map<std::string, std::string> keyVersions(const NodeVersions& versions,
                                                             const std::string& framework, bool isPython,
                                                             const std::vector<std::string>& packages);

}  // namespace dlperf::run
