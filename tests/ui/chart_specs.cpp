// SPDX-License-Identifier: Apache-2.0
#include "chart_specs.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/report/live_chart.h"

namespace dlperf::ui::test {
namespace {

struct Row {
    const char* title;
    const char* framework;
    int fill;
    std::array<double, 4> figures;  // 1n1g, 1n8g, 2n8g, 4n8g
};

constexpr std::array<Row, 8> rows{
    {{"OneFlow", "oneflow", 0, {397.64, 3130.34, 6260.30, 12411.97}},
     {"NGC MXNet", "mxnet", 0, {392.24, 3006.98, 5758.49, 11331.93}},
     {"NGC PyTorch", "pytorch", 0, {367.29, 2887.65, 5716.79, 10917.09}},
     {"PyTorch", "pytorch", 1, {348.62, 2632.93, 5115.40, 10021.29}},
     {"MXNet gluon-cv", "mxnet", 1, {384.19, 2556.03, 4855.34, 9579.74}},
     {"NGC TensorFlow 1.x", "tensorflow", 0, {362.44, 2721.98, 5099.42, 9514.64}},
     {"TensorFlow 2.x", "tensorflow", 1, {321.80, 2458.74, 4849.68, 9418.44}},
     {"PaddlePaddle", "paddle", 0, {352.72, 2625.38, 4895.27, 9348.17}}}};
constexpr std::array<double, 4> devices{1, 8, 16, 32};

report::Series seriesOf(const Row& row) {
    report::Series series;
    series.key = row.title;
    series.title = row.title;
    series.framework = row.framework;
    series.fill = row.fill;
    return series;
}

}  // namespace

report::ChartSpec throughputSpec() {
    report::ChartSpec spec;
    spec.title = "Throughput";
    spec.unit = "images/s";
    spec.kind = report::ChartKind::Bars;
    spec.x.title = "Topology";
    spec.x.scale = report::AxisScale::Categories;
    spec.x.categories = {"1n1g", "1n8g", "2n8g", "4n8g"};
    const std::array<const char*, 4> labels{"398", "3,130", "6,260", "12,412"};
    for (const Row& row : rows) {
        report::Series series = seriesOf(row);
        for (std::size_t i = 0; i < row.figures.size(); ++i) {
            report::Point point;
            point.x = static_cast<double>(i);
            point.y = row.figures[i];
            point.tip = "a figure";
            if (&row == &rows.front()) {
                point.label = labels[i];
                point.isBest = true;
            } else {
                point.low = point.y * 0.99;
                point.high = point.y * 1.01;
            }
            series.points.push_back(point);
        }
        spec.series.push_back(series);
    }
    return spec;
}

report::ChartSpec speedupSpec() {
    report::ChartSpec spec;
    spec.title = "Speedup";
    spec.kind = report::ChartKind::Lines;
    spec.x = {"Number of GPUs", report::AxisScale::Log2, report::NumberStyle::Plain, {}, {}, {}};
    spec.y = {"", report::AxisScale::Log2, report::NumberStyle::Times, {}, {}, {}};
    report::Series ideal;
    ideal.key = "ideal";
    ideal.title = "ideal";
    ideal.role = report::SeriesRole::Ideal;
    for (const double count : devices) {
        report::Point point;
        point.x = point.y = count;
        ideal.points.push_back(point);
    }
    spec.series.push_back(ideal);
    for (const Row& row : rows) {
        report::Series series = seriesOf(row);
        for (std::size_t i = 0; i < row.figures.size(); ++i) {
            report::Point point;
            point.x = devices[i];
            point.y = row.figures[i] / row.figures[0];
            series.points.push_back(point);
        }
        spec.series.push_back(series);
    }
    spec.series[1].points.back().label = "31.2×";
    spec.series[5].points.back().label = "24.9×";
    spec.series[5].points[1].finding = "Scaling loss inside one node";
    return spec;
}

report::ChartSpec liveSpec(int iterations) {
    const std::vector<std::string> nodes{"node1", "node2", "node3"};
    report::LiveChart live(nodes, {20, 120}, "images/s");
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        const auto phase = static_cast<double>(node);
        for (int i = 1; i <= iterations; ++i) {
            analysis::Iteration iteration;
            iteration.number = i;
            iteration.throughput =
                2500 - 120 * phase - 400 * std::exp(-i / 6.0) + 40 * std::sin(i * (phase + 1.3));
            live.add(node, iteration);
        }
    }
    live.update();
    return live.chart();
}

}  // namespace dlperf::ui::test
