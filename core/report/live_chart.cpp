// SPDX-License-Identifier: Apache-2.0
#include "core/report/live_chart.h"

#include <algorithm>
#include <cmath>

#include "core/report/numbers.h"

namespace dlperf::report {

void RunningMedian::add(double figure) {
    lower_.push(figure);
    upper_.push(lower_.top());
    lower_.pop();
    if (upper_.size() > lower_.size()) {
        lower_.push(upper_.top());
        upper_.pop();
    }
}

std::optional<double> RunningMedian::value() const {
    if (lower_.empty()) {
        return std::nullopt;
    }
    return lower_.size() > upper_.size() ? lower_.top() : (lower_.top() + upper_.top()) / 2;
}

LiveChart::LiveChart(const std::vector<std::string>& nodes, const MeasurementRange& range, std::string unit)
    : range_(range), unit_(std::move(unit)) {
    for (const std::string& name : nodes) {
        nodes_.push_back({name, {}, 0});
    }
}

void LiveChart::add(std::size_t node, const analysis::Iteration& iteration) {
    if (iteration.throughput && std::isfinite(*iteration.throughput)) {
        Node& to = nodes_.at(node);
        to.line.append({static_cast<double>(iteration.number), *iteration.throughput});
        restarted_ = restarted_ || to.line.size() <= to.merged;
    }
}

// The node with the lowest iteration that is not in the median yet; none while one that is waited for could
// still bring a lower one.
LiveChart::Node* LiveChart::nextToMerge(const std::vector<bool>& more) {
    Node* next = nullptr;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        Node& node = nodes_[i];
        if (node.merged < node.line.size()) {
            if (next == nullptr || node.line.at(node.merged).x < next->line.at(next->merged).x) {
                next = &node;
            }
        } else if (i < more.size() && more[i]) {
            return nullptr;
        }
    }
    return next;
}

void LiveChart::merge(const Sample& sample) {
    if (sample.x <= static_cast<double>(range_.warmup) ||
        (range_.train > 0 && sample.x > static_cast<double>(range_.train))) {
        return;
    }
    median_.add(sample.y);
    const double last = medianLine_.empty() ? sample.x : std::max(sample.x, medianLine_.back().x);
    medianLine_.append({last, *median_.value()});  // the last node of an iteration has the word
}

void LiveChart::update(const std::vector<bool>& more) {
    if (restarted_) {  // rare: what was taken back cannot be taken out of a median, so it is made anew
        restarted_ = false;
        median_ = {};
        medianLine_ = {};
        for (Node& node : nodes_) {
            node.merged = 0;
        }
    }
    while (Node* node = nextToMerge(more)) {
        merge(node->line.at(node->merged++));
    }
}

ChartSpec LiveChart::chart() const {
    ChartSpec chart;
    chart.title = "Throughput per node";
    chart.unit = unit_;
    chart.x = {.title = countsLines_ ? "Counted line" : "Iteration", .scale = AxisScale::Linear, .lowest = 0};
    if (range_.train > 0) {
        chart.x.highest = static_cast<double>(range_.train);
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = nodes_[i];
        // Nodes beside the first often print nothing: a line for them would stay empty.
        if (i > 0 && node.line.empty()) {
            continue;
        }
        if (!node.line.empty() && chart.x.highest) {
            chart.x.highest = std::max(*chart.x.highest, node.line.back().x);
        }
        chart.series.push_back({.key = node.name,
                                .title = node.name,
                                .fill = static_cast<int>(i),
                                .samples = std::make_shared<const SampleLine>(node.line)});
    }
    if (range_.warmup > 0) {
        chart.regions.push_back({0, static_cast<double>(range_.warmup), "warmup, not measured"});
    }
    if (!medianLine_.empty()) {
        chart.series.push_back({.key = "median",
                                .title = "running median",
                                .role = SeriesRole::RunningMedian,
                                .samples = std::make_shared<const SampleLine>(medianLine_),
                                .endLabel = "median " + brief(medianLine_.back().y)});
    }
    return chart;
}

}  // namespace dlperf::report
