// SPDX-License-Identifier: Apache-2.0
#include "ui/session/live_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <utility>

#include "core/store/run_record.h"

namespace dlperf::ui {
namespace {

constexpr std::size_t blockBytes = 1U << 20U;
constexpr int blocksAtOnce = 16;    // the window shows something of a huge log soon
constexpr std::size_t paceOf = 20;  // iterations

std::optional<double> secondsLeft(const std::deque<analysis::Iteration>& iterations, const Window& window) {
    if (iterations.size() < 2 || window.train <= 0) {
        return std::nullopt;
    }
    double seconds = 0;
    int count = 0;
    for (const analysis::Iteration& iteration : iterations) {
        if (iteration.seconds && std::isfinite(*iteration.seconds)) {  // a log may say "time inf"
            seconds += *iteration.seconds;
            ++count;
        }
    }
    const auto left = static_cast<double>(window.train - iterations.back().number);
    const double whole = count > 0 ? seconds / count * left : -1;
    return left >= 0 && whole >= 0 && std::isfinite(whole) ? std::optional(whole) : std::nullopt;
}

}  // namespace

LiveRun::LiveRun(const run::RunState& status, diagnosis::Rules rules)
    : id_(status.id),
      folder_(status.path),
      window_(status.window),
      chart_(status.nodes, status.window, status.unit),
      telemetry_(status.nodes),
      rules_(std::move(rules)),
      recordRead_(!rules_ || status.phase != run::RunPhase::Finished) {
    const analysis::Format* format = analysis::findFormat(status.format);
    const analysis::RunShape shape{status.benchmarkCase.topology, status.benchmarkCase.subject.batchSize};
    for (std::size_t rank = 0; rank < status.nodes.size(); ++rank) {
        Node node;
        node.name = status.nodes[rank];
        node.log = folder_ / ("node" + std::to_string(rank) + ".log");
        node.telemetry = folder_ / ("node" + std::to_string(rank) + ".telemetry.csv");
        if (format != nullptr) {
            node.analyzer.emplace(*format, shape, window_);
        }
        if (rules_) {
            node.diagnosis.emplace(rules_, node.name);
        }
        nodes_.push_back(std::move(node));
    }
}

// Block by block over all nodes, not node by node: the chart waits for the slowest.
bool LiveRun::read(const std::vector<run::NodeAlert>& troubles) {
    bool news = readRecord();
    for (int i = 0; i < blocksAtOnce; ++i) {
        bool any = false;
        for (std::size_t node = 0; node < nodes_.size(); ++node) {
            any = readNode(node) || any;
        }
        if (!any) {
            break;
        }
        news = true;
    }
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
        news = readTelemetry(node) || news;
    }
    return lookAtTroubles(troubles) || news;
}

// What the runner found in exit codes; what stands in the logs is found here anew.
bool LiveRun::readRecord() {
    if (recordRead_) {
        return false;
    }
    recordRead_ = true;
    if (const auto record = store::readRunRecord(folder_)) {
        recorded_ = diagnosis::hintsFromJson(record->facts.value("diagnosis", Json()));
        std::erase_if(recorded_, [](const diagnosis::Hint& hint) { return hint.line > 0; });
    }
    return !recorded_.empty();
}

// By steps, lest the words change with every look.
bool LiveRun::lookAtTroubles(const std::vector<run::NodeAlert>& troubles) {
    constexpr std::chrono::seconds step{10};
    std::vector<diagnosis::Hint> hints;
    for (const run::NodeAlert& trouble : troubles) {
        const auto past = std::max(now() - trouble.since, TimePoint::duration::zero());
        const auto told = run::hintsOf(rules_, {trouble}, trouble.since + past / step * step);
        hints.insert(hints.end(), told.begin(), told.end());
    }
    const bool changed = hints != troubles_;
    troubles_ = std::move(hints);
    return changed;
}

bool LiveRun::readNode(std::size_t index) {
    Node& node = nodes_[index];
    std::ifstream file(node.log, std::ios::binary);
    if ((!node.analyzer && !node.diagnosis) || !file ||
        !file.seekg(static_cast<std::streamoff>(node.offset))) {
        chart_.add(index, {}, false);
        return false;
    }
    std::string bytes(blockBytes, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const auto count = static_cast<std::size_t>(file.gcount());
    std::vector<analysis::Iteration> found;
    if (count > 0) {
        node.offset += count;
        const std::string_view read(bytes.data(), count);
        if (node.analyzer) {
            node.analyzer->feed(read);
            found = node.analyzer->takeIterations();
        }
        if (node.diagnosis) {
            node.diagnosis->feed(read);
        }
    }
    chart_.add(index, found, count == blockBytes && file.peek() != std::ifstream::traits_type::eof());
    if (index == 0) {
        pace_.insert(pace_.end(), found.begin(), found.end());
        pace_.erase(pace_.begin(), pace_.end() - static_cast<std::ptrdiff_t>(std::min(pace_.size(), paceOf)));
    }
    return count > 0;
}

bool LiveRun::readTelemetry(std::size_t index) {
    Node& node = nodes_[index];
    std::ifstream file(node.telemetry, std::ios::binary);
    if (!file || !file.seekg(static_cast<std::streamoff>(node.telemetryOffset))) {
        return false;
    }
    std::string bytes(blockBytes, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const auto count = static_cast<std::size_t>(file.gcount());
    node.telemetryOffset += count;
    telemetry_.feed(index, std::string_view(bytes.data(), count));
    return count > 0;
}

LiveUpdate LiveRun::update() {
    chart_.update();
    LiveUpdate update;
    update.runId = id_;
    update.chart = chart_.chart();
    update.median = chart_.median();
    update.iteration = pace_.empty() ? 0 : pace_.back().number;
    update.secondsLeft = secondsLeft(pace_, window_);
    for (const Node& node : nodes_) {
        if (node.diagnosis) {
            const auto& hints = node.diagnosis->hints();
            update.hints.insert(update.hints.end(), hints.begin(), hints.end());
        }
    }
    update.hints.insert(update.hints.end(), recorded_.begin(), recorded_.end());
    for (const report::Quantity quantity : telemetry_.quantities()) {
        update.telemetry.push_back({quantity, telemetry_.chart(quantity)});
    }
    update.hints.insert(update.hints.end(), troubles_.begin(), troubles_.end());
    return update;
}

}  // namespace dlperf::ui
