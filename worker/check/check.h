// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "base/options.h"
#include "base/world.h"

namespace dlperf::worker::check {

// What the command line said: the problem in dlperf-worker's own options, and what to do with it.
struct CheckOptions {
    Options worker;
    int steps = 0;    // 0: the gradients of one batch
    int batches = 1;  // that the steps go round
    bool frozenNorm = false;
    bool breakdown = false;  // what a step's time goes to, as a table on standard output, and nothing else
    std::string output;      // of the JSON; the gradients go beside it, in output + ".f32"
};

// Throws Failure(Usage).
CheckOptions parseCheckOptions(const std::vector<std::string>& arguments);

std::string checkHelp();

// What the backend computed, averaged over the processes.
struct Findings {
    std::vector<float> losses;                  // one a step
    std::vector<Parameter> parameters;          // whose gradients follow
    std::vector<std::vector<float>> gradients;  // one a parameter; none where steps were made
    std::string backend;
};

// With the formula's weights.
std::unique_ptr<Backend> backendFor(const CheckOptions& options, const World& world);

Findings findingsOf(const CheckOptions& options, const World& world);

// Throws Failure(Output).
void write(const Findings& findings, const CheckOptions& options, const World& world);

// Without --lr. The trainer's own follows the batch size, which would differ between one process and two.
constexpr double defaultLearningRate = 0.01;

}  // namespace dlperf::worker::check
