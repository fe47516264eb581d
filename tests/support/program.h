// SPDX-License-Identifier: Apache-2.0
// The dlperf program as its users call it, and a log to give it.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/base/text.h"
#include "tests/support/folder.h"

namespace dlperf::test {

struct Ran {
    int exitCode = -1;
    std::string output;
    std::string errors;
};

// Keeps what the program prints in files of the folder meanwhile.
inline Ran runProgram(const std::string& program, const std::vector<std::string>& words,
                      const Folder& scratch) {
    std::string command = shellQuote(program);
    for (const std::string& word : words) {
        command += " " + shellQuote(word);
    }
    const auto output = scratch.path() / "output";
    const auto errors = scratch.path() / "errors";
    command += " >" + shellQuote(output.string()) + " 2>" + shellQuote(errors.string());
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, readFile(output).value(), readFile(errors).value()};
}

// Of the bundled worker on one device at 200 images/s.
inline std::string workerLog(int count) {
    std::string log = "# dlperf-worker 0.1.0\n# batch_size: 100\n# world_size: 1\n";
    for (int i = 1; i <= count; ++i) {
        log += "iteration " + std::to_string(i) +
               " epoch 0 loss 6.9 time 0.500000 s data 0.0 s comm 0.0 s throughput 200.00 images/s\n";
    }
    return log;
}

}  // namespace dlperf::test
