// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace dlperf::worker {

// What one iteration was like. Times are seconds of wall time.
struct IterationReport {
    int iteration = 0;  // from 1
    std::uint64_t epoch = 0;
    float loss = 0;
    double time = 0;  // from the end of the iteration before to the end of this one
    double data = 0;  // of which waiting for images
    double comm = 0;  // of which waiting for gradients to be reduced
    long globalBatchSize = 0;
};

// The lines that others read, each flushed. The format is a contract: `dlperf` reads it.
class Log {
public:
    explicit Log(std::FILE* file) : file_(file) {}

    // "# dlperf-worker 0.1.0", then "# key: value" lines.
    void header(const std::string& program, const std::vector<std::pair<std::string, std::string>>& facts);
    void iteration(const IterationReport& report);
    // "# note: …", for whoever reads the log.
    void note(const std::string& text);

private:
    // Throws Failure(Output).
    void line(const std::string& text);
    std::FILE* file_;
};

}  // namespace dlperf::worker
