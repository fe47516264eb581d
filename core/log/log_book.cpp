// SPDX-License-Identifier: Apache-2.0
#include "core/log/log_book.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <thread>

#include "core/log/line_text.h"

namespace dlperf::log {
namespace {

constexpr std::uint64_t firstBytes = 256U << 10U;  // indexed before anything is painted
constexpr std::size_t headBytes = 256;
constexpr std::size_t numbersAtOnce = 64;      // looked up without letting others ask
constexpr double mostOfAMoment = 256U << 10U;  // bytes; more has come in a time in which nobody looked

std::string readHead(int fd, std::size_t count) {
    std::string head(count, '\0');
    head.resize(readAt(fd, 0, head.data(), head.size()));
    return head;
}

// Walks over whole lines from a checkpoint and hands on those of a piece.
template <class Take>
struct PieceWalk {
    std::uint64_t number;  // of the next line
    std::uint64_t first;
    std::uint64_t end;
    Take& take;
    NeedleWalk needle;
    std::string_view bytes = {};  // of the block

    void block(std::uint64_t, std::string_view block) {
        bytes = block;
        if (!needle.isEmpty()) {
            needle.start(block);
        }
    }
    std::size_t skip(std::string_view rest) {
        if (needle.isEmpty()) {
            return 0;
        }
        const auto from = static_cast<std::size_t>(rest.data() - bytes.data());
        const std::size_t possible = std::min(needle.next(from), bytes.size());
        const std::size_t skipped = rest.substr(0, possible - from).rfind('\n') + 1;  // npos + 1 is none
        number += static_cast<std::uint64_t>(std::ranges::count(rest.substr(0, skipped), '\n'));
        return skipped;
    }
    bool line(const WalkedLine& line) {
        const std::uint64_t at = number++;
        return at < first || (at < end && take(at, line) && number < end);
    }
};

// Lines that stand together in a log are read together.
template <class Piece>
std::vector<Piece> piecesOf(const std::vector<LogLine>& lines) {
    std::vector<Piece> pieces;
    for (const LogLine& line : lines) {
        const LineSpot& spot = line.spot;
        if (!pieces.empty() && pieces.back().log == spot.log &&
            spot.line < pieces.back().first + pieces.back().count + LineIndex::linesBetween) {
            pieces.back().count = spot.line - pieces.back().first + 1;
        } else {
            pieces.push_back({spot.log, spot.line, 1});
        }
    }
    return pieces;
}

void fillIn(LogLine& line, const WalkedLine& walked) {
    const std::string_view shown = lastState(walked.bytes);
    line.bytes = shown.substr(0, shownBytes);
    line.length = walked.length;
    line.isCut = shown.size() > shownBytes || (walked.isLong && shown.size() == shownBytes);
    line.isFinished = walked.finished;
}

}  // namespace

LogBook::LogBook(std::vector<LogSource> sources, const Measured& measured)
    : sources_(std::move(sources)), measured_(measured), layout_(sources_.size()) {
    for (const LogSource& source : sources_) {
        names_.push_back(source.node);
    }
    reset();
}

void LogBook::reset() {
    nodes_.clear();
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        nodes_.emplace_back(LogScanner(names_, measured_));
    }
    started_ = isAtEnd_ = false;
    const std::lock_guard lock(mutex_);
    layout_ = LogLayout(sources_.size());
    files_.assign(sources_.size(), nullptr);
    ++age_;
}

// A log of no node yet is no news; one that was read and is gone stays readable through its descriptor.
LogBook::Look LogBook::look(Node& node, const LogSource& source) const {
    struct stat now {};
    if (::stat(source.file.c_str(), &now) != 0 || !S_ISREG(now.st_mode)) {
        return node.file ? Look::Gone : Look::Same;
    }
    if (!node.file) {
        Descriptor opened(::open(source.file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
        if (!opened.open() || ::fstat(opened.get(), &now) != 0) {
            return Look::Same;
        }
        node.file = std::make_shared<const Descriptor>(std::move(opened));
        node.device = now.st_dev;
        node.inode = now.st_ino;
    }
    const auto size = static_cast<std::uint64_t>(now.st_size);
    if (now.st_dev != node.device || now.st_ino != node.inode || size < node.scanner.scanned() ||
        readHead(node.file->get(), node.head.size()) != node.head) {
        return Look::Anew;
    }
    if (node.head.size() < headBytes && size > node.head.size()) {
        node.head = readHead(node.file->get(), std::min<std::uint64_t>(size, headBytes));
    }
    node.goal = size;
    return Look::Same;
}

void LogBook::lookAtAll(Growth& growth) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Look seen = look(nodes_[i], sources_[i]);
        growth.gone += seen == Look::Gone ? 1 : 0;
        if (seen == Look::Anew && !growth.isAnew) {
            growth.isAnew = true;
            reset();
            lookAtAll(growth);
            return;
        }
    }
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        files_[i] = nodes_[i].file;
    }
}

LogBook::Growth LogBook::grow() {
    const auto left = [](const Node& node) {
        return node.goal > node.scanner.scanned() ? node.goal - node.scanner.scanned() : 0;
    };
    Growth growth;
    lookAtAll(growth);
    std::uint64_t known = 0;
    std::uint64_t wanted = 0;
    for (const Node& node : nodes_) {
        known += node.goal;
        wanted += left(node);
    }
    growth.news = growth.isAnew || wanted > 0;
    if (wanted == 0) {
        isAtEnd_ = true;
        return growth;
    }
    scanSome(std::exchange(started_, true) ? bytesAtOnce : firstBytes);
    std::uint64_t after = 0;
    for (const Node& node : nodes_) {
        after += left(node);
    }
    growth.more = after > 0 && after < wanted;
    isAtEnd_ = after == 0;
    growth.share = 1 - static_cast<double>(after) / static_cast<double>(known);
    return growth;
}

// Of each log the same share of what it has more.
void LogBook::scanSome(std::uint64_t bytes) {
    double wanted = 0;
    for (const Node& node : nodes_) {
        wanted += static_cast<double>(node.goal - std::min(node.goal, node.scanner.scanned()));
    }
    const double share = std::min(1.0, static_cast<double>(bytes) / wanted);
    const auto last = layout([](const LogLayout& layout) { return layout.lastLog(); });
    std::vector<Scanned> found(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        LogScanner& scanner = nodes_[i].scanner;
        const std::uint64_t from = scanner.scanned();
        const auto left = static_cast<double>(nodes_[i].goal - std::min(nodes_[i].goal, from));
        const std::uint64_t until =
            share < 1 ? from + static_cast<std::uint64_t>(left * share) + 1 : std::max(from, nodes_[i].goal);
        const int fd = nodes_[i].file ? nodes_[i].file->get() : -1;
        found[i] = scanner.scan(fd, std::min(until, std::max(from, nodes_[i].goal)), last == i);
    }
    const bool isMoment = isAtEnd_ && wanted <= mostOfAMoment;
    {
        const std::lock_guard lock(mutex_);
        layout_.append(found, isMoment ? MergeOrder::Kind::Moment : MergeOrder::Kind::Share);
    }
    const LogLayout::Said said = layout_.levelsIn(found);  // no other thread changes the layout
    const std::lock_guard lock(mutex_);
    layout_.note(said);
}

template <class Take>
void LogBook::walk(const Piece& piece, Take take, const std::string& needle) const {
    Checkpoint from;
    std::uint64_t end = 0;
    File file;
    {
        const std::lock_guard lock(mutex_);
        const LineIndex& index = layout_.index(piece.log);
        from = index.before(piece.first);
        end = index.endOffset(piece.first + piece.count - 1);
        file = files_[piece.log];
    }
    if (!file) {
        return;
    }
    PieceWalk<Take> visitor{from.line, piece.first, piece.first + piece.count, take, NeedleWalk(needle)};
    LineWalk walk(file->get(), from.offset, from.offset, end);
    walk.run(visitor);
    const WalkedLine rest = walk.rest();
    if (rest.length > 0 && visitor.number >= piece.first && visitor.number < visitor.end &&
        walk.scanned() == end) {
        take(visitor.number, rest);
    }
}

std::vector<LogLine> LogBook::read(const std::vector<std::uint64_t>& numbers) const {
    std::vector<LogLine> lines;
    for (std::size_t from = 0; from < numbers.size(); from += numbersAtOnce) {
        if (waiting_ > 0) {
            std::this_thread::yield();
        }
        const std::lock_guard lock(mutex_);
        for (std::size_t i = from; i < std::min(numbers.size(), from + numbersAtOnce); ++i) {
            if (numbers[i] < layout_.lines()) {
                lines.push_back({numbers[i], layout_.spotOf(numbers[i]), {}, 0, false, true});
            }
        }
    }
    std::ranges::sort(lines, {},
                      [](const LogLine& line) { return std::pair(line.spot.log, line.spot.line); });
    auto next = lines.begin();
    for (const Piece& piece : piecesOf<Piece>(lines)) {
        next = std::find_if(next, lines.end(), [&](const LogLine& line) {
            return line.spot == LineSpot{piece.log, piece.first};
        });
        walk(piece, [&](std::uint64_t line, const WalkedLine& walked) {
            for (; next != lines.end() && next->spot == LineSpot{piece.log, line}; ++next) {
                fillIn(*next, walked);
            }
            return true;
        });
    }
    std::erase_if(lines, [](const LogLine& line) { return line.length == 0; });
    std::ranges::sort(lines, {}, &LogLine::number);
    return lines;
}

std::vector<LogBook::Piece> LogBook::piecesBetween(std::uint64_t first, std::uint64_t until, int& age) const {
    const std::lock_guard lock(mutex_);
    age = age_;
    const std::vector<std::uint64_t> begin = layout_.linesBefore(first);
    const std::vector<std::uint64_t> end = layout_.linesBefore(until);
    std::vector<Piece> pieces;
    for (std::size_t log = 0; log < begin.size(); ++log) {
        if (end[log] > begin[log]) {
            pieces.push_back({log, begin[log], end[log] - begin[log]});
        }
    }
    return pieces;
}

std::vector<std::uint64_t> LogBook::numbersOf(const std::vector<LineSpot>& spots, int age) const {
    const std::lock_guard lock(mutex_);
    std::vector<std::uint64_t> numbers;
    for (std::size_t i = 0; age == age_ && i < spots.size(); ++i) {
        numbers.push_back(layout_.numberOf(spots[i]));
    }
    std::ranges::sort(numbers);
    return numbers;
}

LogBook::Hits LogBook::find(const Test& test, std::uint64_t first, std::uint64_t count,
                            const std::atomic<bool>& stop, const std::string& needle) const {
    const std::uint64_t lines = layout([](const LogLayout& layout) { return layout.lines(); });
    Hits hits;
    hits.until = std::min(first + count, lines);
    hits.more = hits.until < lines;
    int age = 0;
    std::vector<LineSpot> found;
    std::vector<LineSpot> unfinished;
    for (const Piece& piece : piecesBetween(first, hits.until, age)) {
        const auto look = [&](std::uint64_t line, const WalkedLine& walked) {
            const Answer answer = test(lastState(walked.bytes).substr(0, shownBytes));
            if (answer == Answer::Yes) {
                found.push_back({piece.log, line});
            }
            hits.costly += answer == Answer::TooCostly ? 1 : 0;
            if (!walked.finished) {
                unfinished.push_back({piece.log, line});
            }
            return !stop.load(std::memory_order_relaxed);
        };
        walk(piece, look, needle);
    }
    hits.numbers = numbersOf(found, age);
    const std::vector<std::uint64_t> open = numbersOf(unfinished, age);
    hits.next = open.empty() ? hits.until : open.front();
    return hits;
}

}  // namespace dlperf::log
