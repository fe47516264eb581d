// SPDX-License-Identifier: Apache-2.0
#include "ui/models/window_rows.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/report/comparison.h"
#include "core/report/numbers.h"
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

WindowRow rowOf(const RunResult& before, const RunResult& after, bool known) {
    const int decimals = report::decimalsOf(before.unit);
    WindowRow row;
    row.repetition = QString::number(before.repetition);
    row.before = textOf(before.throughput, decimals);
    if (known) {
        row.after = textOf(after.throughput, decimals);
        row.change = changeOf(before.throughput, after.throughput);
        row.remark = QString::fromStdString(after.reason);
    }
    if (before.excluded) {
        row.remark =
            row.remark.isEmpty() ? RowText::tr("excluded") : RowText::tr("excluded; %1").arg(row.remark);
    }
    return row;
}

WindowRow medianRow(const report::ComparedSeries& series, const report::Cell& before,
                    const report::Cell* after) {
    const int decimals = report::decimalsOf(series.unit);
    WindowRow row;
    row.isMedian = true;
    row.repetition = RowText::tr("median");
    row.before = textOf(before.fold.median, decimals);
    if (after != nullptr) {
        row.after = textOf(after->fold.median, decimals);
        row.change = changeOf(before.fold.median, after->fold.median);
    }
    return row;
}

}  // namespace

std::vector<WindowRow> windowRows(const std::vector<RunResult>& runs,
                                  const std::vector<store::ChangedWindow>& changed,
                                  const Vocabulary& vocabulary) {
    const bool known = changed.size() == runs.size();
    const std::vector<RunResult> later =
        inNewWindow(runs, known ? changed : std::vector<store::ChangedWindow>());
    const report::Comparison before = report::compare(runs, vocabulary);
    const report::Comparison after = report::compare(later, vocabulary);
    std::vector<WindowRow> rows;
    for (const report::ComparedSeries& series : before.series) {
        const auto same = std::ranges::find(after.series, series.id, &report::ComparedSeries::id);
        for (std::size_t place = 0; place < series.cells.size(); ++place) {
            const Topology& topology = series.cells[place].topology;
            const QString title = QStringLiteral("%1, %2").arg(QString::fromStdString(series.title),
                                                               QString::fromStdString(toString(topology)));
            const std::size_t first = rows.size();
            for (std::size_t i = 0; i < runs.size(); ++i) {
                if (report::holds(series, runs[i]) && runs[i].benchmarkCase.topology == topology) {
                    rows.push_back(rowOf(runs[i], later[i], known));
                }
            }
            if (rows.size() - first > 1) {
                rows.push_back(medianRow(series, series.cells[place], known ? &same->cells[place] : nullptr));
            }
            for (std::size_t i = first; i < rows.size(); ++i) {
                rows[i].title = title;
            }
        }
    }
    return rows;
}

}  // namespace dlperf::ui
