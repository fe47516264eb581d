// SPDX-License-Identifier: Apache-2.0
#include "core/log/log_scanner.h"

#include <limits>
#include <utility>

#include "core/log/level_hint.h"
#include "core/log/line_text.h"

namespace dlperf::log {
namespace {

constexpr std::uint64_t nowhere = std::numeric_limits<std::uint64_t>::max();

}  // namespace

LogScanner::LogScanner(std::vector<std::string> nodes, const Measured& measured)
    : nodes_(std::move(nodes)), range_(measured.range) {
    if (measured.format != nullptr && measured.range.warmup > 0) {
        analyzer_ = std::make_unique<analysis::LogAnalyzer>(*measured.format, measured.shape, measured.range,
                                                            analysis::ignoreIteration);
    }
}

Scanned LogScanner::scan(int fd, std::uint64_t until, bool mayJoin) {
    found_ = {};
    mayJoin_ = mayJoin;
    previousIsFresh_ = false;
    LineWalk walk(fd, begin_, scanned_, until);
    walk.run(*this);
    begin_ = walk.begin();
    scanned_ = walk.scanned();
    if (scanned_ > begin_ && counted_ == finished_) {
        count(finished_, begin_);  // the unfinished line is shown too
        previous_.clear();
    }
    block_ = {};
    found_.part.lines = counted_;
    found_.part.size = scanned_;
    return std::exchange(found_, {});
}

void LogScanner::block(std::uint64_t offset, std::string_view bytes) {
    blockBegin_ = offset;
    block_ = bytes;
    hint_ = offset;  // looked for with the first line
}

bool LogScanner::line(const WalkedLine& line) {
    const std::uint64_t number = finished_++;
    const bool isNew = number >= counted_;
    if (isNew) {
        count(number, line.begin);
    }
    join(number, line.isLong ? std::string_view() : lastState(line.bytes), isNew);
    if (mayBeBad(line)) {
        judge(number, line);
    }
    if (analyzer_) {
        analyze(line.bytes);
    }
    return true;
}

void LogScanner::count(std::uint64_t number, std::uint64_t offset) {
    counted_ = number + 1;
    if (number == 0 || number - last_.line >= LineIndex::linesBetween || offset - last_.offset >= longBytes) {
        last_ = {number, offset};
        found_.part.checkpoints.push_back(last_);
    }
}

void LogScanner::join(std::uint64_t number, std::string_view text, bool isNew) {
    const std::string_view said = afterPrefix(text, nodes_);
    const bool mayJoin = isNew && !said.empty() && (previousIsFresh_ || mayJoin_) && runs_ < mostRuns;
    if (mayJoin && said == previous_) {
        if (++run_.more == 1) {
            ++runs_;
        }
        auto& runs = found_.part.runs;
        if (!runs.empty() && runs.back().first == run_.first) {
            runs.back().more = run_.more;
        } else {
            runs.push_back(run_);
        }
        return;
    }
    previous_.assign(said);
    previousIsFresh_ = isNew;
    run_ = {number, 0};
}

// Hints are looked for from where the last one was, so that most lines cost one comparison.
bool LogScanner::mayBeBad(const WalkedLine& line) {
    const std::uint64_t end = line.begin + line.length;
    if (line.isLong) {
        hint_ = end;
        return true;
    }
    const std::uint64_t from = std::max(line.begin, blockBegin_);
    if (hint_ <= from) {
        const std::size_t at = findHint(block_, static_cast<std::size_t>(from - blockBegin_));
        hint_ = at == std::string_view::npos ? nowhere : blockBegin_ + at;
    }
    if (hint_ >= end) {
        return false;
    }
    hint_ = end;  // the next line looks again
    return isSuspect(line.bytes);
}

void LogScanner::judge(std::uint64_t number, const WalkedLine& line) {
    const Level level = levelOfLine(lastState(line.bytes).substr(0, shownBytes), nodes_);
    if (level == Level::Warning || level == Level::Error) {
        found_.levels.push_back({number, level});
    }
}

void LogScanner::analyze(std::string_view bytes) {
    analyzer_->feed(bytes);
    analyzer_->feed("\n");
    const analysis::Iteration* latest = analyzer_->pace().latest();
    if (latest == nullptr) {
        return;
    }
    const auto line = static_cast<std::uint64_t>(latest->line - 1);
    if (!std::exchange(iterationSeen_, true)) {
        found_.firstIteration = line;
    }
    if (latest->number > range_.warmup) {
        found_.firstMeasured = line;
        analyzer_.reset();
    }
}

}  // namespace dlperf::log
