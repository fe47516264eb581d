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
    // Nodes of a scheduler's job that no runner has asked anything for so long are given back.
    std::chrono::seconds lease{1'800};
    // After so many runs in a row that failed alike the rest is not run (see FailuresAlike); 0: it is.
    int stopAfter = 3;
    bool anyway = false;         // what a recipe needs and a node lacks stops no run
    bool keepNodeFiles = false;  // else a run's folder on its nodes is removed once all of it is here
    std::filesystem::path worker = workerFolder() / "dlperf-worker";  // copied to nodes whose recipe needs it
    diagnosis::Rules rules;  // by which logs are read for what went wrong; none: they are not
};

}  // namespace dlperf::run
