// SPDX-License-Identifier: Apache-2.0
// A clock that nobody sets and that goes on while the machine sleeps.
#pragma once

#include <ctime>

#include <chrono>

namespace dlperf {

struct BootClock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<BootClock>;
    static constexpr bool is_steady = true;

    static time_point now() {
        timespec time{};
        ::clock_gettime(CLOCK_BOOTTIME, &time);
        return time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
    }
};

}  // namespace dlperf
