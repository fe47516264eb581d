// SPDX-License-Identifier: Apache-2.0
// Why the bundled worker does not start on a node, in a sentence that says what to do.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace dlperf::run {

// What tryWorkerScript() found.
struct WorkerTry {
    int exitCode = 0;
    std::string machine;               // uname -m
    std::vector<std::string> missing;  // libraries, "libdnnl.so.2"
    std::string words;                 // what it, the loader or the shell said
};

// The machine that an executable is made for, as uname -m calls it; empty for what is no ELF file or is for a
// machine that is not named here.
[[nodiscard]] std::string machineOf(std::string_view program);

// The package of Debian and Ubuntu that has a library: "libdnnl.so.2" -> "libdnnl2". Empty for a name that is
// no library's.
[[nodiscard]] std::string packageOf(std::string_view library);

// Where the program comes from.
inline constexpr const char* workerRemedy =
    "Install its package (apt install ./dlperf-worker_*.deb), or build it: see the README.";

// An error of kind Work about a worker that starts, but not with its CUDA backend, which the run asks for or
// the node's GPUs are for: `words` are the worker's on why.
[[nodiscard]] Error cudaTrouble(const WorkerTry& tried, const std::string& where);

// An error of kind Work about a try that did not end with 0. `builtFor` is machineOf() the worker.
[[nodiscard]] Error workerTrouble(const WorkerTry& tried, const std::string& builtFor,
                                  const std::string& where);

}  // namespace dlperf::run
