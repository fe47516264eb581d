// SPDX-License-Identifier: Apache-2.0
#include "program/log.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/failure.h"

namespace dlperf::worker {

void Log::header(const std::string& program, const std::vector<std::pair<std::string, std::string>>& facts) {
    fact(program);
    for (const auto& [key, value] : facts) {
        fact(std::string(key).append(": ").append(value));
    }
}

void Log::line(const std::string& text) {
    if (std::fprintf(stdout, "%s\n", text.c_str()) < 0 || std::fflush(stdout) != 0) {
        throw Failure(ExitCode::Output, std::string("cannot write the log: ") + std::strerror(errno));
    }
}

}  // namespace dlperf::worker
