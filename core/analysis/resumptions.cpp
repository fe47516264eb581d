// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/resumptions.h"

#include <fmt/format.h>

#include <algorithm>

namespace dlperf::analysis {

Resumptions::Return Resumptions::add(std::int64_t number) {
    if (isUnsure_) {
        return Return::None;
    }
    if (!hasFirst_) {
        hasFirst_ = true;
        first_ = previous_ = highest_ = number;
        return Return::None;
    }
    Return result = Return::None;
    if (number <= first_ || number == previous_) {
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
    if (step > step_) {
        isUnsure_ = true;
        return previous_ == to_ && number > highest_ ? Return::Stray : Return::None;
    }
    if (number <= highest_) {
        return Return::None;
    }
    isBehind_ = false;
    if (from_ > after_ && ++times_ == 1) {
        firstFrom_ = from_;
        firstTo_ = to_;
    }
    return Return::Resumed;
}

std::string Resumptions::describe(std::string_view effect) const {
    if (times_ == 0) {
        return {};
    }
    const std::string more =
        times_ == 1 ? "" : fmt::format(" (and {} more time{})", times_ - 1, times_ == 2 ? "" : "s");
    return fmt::format("the trainer resumed from a checkpoint, it went back from step {} to {}{}: {}",
                       firstFrom_, firstTo_, more, effect);
}

}  // namespace dlperf::analysis
