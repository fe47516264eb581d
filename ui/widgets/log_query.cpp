// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/log_query.h"

#include <QCoreApplication>
#include <algorithm>
#include <cctype>

namespace dlperf::ui {
namespace {

constexpr std::size_t mostSpans = 500;  // in one line
// PCRE's own bound on backtracking, in steps: some milliseconds.
const QString bound = QStringLiteral("(*LIMIT_MATCH=1000000)");

bool sameLetter(char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

bool isAscii(const QString& text) {
    return std::ranges::all_of(text, [](QChar c) { return c.unicode() < 0x80; });
}

// Nothing in it is shown otherwise than it is written.
bool isShownAsItIs(std::string_view bytes) {
    return bytes.find_first_of("\x1b\r\t") == std::string_view::npos;
}

}  // namespace

LogMatcher::LogMatcher(const LogQuery& query) : query_(query) {
    if (query_.isPattern) {
        pattern_.setPattern(bound + query_.text);
    } else if (isAscii(query_.text)) {
        ascii_ = query_.text.toStdString();
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
    const std::string_view shown = lastState(bytes);
    const auto answer = [](bool found) { return found ? Answer::Yes : Answer::No; };
    if (query_.isPattern) {
        const auto match = pattern_.match(cleanLogLine(shown));
        return match.isValid() ? answer(match.hasMatch()) : Answer::TooCostly;
    }
    if (!ascii_.empty() && isShownAsItIs(shown)) {
        return answer(std::search(shown.begin(), shown.end(), ascii_.begin(), ascii_.end(), sameLetter) !=
                      shown.end());
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
