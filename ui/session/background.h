// SPDX-License-Identifier: Apache-2.0
// One thread that reads files for the window, so that the window never waits.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace dlperf::ui {

class Background {
public:
    using Task = std::function<void()>;

    Background();
    // Ends after the task that runs now; tasks that wait are dropped.
    ~Background() = default;

    // Tasks run one after the other, in order.
    void post(Task task);

private:
    void work(const std::stop_token& stop);

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::deque<Task> tasks_;
    std::jthread thread_;  // last: it ends before what it uses
};

}  // namespace dlperf::ui
