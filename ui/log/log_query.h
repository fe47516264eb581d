// SPDX-License-Identifier: Apache-2.0
// What is searched for in a log: a text whatever its letter case, or a regular expression. A pattern may be
// anything a user types, so each line takes a bounded effort only.
#pragma once

#include <QRegularExpression>
#include <QString>
#include <string_view>
#include <vector>

#include "core/log/line_search.h"
#include "core/log/log_book.h"
#include "ui/log/log_spans.h"

namespace dlperf::ui {

struct LogQuery {
    QString text;
    bool isPattern = false;
    friend bool operator==(const LogQuery&, const LogQuery&) = default;
};

class LogMatcher {
public:
    using Answer = log::LogBook::Answer;

    explicit LogMatcher(const LogQuery& query = {});

    // Why the pattern is none, in words; empty if it is one.
    [[nodiscard]] QString problem() const;
    [[nodiscard]] bool isEmpty() const { return query_.text.isEmpty(); }
    // Looks at what is shown of the line (cleanLogLine).
    [[nodiscard]] Answer look(std::string_view bytes) const;
    // What is found in a shown line, from left to right; some hundred at most.
    [[nodiscard]] std::vector<LogSpan> find(const QString& line) const;

private:
    [[nodiscard]] std::vector<LogSpan> findPattern(const QString& line) const;

    LogQuery query_;
    log::LineSearch fast_;  // for lines of plain ASCII, which are searched without decoding them
    QRegularExpression pattern_;
};

}  // namespace dlperf::ui
