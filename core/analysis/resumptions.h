// SPDX-License-Identifier: Apache-2.0
// Where a trainer that crashed goes on from its checkpoint and prints steps again: by the numbers of its
// lines. Certain only where nothing else in the log looks like it: ranks that share it and epochs that count
// anew begin with its first number again, a line of evaluation with a lower number prints none of what
// follows again, and ranks that take turns go back to where the other one went on.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace dlperf::analysis {

class Resumptions {
public:
    enum class Return {
        None,
        Resumed,  // the line is the first behind all that was printed twice
        Stray,    // the line before had a lower number, and no more than that
        Ranks,    // what seemed to resume were ranks that take turns
    };

    // Those in what comes before step `after`, or that go back to behind `upTo`, say nothing.
    explicit Resumptions(std::int64_t after, std::int64_t upTo = std::numeric_limits<std::int64_t>::max())
        : after_(after), upTo_(upTo) {}

    // The next line's number.
    Return add(std::int64_t number);
    // A sentence that ends with what this does to the figure; empty where there was none.
    [[nodiscard]] std::string describe(std::string_view effect) const;

private:
    Return goOn(std::int64_t number);

    std::int64_t after_;
    std::int64_t upTo_;
    bool hasFirst_ = false;
    bool isUnsure_ = false;  // from here on
    std::int64_t first_ = 0;
    std::int64_t previous_ = 0;
    std::int64_t highest_ = 0;
    std::int64_t step_ = 0;  // between two lines that rise
    bool isBehind_ = false;  // it prints again what it has printed
    std::int64_t from_ = 0;  // it went back: of the newest time
    std::int64_t to_ = 0;
    std::int64_t wentBackTo_ = 0;  // the last time that it resumed
    std::int64_t wentOnAt_ = 0;    // then, behind what it printed again
    std::int64_t times_ = 0;
    std::int64_t firstFrom_ = 0;  // of the first
    std::int64_t firstTo_ = 0;
};

}  // namespace dlperf::analysis
