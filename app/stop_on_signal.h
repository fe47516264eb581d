// SPDX-License-Identifier: Apache-2.0
// Ctrl-C, and the other ways to ask a program to end, as a stop token: the work ends cleanly and takes back
// what is not whole.
#pragma once

#include <stop_token>
#include <thread>

#include "core/run/control.h"

namespace dlperf::app {

// Made before any other thread.
class StopOnSignal {
public:
    StopOnSignal();
    [[nodiscard]] std::stop_token token() const { return asked_.get_token(); }
    // Also where the signal came just now: a prompt that Ctrl-C ended returns before the token knows.
    [[nodiscard]] bool isAsked();

private:
    run::HeldSignals signals_;
    std::stop_source asked_;
    std::jthread thread_;  // last: it uses all of the above
};

}  // namespace dlperf::app
