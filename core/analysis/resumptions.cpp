// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/resumptions.h"

#include <fmt/format.h>

#include <algorithm>

namespace dlperf::analysis {

Resumptions::Return Resumptions::add(std::int64_t number) {
    Return result = Return::None;
    if (!hasFirst_) {
        hasFirst_ = true;
        first_ = highest_ = number;
    } else if (number <= first_) {
        isUnsure_ = true;
        isBehind_ = false;
        highest_ = number;
    } else if (number == previous_) {
        isUnsure_ = true;
    } else if (number > previous_) {
        result = goOn(number);
    } else if (!isBehind_) {
        isBehind_ = true;
        from_ = previous_;
        to_ = number;
    }
    previous_ = number;
    highest_ = std::max(highest_, number);
    return result;
}

Resumptions::Return Resumptions::goOn(std::int64_t number) {
    const std::int64_t step = number - previous_;
    if (!isBehind_) {
        step_ = step;
        return Return::None;
    }
    const bool isPast = number > highest_;
    const bool wasAlone = isPast && previous_ == to_;
    isUnsure_ = isUnsure_ || step > step_ || wasAlone;
    isBehind_ = !isPast;
    if (wasAlone) {
        return Return::Stray;
    }
    if (!isPast || isUnsure_) {
        return Return::None;
    }
    if (to_ <= wentOnAt_ && to_ > wentBackTo_) {  // a checkpoint that is loaded again lies no further on
        isUnsure_ = true;
        times_ = 0;
        return Return::Ranks;
    }
    wentBackTo_ = to_;
    wentOnAt_ = number;
    if (from_ > after_ && to_ <= upTo_ && ++times_ == 1) {
        firstFrom_ = from_;
        firstTo_ = to_;
    }
    return Return::Resumed;
}

std::string Resumptions::describe(std::string_view effect) const {
    if (times_ == 0) {
        return {};
    }
    const std::string to =
        times_ == 1 ? std::to_string(firstTo_)
                    : fmt::format("{} (and {} more time{})", firstTo_, times_ - 1, times_ == 2 ? "" : "s");
    return fmt::format("the trainer resumed from a checkpoint, it went back from step {} to {}: {}",
                       firstFrom_, to, effect);
}

}  // namespace dlperf::analysis
