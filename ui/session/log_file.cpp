// SPDX-License-Identifier: Apache-2.0
#include "ui/session/log_file.h"

#include <QRegularExpression>
#include <algorithm>
#include <cctype>
#include <fstream>

namespace dlperf::ui {
namespace {

constexpr std::size_t blockBytes = 1U << 20U;
constexpr std::size_t longestLine = 4000;  // bytes shown of one line

bool sameLetter(char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

// A character beyond the basic plane is two QChars, of which neither is printable by itself.
void replaceUnprintable(QString& text) {
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool pair = text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate();
        if (pair && QChar::isPrint(QChar::surrogateToUcs4(text[i], text[i + 1]))) {
            ++i;
        } else if (!text[i].isPrint()) {
            text[i] = QChar::ReplacementCharacter;
        }
    }
}

}  // namespace

QString cleanLogLine(std::string_view bytes) {
    static const QRegularExpression escapes(QStringLiteral("\x1b\\[[0-9;?]*[A-Za-z]"));
    QString text = QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
    while (text.endsWith(QLatin1Char('\r')) || text.endsWith(QLatin1Char('\n'))) {
        text.chop(1);
    }
    text = text.mid(text.lastIndexOf(QLatin1Char('\r')) + 1);
    if (text.contains(QChar(0x1b))) {
        text.remove(escapes);
    }
    text.replace(QLatin1Char('\t'), QLatin1String("    "));
    replaceUnprintable(text);
    return text;
}

bool LogFile::index() {
    std::ifstream file(path_, std::ios::binary);
    if (!file) {
        return false;
    }
    std::uint64_t from = 0;
    {
        const std::lock_guard lock(mutex_);
        from = size_;
    }
    const std::uint64_t begin = from;
    file.seekg(static_cast<std::streamoff>(from));
    std::string block(blockBytes, '\0');
    while (from - begin < bytesAtOnce) {
        file.read(block.data(), static_cast<std::streamsize>(block.size()));
        const auto count = static_cast<std::size_t>(file.gcount());
        if (count == 0) {
            break;
        }
        std::vector<std::uint64_t> found;
        for (std::size_t at = block.find('\n'); at < count; at = block.find('\n', at + 1)) {
            found.push_back(from + at + 1);
        }
        from += count;
        const std::lock_guard lock(mutex_);
        starts_.insert(starts_.end(), found.begin(), found.end());
        size_ = from;
    }
    return from > begin;
}

std::size_t LogFile::lineCount() const {
    const std::lock_guard lock(mutex_);
    return starts_.size() - (starts_.back() == size_ ? 1 : 0);
}

// Where the lines begin, and where the last one of them ends; at least one line, if there is one. What is not
// read of a very long line does not count.
std::vector<std::uint64_t> LogFile::bounds(std::size_t first, std::size_t count,
                                           std::uint64_t mostBytes) const {
    std::vector<std::uint64_t> bounds;
    std::uint64_t bytes = 0;
    const std::lock_guard lock(mutex_);
    for (std::size_t i = first; i < starts_.size() && starts_[i] < size_ && i - first < count; ++i) {
        const std::uint64_t end = i + 1 < starts_.size() ? starts_[i + 1] : size_;
        bytes += end - starts_[i] > blockBytes ? longestLine : end - starts_[i];
        if (bounds.empty()) {
            bounds.push_back(starts_[i]);
        } else if (bytes > mostBytes) {
            break;
        }
        bounds.push_back(end);
    }
    return bounds;
}

// Reads lines block by block; of a line that is longer than a block only its begin. Returns the number of
// lines that were taken.
std::size_t LogFile::pass(std::size_t first, std::size_t count, std::uint64_t mostBytes,
                          const Take& take) const {
    const std::vector<std::uint64_t> where = bounds(first, count, mostBytes);
    std::ifstream file(path_, std::ios::binary);
    std::string block;
    std::size_t done = 0;
    while (file && done + 1 < where.size()) {
        std::size_t last = done + 1;
        while (last + 1 < where.size() && where[last + 1] - where[done] <= blockBytes) {
            ++last;
        }
        const std::uint64_t wanted = where[last] - where[done];
        block.resize(wanted > blockBytes ? longestLine : static_cast<std::size_t>(wanted));
        file.seekg(static_cast<std::streamoff>(where[done]));
        file.read(block.data(), static_cast<std::streamsize>(block.size()));
        if (file.gcount() < static_cast<std::streamsize>(block.size())) {
            break;  // the file was cut since
        }
        const std::uint64_t begin = where[done];
        for (; done < last; ++done) {
            const auto length = static_cast<std::size_t>(where[done + 1] - where[done]);
            take(first + done, std::string_view(block).substr(static_cast<std::size_t>(where[done] - begin),
                                                              std::min(length, longestLine)));
        }
    }
    return done;
}

QString LogFile::line(std::size_t number) const {
    return lines(number, 1).value(0);
}

QStringList LogFile::lines(std::size_t first, std::size_t count) const {
    QStringList texts;
    pass(first, count, bytesAtOnce,
         [&](std::size_t, std::string_view bytes) { texts << cleanLogLine(bytes); });
    return texts;
}

LogFile::Text LogFile::text(std::size_t first, std::size_t count, std::uint64_t mostBytes) const {
    Text whole;
    whole.lines = pass(first, count, mostBytes, [&](std::size_t, std::string_view bytes) {
        whole.text += cleanLogLine(bytes);
        whole.text += QLatin1Char('\n');
    });
    return whole;
}

LogFile::Hits LogFile::find(const std::string& text, std::size_t first) const {
    Hits hits;
    bool finished = true;
    const std::size_t looked =
        pass(first, lineCount(), bytesAtOnce, [&](std::size_t number, std::string_view bytes) {
            finished = bytes.ends_with('\n') || bytes.size() >= longestLine;
            if (std::search(bytes.begin(), bytes.end(), text.begin(), text.end(), sameLetter) !=
                bytes.end()) {
                hits.lines.push_back(number);
            }
        });
    hits.next = first + looked - (looked > 0 && !finished ? 1 : 0);
    hits.more = looked > 0 && first + looked < lineCount();
    return hits;
}

}  // namespace dlperf::ui
