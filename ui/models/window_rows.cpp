// SPDX-License-Identifier: Apache-2.0
#include "ui/models/window_rows.h"

#include <QCoreApplication>
#include <map>
#include <utility>

#include "core/report/comparison.h"
#include "core/report/numbers.h"
#include "ui/models/series_finder.h"
#include "ui/theme/numbers.h"

namespace dlperf::ui {
namespace {

// The context of the texts, for translators.
struct RowText {
    Q_DECLARE_TR_FUNCTIONS(dlperf::ui::WindowRows)
};

QString textOf(std::optional<double> figure, int decimals) {
    return figure ? figureText(*figure, decimals) : missing;
}

QString changeOf(std::optional<double> before, std::optional<double> after) {
    return before.value_or(0) > 0 && after ? percentText(*after / *before - 1, true) : QString();
}

std::vector<RunResult> inNewWindow(std::vector<RunResult> runs,
                                   const std::vector<store::ChangedWindow>& changed) {
    store::ChangedWindows windows;
    for (std::size_t i = 0; i < changed.size(); ++i) {
        windows[runs[i].id] = changed[i];
    }
    for (RunResult& run : runs) {
        store::applyWindow(windows, run);
    }
    return runs;
}

// `after` is null while it is not known.
WindowRow rowOf(const RunResult& before, const RunResult* after, int decimals) {
    WindowRow row;
    row.repetition = QString::number(before.repetition);
    row.before = textOf(before.throughput, decimals);
    if (after != nullptr) {
        row.after = textOf(after->throughput, decimals);
        row.change = changeOf(before.throughput, after->throughput);
        row.remark = QString::fromStdString(after->reason);
    }
    if (before.excluded) {
        row.remark =
            row.remark.isEmpty() ? RowText::tr("excluded") : RowText::tr("excluded; %1").arg(row.remark);
    }
    return row;
}

QString titleOf(const report::ComparedSeries& series, const Topology& topology) {
    return QStringLiteral("%1, %2").arg(QString::fromStdString(series.title),
                                        QString::fromStdString(toString(topology)));
}

}  // namespace

struct WindowRows::After {
    After(std::vector<RunResult> inWindow, const Vocabulary& vocabulary, const analysis::FormatBook& formats)
        : runs(std::move(inWindow)),
          comparison(report::compare(runs, vocabulary, formats)),
          finder(comparison) {}

    std::vector<RunResult> runs;
    report::Comparison comparison;
    SeriesFinder finder;
};

WindowRows::WindowRows(const std::vector<RunResult>& runs, const Vocabulary& vocabulary,
                       const analysis::FormatBook& formats)
    : runs_(runs), vocabulary_(vocabulary), formats_(formats) {
    const report::Comparison before = report::compare(runs_, vocabulary_, formats_);
    const SeriesFinder finder(before);
    std::map<std::pair<std::ptrdiff_t, Topology>, std::vector<std::size_t>> places;  // as Compare shows them
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        if (const report::ComparedSeries* series = finder.seriesOf(runs_[i])) {
            places[{series - before.series.data(), runs_[i].benchmarkCase.topology}].push_back(i);
        }
    }
    for (auto& [place, ofCase] : places) {
        const report::ComparedSeries& series = before.series[static_cast<std::size_t>(place.first)];
        cases_.push_back({titleOf(series, place.second), report::decimalsOf(series.unit),
                          report::findCell(series, place.second)->fold.median, std::move(ofCase)});
    }
}

void WindowRows::append(std::vector<WindowRow>& rows, const OneCase& one, const After* after) const {
    for (const std::size_t i : one.runs) {
        rows.push_back(rowOf(runs_[i], after != nullptr ? &after->runs[i] : nullptr, one.decimals));
        rows.back().title = one.title;
    }
    if (one.runs.size() < 2) {
        return;
    }
    WindowRow row;
    row.title = one.title;
    row.isMedian = true;
    row.repetition = RowText::tr("median");
    row.before = textOf(one.median, one.decimals);
    if (after != nullptr) {
        const RunResult& any = after->runs[one.runs.front()];
        const auto median =
            report::findCell(*after->finder.seriesOf(any), any.benchmarkCase.topology)->fold.median;
        row.after = textOf(median, one.decimals);
        row.change = changeOf(one.median, median);
    }
    rows.push_back(row);
}

std::vector<WindowRow> WindowRows::rows(const std::vector<store::ChangedWindow>& changed) const {
    std::optional<After> after;
    if (changed.size() == runs_.size()) {
        after.emplace(inNewWindow(runs_, changed), vocabulary_, formats_);
    }
    std::vector<WindowRow> rows;
    for (const OneCase& one : cases_) {
        append(rows, one, after ? &*after : nullptr);
    }
    return rows;
}

}  // namespace dlperf::ui
