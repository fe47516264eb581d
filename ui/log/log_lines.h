// SPDX-License-Identifier: Apache-2.0
// The lines around those that are visible, read ahead on a thread of their own: neither a slow disk nor a
// search in a huge log holds up who paints. Lines go by their number in the book.
#pragma once

#include <QObject>
#include <QString>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/log/line_level.h"
#include "core/log/log_book.h"
#include "ui/session/background.h"

namespace dlperf::log {
struct LogLine;
}

namespace dlperf::ui {

// From letter `begin` on, `length` letters.
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

[[nodiscard]] ShownLine showLine(const log::LogLine& line, const std::vector<std::string>& nodes);

// Where to break a line that is wider than `columns` letters of one width; wide letters take two.
[[nodiscard]] std::vector<LogSpan> wrapLine(const QString& text, int columns);

class LogLines final : public QObject {
    Q_OBJECT

public:
    static constexpr std::uint64_t mostCopied = 16U << 20U;  // bytes: what a clipboard takes without a wait
    static constexpr std::size_t mostKept = 4000;            // lines

    explicit LogLines(QObject* parent = nullptr) : QObject(parent) {}
    ~LogLines() override { cancelCopy(); }  // its thread ends sooner

    // Nothing is known of another book, or of one that began anew.
    void setBook(std::shared_ptr<const log::LogBook> book);
    // Lines that were not finished are read again when they are wanted again.
    void grown();

    [[nodiscard]] const ShownLine* line(std::uint64_t number) const;
    // Reads those of them that are not known; false when all are. Then arrived() follows. A later wish takes
    // the place of one that still waits.
    bool want(const std::vector<std::uint64_t>& numbers);

    // The text of the lines from `first` on, `count` of them, or of those numbers; copied() follows. With
    // the node's name before each line where there are several. Another copy, or cancelCopy(), ends it.
    void copy(std::uint64_t first, std::uint64_t count);
    void copy(std::vector<std::uint64_t> numbers);
    void cancelCopy();

signals:
    void arrived();
    // `lines` are fewer than asked for where they come to more than mostCopied.
    void copied(const QString& text, std::size_t lines, bool all);

private:
    struct Known {
        ShownLine line;
        bool isStale = false;
    };
    using Numbers = std::function<std::uint64_t(std::uint64_t)>;
    void read();
    void take(const std::vector<std::uint64_t>& asked,
              const std::vector<std::pair<std::uint64_t, ShownLine>>& lines);
    void copyBy(const Numbers& numberOf, std::uint64_t count);

    std::shared_ptr<const log::LogBook> book_;
    std::vector<std::string> nodes_;
    std::unordered_map<std::uint64_t, Known> known_;
    std::vector<std::uint64_t> wanted_;
    bool reading_ = false;
    int age_ = 0;  // answers about the book before are dropped
    std::shared_ptr<std::atomic<bool>> stopCopy_;
    Background thread_;  // last: it ends before what it uses
};

}  // namespace dlperf::ui
