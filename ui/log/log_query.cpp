// SPDX-License-Identifier: Apache-2.0
#include "ui/log/log_query.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/log/line_text.h"

namespace dlperf::ui {
namespace {

constexpr std::size_t mostSpans = 500;  // in one line
// PCRE's own bound on backtracking, in steps: some milliseconds.
const QString bound = QStringLiteral("(*LIMIT_MATCH=1000000)");

}  // namespace

LogMatcher::LogMatcher(const LogQuery& query)
    : query_(query), fast_(query.text.toStdString(), query.isPattern) {
    if (query_.isPattern) {
        pattern_.setPattern(bound + query_.text);
    }
}

QString LogMatcher::problem() const {
    if (!query_.isPattern || pattern_.isValid()) {
        return {};
    }
    return QCoreApplication::translate("LogMatcher", "No regular expression: %1, at character %2")
        .arg(pattern_.errorString())
        .arg(std::max<qsizetype>(1, pattern_.patternErrorOffset() - bound.size()));
}

LogMatcher::Answer LogMatcher::look(std::string_view bytes) const {
    const auto answer = [](bool found) { return found ? Answer::Yes : Answer::No; };
    std::string_view shown = log::lastState(bytes);
    std::string plain;
    if (fast_.isUsable() && !log::isPlainAscii(shown)) {
        plain = log::plainLine(shown);
        shown = plain;
    }
    if (fast_.isUsable() && log::isPlainAscii(shown)) {
        return answer(fast_.finds(shown));
    }
    if (query_.isPattern) {
        const auto match = pattern_.match(cleanLogLine(shown));
        return match.isValid() ? answer(match.hasMatch()) : Answer::TooCostly;
    }
    return answer(cleanLogLine(shown).contains(query_.text, Qt::CaseInsensitive));
}

std::vector<LogSpan> LogMatcher::find(const QString& line) const {
    if (isEmpty()) {
        return {};
    }
    if (query_.isPattern) {
        return findPattern(line);
    }
    std::vector<LogSpan> spans;
    for (qsizetype at = line.indexOf(query_.text, 0, Qt::CaseInsensitive);
         at >= 0 && spans.size() < mostSpans;
         at = line.indexOf(query_.text, at + query_.text.size(), Qt::CaseInsensitive)) {
        spans.push_back({at, query_.text.size()});
    }
    return spans;
}

// A pattern may match nothing, "x*": then there is nothing to mark.
std::vector<LogSpan> LogMatcher::findPattern(const QString& line) const {
    std::vector<LogSpan> spans;
    auto matches = pattern_.globalMatch(line);
    while (matches.hasNext() && spans.size() < mostSpans) {
        const auto match = matches.next();
        if (match.capturedLength() > 0) {
            spans.push_back({match.capturedStart(), match.capturedLength()});
        }
    }
    return spans;
}

}  // namespace dlperf::ui
