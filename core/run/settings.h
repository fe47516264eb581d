// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>

#include "core/base/resources.h"
#include "core/diagnosis/rules.h"

namespace dlperf::run {

struct Settings {
    std::chrono::milliseconds poll{100};          // between two looks at a log
    std::chrono::milliseconds grace{10'000};      // from SIGTERM to SIGKILL
    std::chrono::milliseconds heartbeat{15'000};  // between two of a node's lock, stale after a minute
    std::chrono::milliseconds retryTimeout{
        60'000};  // a step on a node that is not reached is retried for so long
    std::chrono::milliseconds attemptTimeout{30'000};  // of one try to signal a run's processes
    std::chrono::milliseconds unreachableGrace{
        5'000};  // a node that was not reached for so long gets an alert
    // A node that was not reached for so long while another was is given up; the run ends. While none is
    // reached it is the way there that is broken, and the trainers go on.
    std::chrono::milliseconds lostAfter{300'000};
    // A node that no runner has asked anything for so long ends its trainer; a scheduler's job is given back.
    // Zero: a trainer goes on without a runner for as long as its run has time.
    std::chrono::milliseconds lease{1'800'000};
    // A node by itself ends a trainer so long after its run's time: a runner, where there is one, is first.
    std::chrono::seconds limitMargin{60};
    // After so many runs in a row that failed alike the rest is not run (see FailuresAlike); 0: it is.
    int stopAfter = 3;
    bool anyway = false;         // what a recipe needs and a node lacks stops no run
    bool keepNodeFiles = false;  // else a run's folder on its nodes is removed once all of it is here
    std::filesystem::path worker = workerFolder() / "dlperf-worker";  // copied to nodes whose recipe needs it
    diagnosis::Rules rules;  // by which logs are read for what went wrong; none: they are not
};

}  // namespace dlperf::run
