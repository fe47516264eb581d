// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

namespace dlperf::ui {

// Asked to stop once either is: by the user, or because the window ends.
class EitherStop {
public:
    EitherStop(const std::stop_token& one, const std::stop_token& other)
        : fromOne_(one, Request{both_}), fromOther_(other, Request{both_}) {}

    [[nodiscard]] std::stop_token token() const { return both_.get_token(); }

private:
    struct Request {
        std::stop_source both;
        void operator()() { both.request_stop(); }
    };
    std::stop_source both_;
    std::stop_callback<Request> fromOne_;
    std::stop_callback<Request> fromOther_;
};

}  // namespace dlperf::ui
