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

#include "core/analysis/text_finder.h"

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
    // A text in lower case that the bytes of each line hold in which something is found, in any case, but
    // where they hold escape sequences. Empty where no such text is known.
    [[nodiscard]] const std::string& needle() const { return needle_; }

private:
    std::shared_ptr<const re2::RE2> search_;  // copies share it: it is used by many threads at once
    std::string needle_;
};

// Goes once over a block of many lines, from one that a needle (LineSearch::needle()) leaves possible to the
// next.
class NeedleWalk {
public:
    explicit NeedleWalk(const std::string& needle) : needle_(needle) {}

    [[nodiscard]] bool isEmpty() const { return needle_.text().empty(); }
    // The block outlives the walk over it.
    void start(std::string_view block);
    // The offset of what makes a line possible, the needle in any case or an escape, at or after `from`,
    // which never goes back; npos where nothing does.
    [[nodiscard]] std::size_t next(std::size_t from);

private:
    analysis::TextFinder needle_;
    std::string_view block_;
    // Of each the next that is known of: all that lies between has been looked at.
    std::size_t lower_ = 0;
    std::size_t upper_ = 0;
    std::size_t escape_ = 0;
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
