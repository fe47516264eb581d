// SPDX-License-Identifier: Apache-2.0
// A search through a log that may be huge and may grow: some lines at a time on the background thread, so
// that what is found is seen at once, others get their turn, and another question does not wait for this one.
#pragma once

#include <QObject>
#include <QRegularExpression>
#include <QString>
#include <atomic>
#include <memory>
#include <string_view>
#include <vector>

#include "core/log/line_text.h"
#include "core/log/log_book.h"
#include "ui/log/log_lines.h"

namespace dlperf::ui {

// A text whatever its letter case, or a regular expression. Each line takes a bounded effort only.
struct LogQuery {
    QString text;
    bool isPattern = false;
    friend bool operator==(const LogQuery&, const LogQuery&) = default;
};

class LogMatcher {
public:
    using Answer = log::LogBook::Answer;

    explicit LogMatcher(const LogQuery& query = {});

    [[nodiscard]] QString problem() const;
    [[nodiscard]] bool isEmpty() const { return query_.text.isEmpty(); }
    // Looks at what is shown of the line (cleanLogLine).
    [[nodiscard]] Answer look(std::string_view bytes) const;
    // LineSearch's: lines without it need not be looked at.
    [[nodiscard]] const std::string& needle() const { return fast_.needle(); }
    // What is found in a shown line, from left to right; some hundred at most.
    [[nodiscard]] std::vector<LogSpan> find(const QString& line) const;

private:
    [[nodiscard]] std::vector<LogSpan> findPattern(const QString& line) const;

    LogQuery query_;
    log::LineSearch fast_;  // for lines of plain ASCII, which are searched without decoding them
    QRegularExpression pattern_;
};

class LogSearch final : public QObject {
    Q_OBJECT

public:
    static constexpr std::size_t mostHits = 1'000'000;  // then it ends

    explicit LogSearch(Background& background, QObject* parent = nullptr);
    ~LogSearch() override { stop_->store(true); }

    void setBook(std::shared_ptr<const log::LogBook> book);
    // Anew from the log's begin. Nothing is searched for with an empty text or a pattern that is none.
    void ask(const LogQuery& query);
    void resume() { searchSome(); }

    [[nodiscard]] const LogQuery& query() const { return query_; }
    [[nodiscard]] const std::vector<std::uint64_t>& hits() const { return hits_; }  // ascending
    [[nodiscard]] bool isSearching() const { return searching_; }
    [[nodiscard]] double share() const;  // of the lines that are searched
    [[nodiscard]] QString problem() const { return problem_; }

signals:
    void changed();

private:
    void forget();
    void searchSome();
    void take(const log::LogBook::Hits& found, double milliseconds);

    Background& background_;
    std::shared_ptr<const log::LogBook> book_;
    LogQuery query_;
    QString problem_;
    std::vector<std::uint64_t> hits_;
    std::uint64_t next_ = 0;      // the next line to search
    std::uint64_t searched_ = 0;  // lines, with those that come again
    std::uint64_t atOnce_ = 0;    // lines
    int costly_ = 0;
    bool searching_ = false;
    bool ended_ = false;                       // given up
    std::shared_ptr<std::atomic<bool>> stop_;  // of the current query; drops answers to others
};

}  // namespace dlperf::ui
