// SPDX-License-Identifier: Apache-2.0
#include "ui/session/log_file.h"

#include <algorithm>
#include <chrono>
#include <fstream>

namespace dlperf::ui {
namespace {

constexpr std::size_t blockBytes = 1U << 20U;
constexpr std::size_t longestLine = 4000;  // bytes shown of one line

constexpr int mostCostly = 20;                    // lines of one search() on which a pattern is given up
constexpr std::chrono::milliseconds atOnce{200};  // of find(), so that the next letter is not waited for

std::string readAt(std::istream& file, std::uint64_t where, std::size_t count) {
    std::string bytes(count, '\0');
    file.seekg(static_cast<std::streamoff>(where));
    file.read(bytes.data(), static_cast<std::streamsize>(count));
    bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
    return bytes;
}

// Of a line that is longer than a block: its end where a progress bar wrote it, else its begin.
std::string readLongLine(std::istream& file, std::uint64_t begin, std::uint64_t end) {
    std::string tail = readAt(file, end - longestLine, longestLine);
    while (tail.ends_with('\n') || tail.ends_with('\r')) {
        tail.pop_back();
    }
    return tail.find('\r') == std::string::npos ? readAt(file, begin, longestLine) : tail;
}

}  // namespace

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

std::size_t LogFile::pass(std::size_t first, std::size_t count, std::uint64_t mostBytes,
                          const Take& take) const {
    std::ifstream file(path_, std::ios::binary);
    return pass(file, first, count, mostBytes, take);
}

// Reads lines block by block. Returns the number of lines that were taken.
std::size_t LogFile::pass(std::istream& file, std::size_t first, std::size_t count, std::uint64_t mostBytes,
                          const Take& take) const {
    const std::vector<std::uint64_t> where = bounds(first, count, mostBytes);
    std::size_t done = 0;
    while (file && done + 1 < where.size()) {
        std::size_t last = done + 1;
        while (last + 1 < where.size() && where[last + 1] - where[done] <= blockBytes) {
            ++last;
        }
        const std::uint64_t begin = where[done];
        const std::uint64_t wanted = where[last] - begin;
        if (wanted > blockBytes) {
            const std::string line = readLongLine(file, begin, where[last]);
            if (line.empty() || !take({first + done++, lastState(line), true})) {
                break;
            }
            continue;
        }
        const std::string block = readAt(file, begin, static_cast<std::size_t>(wanted));
        if (block.size() < wanted) {
            break;  // the file was cut since
        }
        for (; done < last; ++done) {
            const auto line =
                std::string_view(block).substr(static_cast<std::size_t>(where[done] - begin),
                                               static_cast<std::size_t>(where[done + 1] - where[done]));
            const bool finished = line.ends_with('\n') || line.size() >= longestLine;
            if (!take({first + done, lastState(line).substr(0, longestLine), finished})) {
                return done + 1;
            }
        }
    }
    return done;
}

// Lines that follow one another are read together.
void LogFile::pick(const std::vector<std::size_t>& numbers, std::uint64_t mostBytes, const Take& take) const {
    std::ifstream file(path_, std::ios::binary);
    std::uint64_t bytes = 0;
    bool more = true;
    for (std::size_t i = 0; more && i < numbers.size();) {
        std::size_t count = 1;
        while (i + count < numbers.size() && numbers[i + count] == numbers[i] + count) {
            ++count;
        }
        const std::size_t taken = pass(file, numbers[i], count, mostBytes, [&](const Line& line) {
            bytes += line.bytes.size() + 1;
            more = (bytes <= mostBytes) && take(line);
            return more;
        });
        more = more && taken == count;
        i += count;
    }
}

QString LogFile::line(std::size_t number) const {
    return lines(number, 1).value(0);
}

QStringList LogFile::lines(std::size_t first, std::size_t count) const {
    QStringList texts;
    pass(first, count, bytesAtOnce, [&](const Line& line) {
        texts << cleanLogLine(line.bytes);
        return true;
    });
    return texts;
}

QStringList LogFile::lines(const std::vector<std::size_t>& numbers) const {
    QStringList texts;
    pick(numbers, bytesAtOnce, [&](const Line& line) {
        texts << cleanLogLine(line.bytes);
        return true;
    });
    return texts;
}

LogFile::Text LogFile::text(std::size_t first, std::size_t count, std::uint64_t mostBytes) const {
    Text whole;
    whole.lines = pass(first, count, mostBytes, [&](const Line& line) {
        whole.text += cleanLogLine(line.bytes);
        whole.text += QLatin1Char('\n');
        return true;
    });
    return whole;
}

LogFile::Text LogFile::text(const std::vector<std::size_t>& numbers, std::uint64_t mostBytes) const {
    Text whole;
    pick(numbers, mostBytes, [&](const Line& line) {
        whole.text += cleanLogLine(line.bytes);
        whole.text += QLatin1Char('\n');
        ++whole.lines;
        return true;
    });
    return whole;
}

LogFile::Hits LogFile::find(const LogMatcher& matcher, std::size_t first) const {
    Hits hits;
    bool finished = true;
    int costly = 0;
    const auto until = std::chrono::steady_clock::now() + atOnce;
    const std::size_t looked = pass(first, lineCount(), bytesAtOnce, [&](const Line& line) {
        finished = line.finished;
        const LogMatcher::Answer answer = matcher.look(line.bytes);
        if (answer == LogMatcher::Answer::Yes) {
            hits.lines.push_back(line.number);
        }
        costly += answer == LogMatcher::Answer::TooCostly ? 1 : 0;
        return costly < mostCostly && std::chrono::steady_clock::now() < until;
    });
    hits.tooCostly = costly >= mostCostly;
    hits.next = first + looked - (looked > 0 && !finished ? 1 : 0);
    hits.more = !hits.tooCostly && looked > 0 && first + looked < lineCount();
    return hits;
}

}  // namespace dlperf::ui
