// SPDX-License-Identifier: Apache-2.0
// Goes once over a log that grows, part by part, and says what the window wants to know of every line: where
// it lies, whether it repeats the one before, whether it warns, and where the measured part begins.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/log_analyzer.h"
#include "core/log/line_index.h"
#include "core/log/line_level.h"
#include "core/log/line_walk.h"
#include "core/model/case.h"

namespace dlperf::log {

// How to tell iterations of the warmup. Without a format nothing is told.
struct Measured {
    const analysis::Format* format = nullptr;
    analysis::RunShape shape;
    Window window;
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
    Window window_;
    std::optional<analysis::LogAnalyzer> analyzer_;  // until the measured part begins
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
