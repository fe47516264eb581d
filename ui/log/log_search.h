// SPDX-License-Identifier: Apache-2.0
// A search through a log that may be huge and may grow: some lines at a time on the background thread, so
// that what is found is seen at once, others get their turn, and another question does not wait for this one.
#pragma once

#include <QObject>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "core/log/log_book.h"
#include "ui/log/log_query.h"

namespace dlperf::ui {

class Background;

class LogSearch final : public QObject {
    Q_OBJECT

public:
    static constexpr std::size_t mostHits = 1'000'000;  // then it ends

    explicit LogSearch(Background& background, QObject* parent = nullptr);
    ~LogSearch() override;

    void setBook(std::shared_ptr<const log::LogBook> book);
    // Anew from the log's begin. Nothing is searched for with an empty text or a pattern that is none.
    void ask(const LogQuery& query);
    // The log has grown.
    void goOn();
    // Ends the search; what was found stays.
    void cancel();

    [[nodiscard]] const LogQuery& query() const { return query_; }
    [[nodiscard]] const std::vector<std::uint64_t>& hits() const { return hits_; }  // ascending
    [[nodiscard]] bool isSearching() const { return searching_; }
    [[nodiscard]] double share() const;  // of the lines that are searched
    // Why nothing is searched, in words; empty else.
    [[nodiscard]] QString problem() const { return problem_; }

signals:
    // Hits, progress or problem are others now.
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
    std::uint64_t next_ = 0;      // where to go on
    std::uint64_t searched_ = 0;  // lines, with those that come again
    std::uint64_t atOnce_ = 0;    // lines
    int costly_ = 0;
    bool searching_ = false;
    bool ended_ = false;                       // cancelled, or given up
    std::shared_ptr<std::atomic<bool>> stop_;  // of the question that is asked; answers to others are dropped
};

}  // namespace dlperf::ui
