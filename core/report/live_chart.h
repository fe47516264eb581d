// SPDX-License-Identifier: Apache-2.0
// Throughput per iteration of one run while it goes on: one line a node, the warmup shaded, and the median of
// what has been measured so far. What a log adds costs the same however much came before. For one thread at a
// time; the charts that it gives are values of their own.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "core/analysis/run_figure.h"
#include "core/model/case.h"
#include "core/report/chart_spec.h"

namespace dlperf::report {

struct Sample {
    double x = 0;
    double y = 0;
    friend bool operator==(const Sample&, const Sample&) = default;
};

// A line of very many points that grows at its end. Adding a point, copying the line and taking from it what
// a screen can show cost about the same however long it is. Copies share their points: a chart keeps one
// while the line grows on another thread.
class SampleLine {
public:
    // Beyond the last x. What stands at this x or beyond is dropped: a restarted trainer counts again from
    // there.
    void append(Sample sample);

    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] Sample at(std::size_t index) const;  // index < size()
    [[nodiscard]] Sample front() const { return at(0); }
    [[nodiscard]] Sample back() const { return at(size() - 1); }

    // The point whose x is nearest; nothing in an empty line.
    [[nodiscard]] std::optional<Sample> nearest(double x) const;
    // What is to be drawn of from <= x <= to: all points, or, where these are more than `most` (8 or more),
    // the lowest and the highest of each of many stretches, so that no spike is lost. The next points outside
    // come along, so that the line runs to the edges. The stretches do not depend on `from` and `to`, only on
    // how far they are apart: nothing flickers when the part is moved.
    [[nodiscard]] std::vector<Sample> between(double from, double to, std::size_t most) const;

private:
    struct Block;
    struct Extremes;  // indices of the lowest and the highest

    void dropFrom(double x);
    [[nodiscard]] std::size_t firstNotBelow(double x) const;
    [[nodiscard]] Extremes extremesOf(std::size_t begin, std::size_t size) const;
    [[nodiscard]] std::vector<Sample> some(std::size_t begin, std::size_t end, std::size_t most) const;

    std::vector<std::shared_ptr<const Block>> blocks_;  // full ones
    std::vector<Sample> tail_;                          // less than a block
};

// The median of all figures so far, in logarithmic time for each.
class RunningMedian {
public:
    // Finite.
    void add(double figure);
    // Nothing before the first figure.
    [[nodiscard]] std::optional<double> value() const;

private:
    std::priority_queue<double> lower_;  // its top is the largest of the smaller half
    std::priority_queue<double, std::vector<double>, std::greater<>> upper_;
};

class LiveChart {
public:
    LiveChart(const std::vector<std::string>& nodes, const MeasurementRange& range, std::string unit);

    // What the log of a node brought next, in log order. Iterations without a throughput are skipped. A
    // node that starts again from a lower number (a restarted trainer) goes on from there only.
    void add(std::size_t node, const analysis::Iteration& iteration);
    // Takes into the median what has come, by iteration over all nodes. A node, by number, whose log holds
    // `more` that has not been read is waited for, so that a log read in pieces gives the same line as a
    // whole one; others are not, so that a dead node stops nothing: what comes from one too late counts from
    // then on.
    void update(const std::vector<bool>& more = {});

    [[nodiscard]] std::optional<double> median() const { return median_.value(); }
    [[nodiscard]] ChartSpec chart() const;

private:
    struct Node {
        std::string name;
        SampleLine line;
        std::size_t merged = 0;  // so many points are in the median
    };
    [[nodiscard]] Node* nextToMerge(const std::vector<bool>& more);
    void merge(const Sample& sample);

    std::vector<Node> nodes_;
    MeasurementRange range_;
    std::string unit_;
    RunningMedian median_;
    SampleLine medianLine_;
    bool restarted_ = false;
};

}  // namespace dlperf::report
