// SPDX-License-Identifier: Apache-2.0
// What another window makes of the figures of some cases, line by line.
#pragma once

#include <QString>
#include <vector>

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

// The repetitions of each case, and their median where there are several. `changed` is one for each run, or
// empty while the logs are not read. Medians are folded as Compare folds them.
[[nodiscard]] std::vector<WindowRow> windowRows(const std::vector<RunResult>& runs,
                                                const std::vector<store::ChangedWindow>& changed,
                                                const Vocabulary& vocabulary);

}  // namespace dlperf::ui
