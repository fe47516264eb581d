// SPDX-License-Identifier: Apache-2.0
// A fast answer for most lines of a log: does a plain line hold this text or pattern? RE2 takes time linear
// in the line, whatever the pattern. It knows no look-around and no back references: isUsable() says so, and
// the caller takes another engine.
#pragma once

#include <memory>
#include <string_view>

namespace re2 {
class RE2;
}

namespace dlperf::log {

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

}  // namespace dlperf::log
