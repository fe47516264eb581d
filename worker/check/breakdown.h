// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/world.h"
#include "check_options.h"

namespace dlperf::worker::check {

// What the time of a step goes to, as a table in Markdown on standard output. Throws Failure(Backend) where
// the backend does not know.
void printBreakdown(const CheckOptions& options, const World& world);

}  // namespace dlperf::worker::check
