// SPDX-License-Identifier: Apache-2.0
// What a line of a log is, by its text alone: how bad it is, and who says it. Pure functions.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <string_view>
#include <vector>

namespace dlperf::ui {

enum class LogLevel { Plain, Quiet, Info, Warning, Error };  // Quiet: headers and debug messages

// From letters `begin` on, `length` of them.
struct LogSpan {
    qsizetype begin = 0;
    qsizetype length = 0;
    friend bool operator==(const LogSpan&, const LogSpan&) = default;
};

// Who wrote the line: "[rank0]:", "[1,3]<stderr>:", "node2:", …
struct LogPrefix {
    LogSpan span;
    std::optional<int> rank;  // as the prefix says
    int node = -1;            // position among the nodes, when the prefix names one
};

[[nodiscard]] LogLevel levelOf(const QString& line);
[[nodiscard]] std::optional<LogPrefix> prefixOf(const QString& line, const QStringList& nodes = {});

// A line as a terminal shows it in the end: without escape sequences, what a progress bar last said, tabs as
// spaces, what cannot be printed as one sign each.
[[nodiscard]] QString cleanLogLine(std::string_view bytes);

// The part of a line's bytes that is still to be seen: what follows its last carriage return.
[[nodiscard]] std::string_view lastState(std::string_view bytes);

}  // namespace dlperf::ui
