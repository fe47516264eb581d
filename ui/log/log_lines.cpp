// SPDX-License-Identifier: Apache-2.0
#include "ui/log/log_lines.h"

#include <algorithm>

namespace dlperf::ui {
namespace {

constexpr std::uint64_t copiedAtOnce = 4096;  // lines

struct Copied {
    QString text;
    std::size_t lines = 0;
    bool all = true;
    bool stopped = false;
};

void addLine(Copied& copied, const log::LogLine& line, const log::LogBook& book) {
    if (book.sources().size() > 1) {
        copied.text += QString::fromStdString(book.sources()[line.spot.log].node) + QLatin1String(": ");
    }
    copied.text += cleanLogLine(line.bytes);
    copied.text += QLatin1Char('\n');
    ++copied.lines;
}

}  // namespace

void LogLines::setBook(std::shared_ptr<const log::LogBook> book) {
    cancelCopy();
    book_ = std::move(book);
    nodes_.clear();
    if (book_) {
        std::ranges::transform(book_->sources(), std::back_inserter(nodes_), &log::LogSource::node);
    }
    known_.clear();
    wanted_.clear();
    reading_ = false;
    ++age_;
}

void LogLines::grown() {
    for (auto& [number, known] : known_) {
        known.isStale = known.isStale || !known.line.isFinished;
    }
}

const ShownLine* LogLines::line(std::uint64_t number) const {
    const auto at = known_.find(number);
    return at == known_.end() ? nullptr : &at->second.line;
}

bool LogLines::want(const std::vector<std::uint64_t>& numbers) {
    wanted_.clear();
    for (const std::uint64_t number : numbers) {
        const auto at = known_.find(number);
        if (at == known_.end() || at->second.isStale) {
            wanted_.push_back(number);
        }
    }
    if (wanted_.empty()) {
        return false;
    }
    if (!reading_) {
        read();
    }
    return true;
}

void LogLines::read() {
    reading_ = true;
    const std::vector<std::uint64_t> asked = std::exchange(wanted_, {});
    const auto work = [book = book_, nodes = nodes_, numbers = asked] {
        std::vector<std::pair<std::uint64_t, ShownLine>> lines;
        for (const log::LogLine& line : book->read(numbers)) {
            lines.emplace_back(line.number, showLine(line, nodes));
        }
        return lines;
    };
    const auto done = [this, age = age_,
                       asked](const std::vector<std::pair<std::uint64_t, ShownLine>>& lines) {
        if (age == age_) {
            take(asked, lines);
        }
    };
    thread_.ask(this, work, done, [done] { done({}); });
}

// What did not come is not asked for again and again: the file was cut, or its disk does not give it.
void LogLines::take(const std::vector<std::uint64_t>& asked,
                    const std::vector<std::pair<std::uint64_t, ShownLine>>& lines) {
    reading_ = false;
    if (known_.size() + lines.size() > mostKept) {
        known_.clear();  // what is visible and missing then is wanted again by who paints
    }
    for (const std::uint64_t number : asked) {
        known_[number] = {{}, false, true};
    }
    for (const auto& [number, line] : lines) {
        known_[number] = {line, false, false};
    }
    if (!wanted_.empty()) {
        read();
    }
    emit arrived();
}

void LogLines::copy(std::uint64_t first, std::uint64_t count) {
    copyBy([first](std::uint64_t i) { return first + i; }, count);
}

void LogLines::copy(std::vector<std::uint64_t> numbers) {
    const std::size_t count = numbers.size();
    copyBy([numbers = std::move(numbers)](std::uint64_t i) { return numbers[static_cast<std::size_t>(i)]; },
           count);
}

void LogLines::cancelCopy() {
    if (stopCopy_) {
        stopCopy_->store(true);
    }
}

void LogLines::copyBy(const Numbers& numberOf, std::uint64_t count) {
    cancelCopy();
    stopCopy_ = std::make_shared<std::atomic<bool>>(false);
    const auto work = [book = book_, stop = stopCopy_, numberOf, count] {
        Copied copied;
        for (std::uint64_t from = 0; book && from < count && copied.all && !*stop; from += copiedAtOnce) {
            std::vector<std::uint64_t> numbers;
            for (std::uint64_t i = from; i < std::min(count, from + copiedAtOnce); ++i) {
                numbers.push_back(numberOf(i));
            }
            for (const log::LogLine& line : book->read(numbers)) {
                copied.all = copied.all && static_cast<std::uint64_t>(copied.text.size()) < mostCopied;
                if (copied.all) {
                    addLine(copied, line, *book);
                }
            }
        }
        copied.stopped = *stop;
        return copied;
    };
    thread_.ask(this, work, [this](const Copied& copied) {
        if (!copied.stopped) {
            emit this->copied(copied.text, copied.lines, copied.all);
        }
    });
}

}  // namespace dlperf::ui
