// SPDX-License-Identifier: Apache-2.0
// What is to be seen of a line's bytes, and who wrote it. Bytes stay bytes: nothing here trusts them to be
// UTF-8.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace re2 {
class RE2;
}

namespace dlperf::log {

// A fast answer for most lines of a log: does a plain line hold this text or pattern? RE2 takes time linear
// in the line, whatever the pattern. It knows no look-around and no back references: isUsable() says so, and
// the caller takes another engine.
class LineSearch {
public:
    // A text is found whatever its letter case. Only ASCII: other letters want an engine that knows them.
    LineSearch(std::string_view what, bool isPattern);

    [[nodiscard]] bool isUsable() const { return search_ != nullptr; }
    // Precondition: isUsable(), and `line` is plain ASCII (isPlainAscii).
    [[nodiscard]] bool finds(std::string_view line) const;

private:
    std::shared_ptr<const re2::RE2> search_;  // copies share it: it is used by many threads at once
};

// The part that is still to be seen: what follows the last carriage return, without the line's end.
[[nodiscard]] std::string_view lastState(std::string_view bytes);

// A line as a terminal shows it in the end: its last state without escape sequences, tabs as four spaces.
[[nodiscard]] std::string plainLine(std::string_view bytes);

// Nothing in it is shown otherwise than it is written: printable ASCII alone.
[[nodiscard]] bool isPlainAscii(std::string_view bytes);

// Who wrote a line, by its begin: "[rank0]:", "[1,3]<stderr>:", "node2:", "[node2]", NCCL's "node2:211:342
// [0]".
struct Prefix {
    std::size_t length = 0;   // bytes of it, from the line's begin
    std::optional<int> rank;  // as it says
    int node = -1;            // position among the nodes, when it names one
};
[[nodiscard]] std::optional<Prefix> prefixOf(std::string_view line, const std::vector<std::string>& nodes);

// What follows the prefix and one blank: alike on all ranks that say the same.
[[nodiscard]] std::string_view afterPrefix(std::string_view line, const std::vector<std::string>& nodes);

}  // namespace dlperf::log
