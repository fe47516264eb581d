// SPDX-License-Identifier: Apache-2.0
// The log of a run as it is read: of one node, or of all nodes as one (merge_order.h says in which order).
// The files may grow, be cut, be replaced or go at any time. One thread calls grow(); others ask at the same
// time. Questions about rows and numbers never wait for a disk; read(), find() and copy() do, and want a
// thread.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/descriptor.h"
#include "core/log/log_layout.h"

namespace dlperf::log {

struct LogSource {
    std::string node;  // its name
    std::filesystem::path file;
};

struct LogLine {
    std::uint64_t number = 0;
    LineSpot spot;
    std::string bytes;         // what is still to be seen of it, at most shownBytes
    std::uint64_t length = 0;  // bytes in the file, with its end
    bool isCut = false;        // it is longer than what is shown
    bool isFinished = true;
};

class LogBook {
public:
    static constexpr std::uint64_t bytesAtOnce = 16U << 20U;  // of grow()

    LogBook(std::vector<LogSource> sources, const Measured& measured);

    struct Growth {
        bool news = false;     // something was found
        bool more = false;     // there is more already
        bool isAnew = false;   // a file was cut or replaced: everything begins again
        std::size_t gone = 0;  // files that were read before and are not there any more; they stay readable
        double share = 1;      // of the bytes that are known of
    };
    // Indexes some of what was added. The first step is short, so that a first screen is there at once.
    Growth grow();

    [[nodiscard]] const std::vector<LogSource>& sources() const { return sources_; }
    // Runs `ask` with a layout that does not change meanwhile. To be kept short: grow() waits.
    template <class Ask>
    auto layout(Ask ask) const {
        ++waiting_;
        const std::lock_guard lock(mutex_);
        --waiting_;
        return ask(std::as_const(layout_));
    }

    // These lines; those that are not there any more are skipped. In the order of the numbers asked for
    // where these ascend.
    [[nodiscard]] std::vector<LogLine> read(const std::vector<std::uint64_t>& numbers) const;

    enum class Answer { No, Yes, TooCostly };
    using Test = std::function<Answer(std::string_view bytes)>;
    struct Hits {
        std::vector<std::uint64_t> numbers;
        std::uint64_t next = 0;   // where to go on; unfinished lines are looked at again
        std::uint64_t until = 0;  // where this search ended
        bool more = false;        // there is something to go on with right away
        int costly = 0;           // lines that were given up
    };
    // Among `count` lines from `first`. Ends early, with what was not looked at missing, when told to stop.
    // Finished lines without the needle, a text in lower case (LineSearch::needle()), are not tested, if
    // there is one.
    [[nodiscard]] Hits find(const Test& test, std::uint64_t first, std::uint64_t count,
                            const std::atomic<bool>& stop, const std::string& needle = {}) const;

private:
    using File = std::shared_ptr<const Descriptor>;
    struct Node {
        explicit Node(LogScanner fresh) : scanner(std::move(fresh)) {}
        File file;
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        std::string head;        // the first bytes: a file that was rewritten has others
        std::uint64_t goal = 0;  // its size at the last look
        LogScanner scanner;
    };
    enum class Look { Same, Anew, Gone };
    struct Piece {  // lines of one log that follow one another
        std::size_t log = 0;
        std::uint64_t first = 0;
        std::uint64_t count = 0;
    };

    void reset();
    [[nodiscard]] Look look(Node& node, const LogSource& source) const;
    void lookAtAll(Growth& growth);
    void scanSome(std::uint64_t bytes);
    template <class Take>
    void walk(const Piece& piece, Take take, const std::string& needle = {}) const;
    // The lines between two numbers, by log; nothing once the files began anew.
    [[nodiscard]] std::vector<Piece> piecesBetween(std::uint64_t first, std::uint64_t until, int& age) const;
    [[nodiscard]] std::vector<std::uint64_t> numbersOf(const std::vector<LineSpot>& spots, int age) const;

    std::vector<LogSource> sources_;
    std::vector<std::string> names_;
    Measured measured_;
    std::vector<Node> nodes_;  // of the thread that calls grow()
    bool started_ = false;
    bool isAtEnd_ = false;  // of what there was at the last look: what comes now comes in its order

    mutable std::mutex mutex_;
    mutable std::atomic<int> waiting_ = 0;  // in layout(), for whom a long list of numbers makes way
    LogLayout layout_;
    std::vector<File> files_;
    int age_ = 0;  // how often everything began again
};

}  // namespace dlperf::log
