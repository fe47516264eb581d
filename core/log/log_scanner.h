// SPDX-License-Identifier: Apache-2.0
// Goes once over a log that grows, part by part, and says what the window wants to know of every line: where
// it lies, whether it repeats the one before, whether it warns, and where the measured part begins.
#pragma once

#include <unistd.h>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/format_book.h"
#include "core/analysis/log_analyzer.h"
#include "core/log/line_index.h"
#include "core/log/line_level.h"
#include "core/model/case.h"

namespace dlperf::log {

// From line to line over a part of an open file, a block at a time. Memory is bounded whatever the lines'
// length: of a line longer than longBytes only what is shown is read.
inline constexpr std::size_t blockBytes = 1U << 20U;
inline constexpr std::size_t longBytes = 64U << 10U;
inline constexpr std::size_t shownBytes = 4000;  // of one line, at most

struct WalkedLine {
    std::uint64_t begin = 0;   // offset in the file
    std::uint64_t length = 0;  // bytes, with its end
    std::string_view bytes;    // of a long line the part that is shown, without its end
    bool finished = true;      // its end is written
    bool isLong = false;
};

// Fewer bytes where the file ends, none where it cannot be read. The file may shrink at any time: so pread
// and no mapping, which would kill the program with SIGBUS.
[[nodiscard]] inline std::size_t readAt(int fd, std::uint64_t where, char* into, std::size_t count) {
    std::size_t done = 0;
    while (done < count) {
        const ssize_t got = ::pread(fd, into + done, count - done, static_cast<off_t>(where + done));
        if (got <= 0) {
            break;
        }
        done += static_cast<std::size_t>(got);
    }
    return done;
}

class LineWalk {
public:
    // `begin` is where a line begins; up to `scanned` it is known to hold no end.
    LineWalk(int fd, std::uint64_t begin, std::uint64_t scanned, std::uint64_t end)
        : fd_(fd), begin_(begin), scanned_(std::max(begin, scanned)), end_(end) {}

    // visitor.block(offset, bytes) before the lines of a block; visitor.line(WalkedLine) for each finished
    // line, false ends the walk. A visitor may have skip(bytes): how many of them, all of finished lines, it
    // has seen enough of; the bytes are the rest of a block, from where a line begins.
    template <class Visitor>
    void run(Visitor& visitor) {
        while (scanned_ < end_ && step(visitor)) {
        }
    }

    // The line that is not finished yet; empty where there is none.
    [[nodiscard]] WalkedLine rest() {
        WalkedLine line{begin_, scanned_ - begin_, {}, false, scanned_ - begin_ > longBytes};
        fill(line);
        return line;
    }
    [[nodiscard]] std::uint64_t begin() const { return begin_; }
    [[nodiscard]] std::uint64_t scanned() const { return scanned_; }

private:
    template <class Visitor>
    bool step(Visitor& visitor) {
        const bool isLong = scanned_ - begin_ > longBytes;
        const std::uint64_t from = isLong ? scanned_ : begin_;
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(blockBytes, end_ - from));
        block_.resize(wanted);
        const std::string_view block(block_.data(), readAt(fd_, from, block_.data(), wanted));
        if (from + block.size() <= scanned_) {
            return false;  // the file was cut since
        }
        visitor.block(from, block);
        std::size_t at = 0;
        const auto skip = [&] {
            if constexpr (requires { visitor.skip(block); }) {
                if (from + at == begin_) {
                    at += visitor.skip(block.substr(at));
                    begin_ = from + at;
                    scanned_ = std::max(scanned_, begin_);
                }
            }
        };
        skip();
        while (const void* feed = std::memchr(block.data() + at, '\n', block.size() - at)) {
            const auto next = static_cast<std::size_t>(static_cast<const char*>(feed) - block.data()) + 1;
            WalkedLine line{begin_, from + next - begin_, {}, true, from + next - begin_ > longBytes};
            if (line.isLong) {
                fill(line);
            } else {
                line.bytes = block.substr(at, next - at - 1);
            }
            begin_ = scanned_ = from + next;
            if (!visitor.line(line)) {
                return false;
            }
            at = next;
            skip();
        }
        scanned_ = from + block.size();
        return block.size() == wanted;
    }

    // Of a long line its end where a progress bar wrote it, else its begin.
    void fill(WalkedLine& line) {
        if (!line.isLong) {
            shown_.resize(static_cast<std::size_t>(line.length));
            shown_.resize(readAt(fd_, line.begin, shown_.data(), shown_.size()));
        } else {
            shown_.resize(shownBytes);
            shown_.resize(readAt(fd_, line.begin + line.length - shownBytes, shown_.data(), shownBytes));
            shown_.resize(shown_.find_last_not_of("\r\n") + 1);
            if (shown_.find('\r') == std::string::npos) {
                shown_.resize(shownBytes);
                shown_.resize(readAt(fd_, line.begin, shown_.data(), shownBytes));
            }
        }
        line.bytes = shown_;
    }

    int fd_;
    std::uint64_t begin_;
    std::uint64_t scanned_;
    std::uint64_t end_;
    std::string block_;
    std::string shown_;
};

// How to tell iterations of the warmup. Without a format there are none.
struct Measured {
    const analysis::Format* format = nullptr;
    analysis::RunShape shape;
    MeasurementRange range;
    analysis::FormatBook formats{};  // keeps a user's own format as long as this
};

struct LevelLine {
    std::uint64_t line = 0;
    Level level = Level::Plain;  // Warning or Error
};

struct Scanned {
    ScannedPart part;
    std::vector<LevelLine> levels;
    std::optional<std::uint64_t> firstIteration;  // lines of the first iteration of all
    std::optional<std::uint64_t> firstMeasured;   // and of the first one after the warmup; once each
};

class LogScanner {
public:
    // Beyond so many runs of lines in a log nothing is folded any more: memory stays bounded.
    static constexpr std::size_t mostRuns = 500'000;

    LogScanner(std::vector<std::string> nodes, const Measured& measured);

    // Scans up to the offset, or less where the file is shorter. mayJoin: the log's last line is the last one
    // of all that is shown, so that one that repeats it may still join it.
    [[nodiscard]] Scanned scan(int fd, std::uint64_t until, bool mayJoin);
    [[nodiscard]] std::uint64_t scanned() const { return scanned_; }

private:
    friend class LineWalk;
    void block(std::uint64_t offset, std::string_view bytes);
    bool line(const WalkedLine& line);
    void count(std::uint64_t number, std::uint64_t offset);
    void join(std::uint64_t number, std::string_view text, bool isNew);
    void judge(std::uint64_t number, const WalkedLine& line);
    void analyze(std::string_view bytes);
    [[nodiscard]] bool mayBeBad(const WalkedLine& line);

    std::vector<std::string> nodes_;
    MeasurementRange range_;
    std::unique_ptr<analysis::LogAnalyzer> analyzer_;  // until the measured part begins
    bool iterationSeen_ = false;

    std::uint64_t begin_ = 0;     // of the line that is not finished
    std::uint64_t scanned_ = 0;   // bytes
    std::uint64_t finished_ = 0;  // lines
    std::uint64_t counted_ = 0;   // lines, with the unfinished one once it was seen
    Checkpoint last_;
    std::string previous_;          // the line before, without prefix; empty where none may repeat it
    bool previousIsFresh_ = false;  // it was first counted by this scan
    SameLines run_;
    std::size_t runs_ = 0;
    bool mayJoin_ = false;

    std::uint64_t blockBegin_ = 0;
    std::string_view block_;
    std::uint64_t hint_ = 0;  // offset in the file of the next hint in the block
    Scanned found_;
};

}  // namespace dlperf::log
