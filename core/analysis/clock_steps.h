// SPDX-License-Identifier: Apache-2.0
// How often the clock of a log's lines steps back.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/analysis/stamp.h"

namespace dlperf::analysis {

class ClockSteps {
public:
    // Of the next line; lines without a stamp do not matter.
    void add(const PrintedStamp& stamp);
    [[nodiscard]] std::int64_t back() const { return back_; }

private:
    // Stamps of one layout are in order when their texts are: most need no more than a comparison.
    [[nodiscard]] bool follows(const PrintedStamp& stamp) const;
    void keep(std::string_view text);

    std::array<char, 32> text_{};  // of the line before, where it has that layout
    std::size_t size_ = 0;
    std::optional<Stamp> before_;  // else
    std::int64_t back_ = 0;
};

}  // namespace dlperf::analysis
