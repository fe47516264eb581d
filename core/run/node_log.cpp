// SPDX-License-Identifier: Apache-2.0
#include "core/run/node_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <future>
#include <limits>
#include <utility>

#include "core/analysis/format_json.h"
#include "core/analysis/line_range.h"
#include "core/base/text.h"
#include "core/store/run_record.h"

namespace dlperf::run {
namespace {

// A format that is not built in lies beside the log, as the recipe or the workspace had it when the run
// began.
analysis::FormatBook formatsBeside(const std::filesystem::path& folder) {
    auto own = analysis::readFormats(folder / "format.json");
    return own ? analysis::FormatBook(std::move(*own)) : analysis::FormatBook();
}

// At once. A copy that is far behind asks for more, and for the next before the last is here, so that the way
// there and back does not count. What is on its way is as much as two SSH channels let through at once (2
// MiB each); more would only lie in memory and leave the processor's cache before it is written.
constexpr std::size_t chunkBytes = 256U << 10U;
constexpr std::size_t mostComing = 4;

struct Coming {
    std::size_t room;
    std::future<Result<remote::FileChunk>> chunk;
};

Failure cannotWriteCopy(const std::filesystem::path& path, int number) {
    return fail(fmt::format("the log's copy cannot be written: {}", std::strerror(number)), path.string(),
                "Check its permissions, make room on the workspace's disk, then `dlperf resume`.",
                ErrorKind::Work);
}

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

Result<LogCopy> LogCopy::open(const std::filesystem::path& path) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    if (!file.open()) {
        return cannotWriteCopy(path, errno);
    }
    const off_t size = ::lseek(file.get(), 0, SEEK_END);
    if (size < 0) {
        return cannotWriteCopy(path, errno);
    }
    return LogCopy(std::move(file), static_cast<std::uint64_t>(size), path);
}

Result<void> LogCopy::append(std::string_view bytes) {
    const int error = writeAll(file_.get(), bytes);
    const off_t size = ::lseek(file_.get(), 0, SEEK_CUR);  // also of a part
    size_ = size < 0 ? size_ : static_cast<std::uint64_t>(size);
    return error == 0 ? Result<void>() : cannotWriteCopy(path_, error);
}

Result<void> LogCopy::sync() {
    return ::fdatasync(file_.get()) == 0 ? Result<void>() : cannotWriteCopy(path_, errno);
}

Result<bool> LogCopy::catchUp(remote::Transport& transport, const std::string& remotePath, std::uint64_t most,
                              const std::stop_token& stop) {
    const std::uint64_t end = size_ + most;
    std::uint64_t asked = size_;
    std::size_t step = chunkBytes;
    std::deque<Coming> coming;  // in the order of the file
    const auto ask = [&](std::launch how) {
        const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(step, end - asked));
        coming.push_back(
            {room, std::async(how, [&, room, offset = asked] {
                 return transport.read(remotePath, offset, room, {remote::Limits{}.deadline, stop});
             })});
        asked += room;
    };
    ask(std::launch::deferred);  // here and now: most of the time there is little
    while (!coming.empty()) {
        const auto chunk = coming.front().chunk.get();
        const bool full = chunk && chunk->bytes.size() == coming.front().room && !stop.stop_requested();
        coming.pop_front();
        if (!chunk) {
            return Failure(chunk.error());
        }
        while (full && asked < end && coming.size() < mostComing) {
            step = std::min(2 * step, remote::bulkBytes);
            ask(std::launch::async);
        }
        TRY(append(chunk->bytes));
        if (!full) {  // what was asked for behind it is not used: there would be a gap
            return false;
        }
    }
    return true;
}

LogFollower::LogFollower(const RunState& run, std::size_t rank, const std::filesystem::path& folder,
                         diagnosis::Rules rules, analysis::OnIteration onIteration)
    : path_(store::nodeLog(folder, rank)), formats_(formatsBeside(folder)) {
    if (const analysis::Format* format = formats_.find(run.format)) {
        analyzer_ = std::make_unique<analysis::LogAnalyzer>(
            *format,
            analysis::RunShape{run.benchmarkCase.topology, run.benchmarkCase.configuration.batchSize},
            run.range, std::move(onIteration));
        countsLines_ = analysis::countsLinesOnly(*format);
    }
    if (rules) {
        diagnosis_.emplace(std::move(rules), run.nodes.at(rank));
    }
}

bool LogFollower::advance(std::uint64_t most) {
    std::ifstream stream(path_, std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(read_));
    std::array<char, 65536> buffer{};
    const std::uint64_t end = read_ + most;
    while (stream && read_ < end) {
        stream.read(buffer.data(),
                    static_cast<std::streamsize>(std::min<std::uint64_t>(buffer.size(), end - read_)));
        take(std::string_view(buffer.data(), static_cast<std::size_t>(stream.gcount())));
    }
    return read_ >= end;
}

void LogFollower::take(std::string_view bytes) {
    read_ += bytes.size();
    checksum_.add(bytes);
    tail_.append(bytes);
    tail_.erase(0, tail_.size() - std::min(tail_.size(), tailBytes));
    if (diagnosis_) {
        diagnosis_->feed(bytes);
    }
    if (analyzer_) {
        analyzer_->feed(bytes);
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

const analysis::Pace& LogFollower::pace() const {
    static const analysis::Pace none;
    return analyzer_ ? analyzer_->pace() : none;
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

RunLogs::RunLogs(const RunState& run, diagnosis::Rules rules, const OnIteration& onIteration)
    : folder_(run.path),
      lastIteration_(run.range.train),
      rules_(std::move(rules)),
      more_(run.nodes.size()),
      recordRead_(!rules_ || run.phase != RunPhase::Finished) {
    for (std::size_t rank = 0; rank < run.nodes.size(); ++rank) {
        logs_.emplace_back(run, rank, folder_, rules_, std::bind_front(onIteration, rank));
    }
}

// Block by block over all nodes, not node by node: the chart waits for the slowest.
bool RunLogs::read(const std::vector<NodeAlert>& alerts) {
    bool news = readRecord();
    bool any = true;
    for (int i = 0; i < blocksAtOnce && any; ++i) {
        any = false;
        for (std::size_t rank = 0; rank < logs_.size(); ++rank) {
            const std::uint64_t before = logs_[rank].bytesRead();
            more_[rank] = logs_[rank].advance(blockBytes);
            any = any || logs_[rank].bytesRead() > before;
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
    const analysis::Iteration* latest = logs_.empty() ? nullptr : logs_[0].pace().latest();
    return latest == nullptr ? 0 : latest->number;
}

bool RunLogs::countsLines() const {
    return !logs_.empty() && logs_[0].countsLines();
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
