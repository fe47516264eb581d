// SPDX-License-Identifier: Apache-2.0
#include "ui/session/live_run.h"

#include <algorithm>
#include <cmath>
#include <fstream>

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

LiveRun::LiveRun(const run::RunStatus& status)
    : id_(status.id),
      folder_(status.folder),
      window_(status.window),
      chart_(status.nodes, status.window, status.unit) {
    const analysis::Format* format = analysis::findFormat(status.format);
    const analysis::RunShape shape{status.benchmarkCase.topology, status.benchmarkCase.subject.batchSize};
    for (std::size_t rank = 0; rank < status.nodes.size(); ++rank) {
        Node node;
        node.name = status.nodes[rank];
        node.log = folder_ / ("node" + std::to_string(rank) + ".log");
        if (format != nullptr) {
            node.analyzer.emplace(*format, shape, window_);
        }
        nodes_.push_back(std::move(node));
    }
}

// Block by block over all nodes, not node by node: the chart waits for the slowest.
bool LiveRun::read() {
    bool news = false;
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
    return news;
}

bool LiveRun::readNode(std::size_t index) {
    Node& node = nodes_[index];
    std::ifstream file(node.log, std::ios::binary);
    if (!node.analyzer || !file || !file.seekg(static_cast<std::streamoff>(node.offset))) {
        chart_.add(index, {}, false);
        return false;
    }
    std::string bytes(blockBytes, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const auto count = static_cast<std::size_t>(file.gcount());
    std::vector<analysis::Iteration> found;
    if (count > 0) {
        node.offset += count;
        node.analyzer->feed(std::string_view(bytes.data(), count));
        found = node.analyzer->takeIterations();
    }
    chart_.add(index, found, count == blockBytes && file.peek() != std::ifstream::traits_type::eof());
    if (index == 0) {
        pace_.insert(pace_.end(), found.begin(), found.end());
        pace_.erase(pace_.begin(), pace_.end() - static_cast<std::ptrdiff_t>(std::min(pace_.size(), paceOf)));
    }
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
    return update;
}

}  // namespace dlperf::ui
