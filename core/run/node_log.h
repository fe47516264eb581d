// SPDX-License-Identifier: Apache-2.0
// The log of a node: its copy in the run's folder, and what is read of that copy.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/format_book.h"
#include "core/analysis/log_analyzer.h"
#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/diagnosis/diagnose.h"
#include "core/remote/transport.h"
#include "core/run/run_state.h"

namespace dlperf::run {

// The local copy of a log that grows on a node: always exactly its first bytes, so that a broken connection
// or a new runner goes on at the copy's size.
class LogCopy {
public:
    [[nodiscard]] static Result<LogCopy> open(const std::filesystem::path& path);

    std::uint64_t size() const { return size_; }
    // Copies what the node has now, at most so many bytes: a trainer may write faster than we copy. True when
    // there may be more. A Work error when the local disk is full; Transient when the node is not reached.
    [[nodiscard]] Result<bool> catchUp(remote::Transport& transport, const std::string& remotePath,
                                       std::uint64_t most, const std::stop_token& stop);
    // What is copied survives the loss of power.
    [[nodiscard]] Result<void> sync();

private:
    LogCopy(Descriptor file, std::uint64_t size, std::filesystem::path path)
        : file_(std::move(file)), size_(size), path_(std::move(path)) {}
    [[nodiscard]] Result<void> append(std::string_view bytes);

    Descriptor file_;
    std::uint64_t size_ = 0;
    std::filesystem::path path_;
};

// Reads the local copy once while it grows, in the runner and in the window, and hands its bytes to all who
// want to know: the figure, the diagnosis, the checksum, the live chart.
class LogFollower {
public:
    // Without rules, or for a format that neither this version nor the run's folder knows, it reads the rest.
    LogFollower(const RunState& run, std::size_t rank, const std::filesystem::path& folder,
                diagnosis::Rules rules, analysis::OnIteration onIteration = analysis::ignoreIteration);

    // Reads what came since the last call, but no more than this: a trainer may write faster than we read.
    // True when there may be more.
    bool advance(std::uint64_t most);
    // Reads to the end; again does nothing.
    void finish();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::uint64_t bytesRead() const { return read_; }
    // Its numbers are those of the lines that count, whatever iterations these tell of.
    [[nodiscard]] bool countsLines() const { return countsLines_; }
    [[nodiscard]] bool rangeReached() const { return analyzer_ && analyzer_->rangeReached(); }
    [[nodiscard]] const analysis::Pace& pace() const;
    [[nodiscard]] const std::vector<diagnosis::Hint>& hints() const;

    // After finish().
    [[nodiscard]] analysis::RunFigure figure() const;
    [[nodiscard]] const std::string& sha256() const { return sha256_; }
    // The last line with text, cleaned and bounded, for a message; the worker's echo of an exit code only
    // where nothing else was said.
    [[nodiscard]] std::string lastLine() const;

private:
    void take(std::string_view bytes);

    std::filesystem::path path_;
    std::uint64_t read_ = 0;
    analysis::FormatBook formats_;  // the analyzer's row is one of these
    std::unique_ptr<analysis::LogAnalyzer> analyzer_;
    bool countsLines_ = false;
    std::optional<diagnosis::LogDiagnosis> diagnosis_;
    Sha256 checksum_;
    std::string sha256_;
    std::string tail_;
};

// The logs of a run on all its nodes, for whoever watches it. For one thread at a time.
class RunLogs {
public:
    using OnIteration = std::function<void(std::size_t rank, const analysis::Iteration&)>;

    RunLogs(const RunState& run, diagnosis::Rules rules, const OnIteration& onIteration);

    // Reads what the logs hold beyond the last call, a bounded part of it, and takes the alerts there are
    // now. True when anything is new.
    bool read(const std::vector<NodeAlert>& alerts);
    // By rank: the log holds more than was read of it.
    [[nodiscard]] const std::vector<bool>& more() const { return more_; }

    [[nodiscard]] std::int64_t iteration() const;             // the last one of node 0
    [[nodiscard]] bool countsLines() const;                   // it is the number of a line that counts
    [[nodiscard]] std::optional<double> secondsLeft() const;  // by the pace of the last iterations; finite
    // What went wrong, by node and line; then what no line says.
    [[nodiscard]] std::vector<diagnosis::Hint> hints() const;

private:
    bool readRecord();
    bool takeAlerts(const std::vector<NodeAlert>& alerts);

    std::filesystem::path folder_;
    int lastIteration_;
    diagnosis::Rules rules_;
    std::vector<LogFollower> logs_;  // by rank, as is the next
    std::vector<bool> more_;
    bool recordRead_;
    std::vector<diagnosis::Hint> recorded_;  // what the runner found that no line says
    std::vector<diagnosis::Hint> alerts_;
};

}  // namespace dlperf::run
