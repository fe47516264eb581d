// SPDX-License-Identifier: Apache-2.0
#include "ui/log/log_search.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <algorithm>

#include "core/log/line_text.h"
#include "ui/session/background.h"

namespace dlperf::ui {
namespace {

constexpr int mostCostly = 20;               // lines on which a pattern is given up
constexpr std::uint64_t fewestAtOnce = 256;  // lines of one part
constexpr std::uint64_t mostAtOnce = 1U << 18U;
constexpr double longPart = 80;         // ms; a part is made to take between a quarter of this and all of it
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

LogSearch::LogSearch(Background& background, QObject* parent)
    : QObject(parent), background_(background), stop_(std::make_shared<std::atomic<bool>>(false)) {}

void LogSearch::forget() {
    stop_->store(true);
    stop_ = std::make_shared<std::atomic<bool>>(false);
    hits_.clear();
    next_ = searched_ = 0;
    atOnce_ = fewestAtOnce;
    costly_ = 0;
    searching_ = ended_ = false;
}

void LogSearch::setBook(std::shared_ptr<const log::LogBook> book) {
    book_ = std::move(book);
    ask(query_);
}

void LogSearch::ask(const LogQuery& query) {
    forget();
    query_ = query;
    problem_ = LogMatcher(query).problem();
    emit changed();
    searchSome();
}

double LogSearch::share() const {
    const std::uint64_t lines =
        book_ ? book_->layout([](const log::LogLayout& layout) { return layout.lines(); }) : 0;
    return lines > 0 ? std::min(1.0, static_cast<double>(searched_) / static_cast<double>(lines)) : 1;
}

void LogSearch::searchSome() {
    if (!book_ || searching_ || ended_ || query_.text.isEmpty() || !problem_.isEmpty() ||
        hits_.size() >= mostHits) {
        return;
    }
    searching_ = true;
    const auto work = [book = book_, stop = stop_, query = query_, first = next_, count = atOnce_] {
        QElapsedTimer clock;
        clock.start();
        const LogMatcher matcher(query);
        int costly = 0;
        const auto test = [&](std::string_view bytes) {
            const auto answer = matcher.look(bytes);
            costly += answer == LogMatcher::Answer::TooCostly ? 1 : 0;
            if (costly >= mostCostly) {
                stop->store(true);
            }
            return answer;
        };
        auto hits = book->find(test, first, count, *stop, matcher.needle());
        return std::pair(std::move(hits), static_cast<double>(clock.elapsed()));
    };
    background_.ask(
        this, work,
        [this, stop = stop_](const std::pair<log::LogBook::Hits, double>& found) {
            if (stop == stop_) {
                take(found.first, found.second);
            }
        },
        [this, stop = stop_] { searching_ = searching_ && stop != stop_; });
}

void LogSearch::take(const log::LogBook::Hits& found, double milliseconds) {
    searching_ = false;
    // Lines that were not finished come again.
    while (!hits_.empty() && hits_.back() >= next_) {
        hits_.pop_back();
    }
    hits_.insert(hits_.end(), found.numbers.begin(), found.numbers.end());
    next_ = found.next;
    searched_ = found.until;
    costly_ += found.costly;
    if (milliseconds < longPart / 4) {
        atOnce_ = std::min(mostAtOnce, atOnce_ * 2);
    } else if (milliseconds > longPart) {
        atOnce_ = std::max(fewestAtOnce, atOnce_ / 2);
    }
    if (costly_ >= mostCostly) {
        ended_ = true;
        problem_ = tr("This pattern takes too long. Make it more definite, such as [^ ]* in place of .*");
    } else if (found.more) {
        searchSome();
    }
    emit changed();
}

}  // namespace dlperf::ui
