// SPDX-License-Identifier: Apache-2.0
#include "core/run/log_follow.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <utility>

#include "core/base/text.h"
#include "core/store/run_record.h"

namespace dlperf::run {
namespace {

constexpr std::uint64_t blockBytes = 1U << 20U;
constexpr int blocksAtOnce = 16;  // who watches a huge log sees something of it soon
constexpr std::size_t tailBytes = 4096;
constexpr std::size_t longestLine = 200;

// What dlperf-worker says of a process of its own that has said itself why it ends.
bool isLaunchersEcho(std::string_view line) {
    return line.starts_with("dlperf-worker: rank ") && line.ends_with("; ending the others") &&
           line.find(") ended with exit code ") != std::string_view::npos;
}

}  // namespace

LogFollower::LogFollower(const RunState& run, std::size_t rank, const std::filesystem::path& folder,
                         diagnosis::Rules rules)
    : path_(folder / fmt::format("node{}.log", rank)) {
    if (const analysis::Format* format = analysis::findFormat(run.format)) {
        analyzer_.emplace(
            *format,
            analysis::RunShape{run.benchmarkCase.topology, run.benchmarkCase.configuration.batchSize},
            run.range);
    }
    if (rules) {
        diagnosis_.emplace(std::move(rules), run.nodes.at(rank));
    }
}

bool LogFollower::advance(std::uint64_t most, std::vector<analysis::Iteration>* found) {
    std::ifstream stream(path_, std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(read_));
    std::array<char, 65536> buffer{};
    const std::uint64_t end = read_ + most;
    while (stream && read_ < end) {
        stream.read(buffer.data(),
                    static_cast<std::streamsize>(std::min<std::uint64_t>(buffer.size(), end - read_)));
        take(std::string_view(buffer.data(), static_cast<std::size_t>(stream.gcount())), found);
    }
    return read_ >= end;
}

void LogFollower::take(std::string_view bytes, std::vector<analysis::Iteration>* found) {
    read_ += bytes.size();
    checksum_.add(bytes);
    tail_.append(bytes);
    tail_.erase(0, tail_.size() - std::min(tail_.size(), tailBytes));
    if (diagnosis_) {
        diagnosis_->feed(bytes);
    }
    if (!analyzer_) {
        return;
    }
    analyzer_->feed(bytes);
    const auto fresh = analyzer_->takeIterations();
    if (!fresh.empty()) {
        latest_ = fresh.back();
        pace_.add(fresh);
    }
    if (found != nullptr) {
        found->insert(found->end(), fresh.begin(), fresh.end());
    }
}

void LogFollower::finish() {
    if (!sha256_.empty()) {
        return;
    }
    while (advance(std::numeric_limits<std::int64_t>::max() - read_)) {
    }
    if (analyzer_) {
        analyzer_->finish();
    }
    if (diagnosis_) {
        diagnosis_->finish();
    }
    sha256_ = checksum_.digits();
}

const std::vector<diagnosis::Hint>& LogFollower::hints() const {
    static const std::vector<diagnosis::Hint> none;
    return diagnosis_ ? diagnosis_->hints() : none;
}

analysis::RunFigure LogFollower::figure() const {
    return analyzer_ ? analyzer_->figure() : analysis::RunFigure{};
}

std::string LogFollower::lastLine() const {
    std::string text = tail_;
    std::replace(text.begin(), text.end(), '\r', '\n');
    std::replace(text.begin(), text.end(), '\0', ' ');
    std::string_view last;
    for (const std::string_view untrimmed : split(text, '\n')) {
        const std::string_view line = trim(untrimmed);
        if (!line.empty() && (last.empty() || !isLaunchersEcho(line))) {
            last = line;
        }
    }
    return cleanUtf8(last.substr(0, longestLine));
}

RunLogs::RunLogs(const RunState& run, diagnosis::Rules rules)
    : folder_(run.path),
      lastIteration_(run.range.train),
      rules_(std::move(rules)),
      recordRead_(!rules_ || run.phase != RunPhase::Finished) {
    for (std::size_t rank = 0; rank < run.nodes.size(); ++rank) {
        logs_.emplace_back(run, rank, folder_, rules_);
    }
}

// Block by block over all nodes, not node by node: the chart waits for the slowest.
bool RunLogs::read(const std::vector<NodeAlert>& alerts, const Seen& seen) {
    bool news = readRecord();
    bool any = true;
    for (int i = 0; i < blocksAtOnce && any; ++i) {
        any = false;
        for (std::size_t rank = 0; rank < logs_.size(); ++rank) {
            const std::uint64_t before = logs_[rank].bytesRead();
            std::vector<analysis::Iteration> found;
            const bool more = logs_[rank].advance(blockBytes, &found);
            any = any || logs_[rank].bytesRead() > before;
            seen(rank, found, more);
        }
        news = news || any;
    }
    return takeAlerts(alerts) || news;
}

// What the runner found in exit codes; what stands in the logs is found here anew.
bool RunLogs::readRecord() {
    if (std::exchange(recordRead_, true)) {
        return false;
    }
    if (const auto record = store::readRunRecord(folder_)) {
        recorded_ = diagnosis::hintsFromJson(record->facts.value("diagnosis", Json()));
        std::erase_if(recorded_, [](const diagnosis::Hint& hint) { return hint.line > 0; });
    }
    return !recorded_.empty();
}

// In steps, lest the words change with every look.
bool RunLogs::takeAlerts(const std::vector<NodeAlert>& alerts) {
    constexpr std::chrono::seconds step{10};
    std::vector<diagnosis::Hint> hints;
    for (const NodeAlert& alert : alerts) {
        const auto past = std::max(now() - alert.since, TimePoint::duration::zero());
        const auto ofAlert = hintsOf(rules_, {alert}, alert.since + past / step * step);
        hints.insert(hints.end(), ofAlert.begin(), ofAlert.end());
    }
    const bool changed = hints != alerts_;
    alerts_ = std::move(hints);
    return changed;
}

std::int64_t RunLogs::iteration() const {
    return logs_.empty() || !logs_[0].latest() ? 0 : logs_[0].latest()->number;
}

std::optional<double> RunLogs::secondsLeft() const {
    return logs_.empty() || lastIteration_ <= 0 ? std::nullopt : logs_[0].pace().secondsUntil(lastIteration_);
}

std::vector<diagnosis::Hint> RunLogs::hints() const {
    std::vector<diagnosis::Hint> all;
    const auto add = [&](const std::vector<diagnosis::Hint>& hints) {
        all.insert(all.end(), hints.begin(), hints.end());
    };
    for (const LogFollower& log : logs_) {
        add(log.hints());
    }
    add(recorded_);
    add(alerts_);
    return all;
}

}  // namespace dlperf::run
