// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dlperf::worker {

// Writes and flushes each line. The format is a contract: `dlperf` reads it. Throws Failure(Output).
class Log {
public:
    // "# dlperf-worker 0.1.0", then "# key: value" lines.
    void header(const std::string& program, const std::vector<std::pair<std::string, std::string>>& facts);
    void fact(const std::string& text) { line("# " + text); }
    void line(const std::string& text);
};

}  // namespace dlperf::worker
