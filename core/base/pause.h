// SPDX-License-Identifier: Apache-2.0
// A sleep that a stop request cuts short, and how long to sleep.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <random>
#include <stop_token>

namespace dlperf {

// False where it was ended by the stop.
inline bool pause(std::chrono::milliseconds time, const std::stop_token& stop) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any never;
    never.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

// Half of it or more: those that began together must not come back together.
inline std::chrono::milliseconds uneven(std::chrono::milliseconds time) {
    std::random_device random;
    return std::chrono::milliseconds(std::uniform_int_distribution(time.count() / 2, time.count())(random));
}

}  // namespace dlperf
