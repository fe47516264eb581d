// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
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

// What `body` returns; where it fails the exit code, after a line on standard error that begins with `who`.
int exitCodeOf(const std::string& who, const std::function<int()>& body);

}  // namespace dlperf::worker
