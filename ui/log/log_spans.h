// SPDX-License-Identifier: Apache-2.0
// A line of a log as it is painted: its text, and what the text says about itself. Pure functions.
#pragma once

#include <QString>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/log/line_level.h"

namespace dlperf::log {
struct LogLine;
}

namespace dlperf::ui {

// From letters `begin` on, `length` of them.
struct LogSpan {
    qsizetype begin = 0;
    qsizetype length = 0;
    friend bool operator==(const LogSpan&, const LogSpan&) = default;
};

struct ShownLine {
    QString text;
    log::Level level = log::Level::Plain;
    qsizetype prefix = 0;     // letters that say who wrote it
    int node = 0;             // position of the node whose log it is in
    std::uint64_t bytes = 0;  // of the whole line, where only its begin is shown; else 0
    bool isFinished = true;
};

// A line as a terminal shows it in the end: without escape sequences, what a progress bar last said, tabs as
// spaces, what cannot be printed as one sign each.
[[nodiscard]] QString cleanLogLine(std::string_view bytes);

// `nodes` are their names, in order.
[[nodiscard]] ShownLine showLine(const log::LogLine& line, const std::vector<std::string>& nodes);

// Where to break a line that is wider than `columns` letters of one width; wide letters take two.
[[nodiscard]] std::vector<LogSpan> wrapLine(const QString& text, int columns);

}  // namespace dlperf::ui
