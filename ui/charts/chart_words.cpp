// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_words.h"

#include <QCoreApplication>
#include <array>

namespace dlperf::ui {
namespace {

// For translators.
[[maybe_unused]] constexpr std::array chartWords{
    QT_TRANSLATE_NOOP("ChartWords", "Throughput"),
    QT_TRANSLATE_NOOP("ChartWords", "Throughput per node"),
    QT_TRANSLATE_NOOP("ChartWords", "Speedup"),
    QT_TRANSLATE_NOOP("ChartWords", "over own 1n1g"),
    QT_TRANSLATE_NOOP("ChartWords", "Scaling efficiency"),
    QT_TRANSLATE_NOOP("ChartWords", "speedup over devices"),
    QT_TRANSLATE_NOOP("ChartWords", "Memory of a device"),
    QT_TRANSLATE_NOOP("ChartWords", "Spread of repetitions"),
    QT_TRANSLATE_NOOP("ChartWords", "off the median"),
    QT_TRANSLATE_NOOP("ChartWords", "off the median, 95 % interval"),
    QT_TRANSLATE_NOOP("ChartWords", "Topology"),
    QT_TRANSLATE_NOOP("ChartWords", "Number of devices"),
    QT_TRANSLATE_NOOP("ChartWords", "Batch size per device"),
    QT_TRANSLATE_NOOP("ChartWords", "Iteration"),
    QT_TRANSLATE_NOOP("ChartWords", "Seconds"),
    QT_TRANSLATE_NOOP("ChartWords", "ideal"),
    QT_TRANSLATE_NOOP("ChartWords", "running median"),
    QT_TRANSLATE_NOOP("ChartWords", "warmup, not measured"),
    QT_TRANSLATE_NOOP("ChartWords", "images/s"),
    QT_TRANSLATE_NOOP("ChartWords", "sequences/s"),
    QT_TRANSLATE_NOOP("ChartWords", "sentences/s"),
    QT_TRANSLATE_NOOP("ChartWords", "samples/s"),
    QT_TRANSLATE_NOOP("ChartWords", "GPU use"),
    QT_TRANSLATE_NOOP("ChartWords", "GPU power"),
    QT_TRANSLATE_NOOP("ChartWords", "GPU clock"),
    QT_TRANSLATE_NOOP("ChartWords", "GPU temperature"),
    QT_TRANSLATE_NOOP("ChartWords", "GPU memory"),
    QT_TRANSLATE_NOOP("ChartWords", "GPUs throttled"),
    QT_TRANSLATE_NOOP("ChartWords", "CPU load"),
    QT_TRANSLATE_NOOP("ChartWords", "Network"),
};

}  // namespace

QString chartWord(const std::string& word) {
    return QCoreApplication::translate("ChartWords", word.c_str());
}

report::ChartSpec inWindowWords(report::ChartSpec chart) {
    const auto translate = [](std::string& word) { word = chartWord(word).toStdString(); };
    translate(chart.title);
    translate(chart.unit);
    translate(chart.x.title);
    translate(chart.y.title);
    for (report::Series& series : chart.series) {
        if (series.role != report::SeriesRole::Data) {
            translate(series.title);
        }
    }
    for (report::Region& region : chart.regions) {
        translate(region.label);
    }
    return chart;
}

}  // namespace dlperf::ui
