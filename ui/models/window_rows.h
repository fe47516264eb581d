// SPDX-License-Identifier: Apache-2.0
// What another window makes of the figures of some cases, line by line.
#pragma once

#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/analysis/format_book.h"
#include "core/model/case.h"
#include "core/model/vocabulary.h"
#include "core/store/windows.h"

namespace dlperf::ui {

struct WindowRow {
    QString title;       // the case: "PyTorch, 2n8g"
    QString repetition;  // "1"; of the last line of a case "median"
    QString before;
    QString after;  // empty: not known yet
    QString change;
    QString remark;  // why there is no figure
    bool isMedian = false;
};

// The repetitions of each case, and their median where there are several. Medians are folded as Compare folds
// them; those of the present window once, however often another one is asked for.
class WindowRows {
public:
    // All outlive it.
    WindowRows(const std::vector<RunResult>& runs, const Vocabulary& vocabulary,
               const analysis::FormatBook& formats);

    // `changed` is one for each run, or empty while the logs are not read.
    [[nodiscard]] std::vector<WindowRow> rows(const std::vector<store::ChangedWindow>& changed) const;

private:
    struct OneCase {
        QString title;
        int decimals = 0;
        std::optional<double> median;   // in the present window
        std::vector<std::size_t> runs;  // places in runs_
    };
    struct After;
    void append(std::vector<WindowRow>& rows, const OneCase& one, const After* after) const;

    const std::vector<RunResult>& runs_;
    const Vocabulary& vocabulary_;
    const analysis::FormatBook& formats_;
    std::vector<OneCase> cases_;
};

}  // namespace dlperf::ui
