// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "base/world.h"
#include "check_options.h"

namespace dlperf::worker::check {

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
