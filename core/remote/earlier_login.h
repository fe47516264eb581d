// SPDX-License-Identifier: Apache-2.0
// What a host's refusal means that let the same user in before.
#pragma once

#include <chrono>
#include <optional>
#include <utility>

#include "core/base/error.h"

namespace dlperf::remote {

// A machine that starts anew, or whose directory of users is away, refuses for minutes what it takes again:
// so long its refusals are transient.
class EarlierLogin {
public:
    void letIn() {
        known_ = true;
        refusedSince_.reset();
    }
    [[nodiscard]] Error judge(Error refusal) {
        const auto present = Clock::now();
        refusedSince_ = refusedSince_.value_or(present);
        if (known_ && present - *refusedSince_ < patience) {
            refusal.kind = ErrorKind::Transient;
        }
        return refusal;
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::minutes patience{10};

    bool known_ = false;
    std::optional<Clock::time_point> refusedSince_;
};

}  // namespace dlperf::remote
