// SPDX-License-Identifier: Apache-2.0
// Throughput per iteration of one run while it goes on: one line a node, the warmup shaded, and the median of
// what has been measured so far. What a log adds costs the same however much came before. For one thread at a
// time; the charts that it gives are values of their own.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "core/analysis/run_figure.h"
#include "core/model/case.h"
#include "core/report/chart_spec.h"
#include "core/report/sample_line.h"

namespace dlperf::report {

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

    // Numbers are those of the lines that count, whatever iterations these tell of.
    void countLines() { countsLines_ = true; }

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
    bool countsLines_ = false;
};

}  // namespace dlperf::report
