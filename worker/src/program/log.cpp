// SPDX-License-Identifier: Apache-2.0
#include "program/log.h"

#include <cerrno>
#include <cstring>

#include "base/failure.h"

namespace dlperf::worker {

void Log::header(const std::string& program, const std::vector<std::pair<std::string, std::string>>& facts) {
    line("# " + program);
    for (const auto& [key, value] : facts) {
        line(std::string("# ").append(key).append(": ").append(value));
    }
}

void Log::iteration(const IterationReport& report) {
    char text[256];
    std::snprintf(
        text, sizeof text,
        "iteration %d epoch %llu loss %.4f time %.6f s data %.6f s comm %.6f s throughput %.2f images/s",
        report.iteration, static_cast<unsigned long long>(report.epoch), static_cast<double>(report.loss),
        report.time, report.data, report.comm, static_cast<double>(report.globalBatchSize) / report.time);
    line(text);
}

void Log::note(const std::string& text) {
    line("# note: " + text);
}

void Log::line(const std::string& text) {
    if (std::fprintf(file_, "%s\n", text.c_str()) < 0 || std::fflush(file_) != 0) {
        throw Failure(ExitCode::Output, std::string("cannot write the log: ") + std::strerror(errno));
    }
}

}  // namespace dlperf::worker
