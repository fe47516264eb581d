// SPDX-License-Identifier: Apache-2.0
// How long a connection that failed is left alone: longer and longer while nobody answers.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "core/base/error.h"

namespace dlperf::remote {

class BackOff {
public:
    // The failure that still stands; nothing where it may be tried (again).
    [[nodiscard]] std::optional<Error> standing() const {
        return failure_ && Clock::now() < next_ ? failure_ : std::nullopt;
    }
    void failed(Error error) {
        failure_ = std::move(error);
        time_ = std::clamp(time_ * 2, first, longest);
        next_ = Clock::now() + time_;
    }
    void succeeded() {
        failure_.reset();
        time_ = {};
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds first{500};
    static constexpr std::chrono::milliseconds longest{15'000};

    std::optional<Error> failure_;
    Clock::time_point next_;
    std::chrono::milliseconds time_{0};
};

}  // namespace dlperf::remote
