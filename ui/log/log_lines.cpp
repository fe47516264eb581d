// SPDX-License-Identifier: Apache-2.0
#include "ui/log/log_lines.h"

#include <algorithm>

#include "core/log/line_text.h"

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

constexpr char16_t firstWide = 0x2e80;  // Chinese, Japanese, Korean and what follows

void replaceUnprintable(QString& text) {
    for (qsizetype i = 0; i < text.size(); ++i) {
        const ushort code = text[i].unicode();
        if (code >= 0x20 && code < 0x7f) {
            continue;
        }
        // A character beyond the basic plane is two QChars, of which neither is printable by itself.
        const bool pair = text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate();
        if (pair && QChar::isPrint(QChar::surrogateToUcs4(text[i], text[i + 1]))) {
            ++i;
        } else if (!text[i].isPrint()) {
            text[i] = QChar::ReplacementCharacter;
        }
    }
}

QString printable(std::string_view plain) {
    QString text = QString::fromUtf8(plain.data(), static_cast<qsizetype>(plain.size()));
    replaceUnprintable(text);
    return text;
}

}  // namespace

QString cleanLogLine(std::string_view bytes) {
    return printable(log::plainLine(bytes));
}

ShownLine showLine(const log::LogLine& line, const std::vector<std::string>& nodes) {
    const std::string plain = log::plainLine(line.bytes);
    const std::string_view said = log::afterPrefix(plain, nodes);
    ShownLine shown;
    shown.text = printable(plain);
    shown.level = log::levelOf(said);
    shown.node = static_cast<int>(line.spot.log);
    shown.bytes = line.isCut ? line.length : 0;
    shown.isFinished = line.isFinished;
    if (const auto prefix = log::prefixOf(plain, nodes)) {
        shown.prefix = printable(std::string_view(plain).substr(0, prefix->length)).size();
    }
    return shown;
}

std::vector<LogSpan> wrapLine(const QString& text, int columns) {
    std::vector<LogSpan> rows;
    LogSpan row;
    int used = 0;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const int width = text[i].unicode() >= firstWide ? 2 : 1;
        if (row.length > 0 && used + width > columns) {
            rows.push_back(row);
            row = {i, 0};
            used = 0;
        }
        ++row.length;
        used += width;
    }
    rows.push_back(row);
    return rows;
}

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

// Does not ask again for what did not come: the file was cut, or its disk fails.
void LogLines::take(const std::vector<std::uint64_t>& asked,
                    const std::vector<std::pair<std::uint64_t, ShownLine>>& lines) {
    reading_ = false;
    if (known_.size() + lines.size() > mostKept) {
        known_.clear();  // the next paint wants the visible ones again
    }
    for (const std::uint64_t number : asked) {
        known_[number] = {};
    }
    for (const auto& [number, line] : lines) {
        known_[number] = {line, false};
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
