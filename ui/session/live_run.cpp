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

std::optional<double> secondsLeft(const std::vector<analysis::Iteration>& iterations, const Window& window) {
    if (iterations.size() < 2 || window.train <= 0) {
        return std::nullopt;
    }
    const std::size_t first = iterations.size() > paceOf ? iterations.size() - paceOf : 0;
    double seconds = 0;
    int count = 0;
    for (std::size_t i = first; i < iterations.size(); ++i) {
        if (iterations[i].seconds && std::isfinite(*iterations[i].seconds)) {  // a log may say "time inf"
            seconds += *iterations[i].seconds;
            ++count;
        }
    }
    const auto left = static_cast<double>(window.train - iterations.back().number);
    const double whole = count > 0 ? seconds / count * left : -1;
    return left >= 0 && whole >= 0 && std::isfinite(whole) ? std::optional(whole) : std::nullopt;
}

}  // namespace

LiveRun::LiveRun(const run::RunStatus& status)
    : id_(status.id), folder_(status.folder), unit_(status.unit), window_(status.window) {
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

bool LiveRun::read() {
    bool news = false;
    for (Node& node : nodes_) {
        for (int i = 0; i < blocksAtOnce && readNode(node); ++i) {
            news = true;
        }
    }
    return news;
}

bool LiveRun::readNode(Node& node) {
    std::ifstream file(node.log, std::ios::binary);
    if (!node.analyzer || !file || !file.seekg(static_cast<std::streamoff>(node.offset))) {
        return false;
    }
    std::string bytes(blockBytes, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const auto count = static_cast<std::size_t>(file.gcount());
    if (count == 0) {
        return false;
    }
    node.offset += count;
    node.analyzer->feed(std::string_view(bytes.data(), count));
    auto found = node.analyzer->takeIterations();
    std::move(found.begin(), found.end(), std::back_inserter(node.iterations));
    return true;
}

LiveUpdate LiveRun::update() const {
    LiveUpdate update;
    update.runId = id_;
    std::vector<report::NodeIterations> nodes;
    for (const Node& node : nodes_) {
        // Nodes beside the first often print nothing: a line for them would stay empty.
        if (&node == &nodes_.front() || !node.iterations.empty()) {
            nodes.push_back({node.name, node.iterations});
        }
    }
    update.chart = report::liveThroughput(nodes, window_, unit_);
    for (const report::Series& series : update.chart.series) {
        if (series.role == report::SeriesRole::RunningMedian && !series.points.empty()) {
            update.median = series.points.back().y;
        }
    }
    if (!nodes_.empty()) {
        const Node& first = nodes_.front();
        update.iteration = first.iterations.empty() ? 0 : first.iterations.back().number;
        update.secondsLeft = secondsLeft(first.iterations, window_);
    }
    return update;
}

}  // namespace dlperf::ui
