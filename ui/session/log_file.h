// SPDX-License-Identifier: Apache-2.0
// A log on disk that may grow: where its lines begin is kept, its text is not. One thread indexes, another
// one reads lines at the same time. Every call reads a bounded part: a log of many gigabytes holds up nobody.
#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <istream>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "ui/widgets/log_query.h"

namespace dlperf::ui {

class LogFile {
public:
    static constexpr std::uint64_t bytesAtOnce = 16U << 20U;  // of index() and find()
    static constexpr std::uint64_t mostCopied = 16U
                                                << 20U;  // what a clipboard takes without a noticeable wait
    static constexpr std::size_t mostHits = 100'000;

    explicit LogFile(std::filesystem::path path) : path_(std::move(path)) {}

    const std::filesystem::path& path() const { return path_; }

    // Indexes some of what was added; true when something was, then there may be more.
    bool index();
    [[nodiscard]] std::size_t lineCount() const;
    // Clean text of a line from 0: no colour codes, what a progress bar last showed, at most some thousand
    // characters.
    [[nodiscard]] QString line(std::size_t number) const;
    // The same of `count` lines, fewer at the end, in one pass over the file.
    [[nodiscard]] QStringList lines(std::size_t first, std::size_t count) const;

    // The same of these lines, in order.
    [[nodiscard]] QStringList lines(const std::vector<std::size_t>& numbers) const;

    struct Text {
        QString text;           // every line with its end
        std::size_t lines = 0;  // fewer than asked for where they come to more than `mostBytes`
    };
    [[nodiscard]] Text text(std::size_t first, std::size_t count, std::uint64_t mostBytes = mostCopied) const;

    [[nodiscard]] Text text(const std::vector<std::size_t>& numbers,
                            std::uint64_t mostBytes = mostCopied) const;

    struct Hits {
        std::vector<std::size_t> lines;
        std::size_t next = 0;    // where to go on; a last line that is not finished is looked at again
        bool more = false;       // there is something to go on with right away
        bool tooCostly = false;  // the pattern is given up: line after line it takes too much effort
    };
    // Lines from `first` that the query finds.
    [[nodiscard]] Hits find(const LogMatcher& matcher, std::size_t first) const;

private:
    struct Line {
        std::size_t number = 0;
        std::string_view bytes;  // of a long line what fits; of a progress bar its last state
        bool finished = false;
    };
    using Take = std::function<bool(const Line& line)>;  // false: no more
    [[nodiscard]] std::vector<std::uint64_t> bounds(std::size_t first, std::size_t count,
                                                    std::uint64_t mostBytes) const;
    std::size_t pass(std::size_t first, std::size_t count, std::uint64_t mostBytes, const Take& take) const;
    std::size_t pass(std::istream& file, std::size_t first, std::size_t count, std::uint64_t mostBytes,
                     const Take& take) const;
    void pick(const std::vector<std::size_t>& numbers, std::uint64_t mostBytes, const Take& take) const;

    std::filesystem::path path_;
    mutable std::mutex mutex_;
    std::vector<std::uint64_t> starts_{0};  // of each line; the last one may be empty still
    std::uint64_t size_ = 0;
};

}  // namespace dlperf::ui
