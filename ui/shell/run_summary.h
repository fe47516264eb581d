// SPDX-License-Identifier: Apache-2.0
// What the rail and the status bar say about runs, wherever one is in the window.
#pragma once

#include <QString>

namespace dlperf::ui {

class Session;

struct RunSummary {
    int runs = 0;          // of all campaigns and imports
    int figures = 0;       // of them with a figure
    QString title;         // of the active run: "dlperf-worker 1n2g"; empty when none is
    QString detail;        // "Run 4 of 6"
    QString repetition;    // "repetition 1"
    double progress = -1;  // of the campaign
    QString status;        // "1 run active, 2 queued"
};

[[nodiscard]] RunSummary summarize(const Session& session);

}  // namespace dlperf::ui
