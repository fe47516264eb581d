// SPDX-License-Identifier: Apache-2.0
// What is hidden is taken out of a finished comparison: a speedup stays what it is when the 1n1g figures that
// it rests on are out of sight.
#pragma once

#include <set>

#include "core/report/comparison.h"

namespace dlperf::report {

// Without these topologies, and without the series of which nothing ran on any other one.
[[nodiscard]] Comparison withoutTopologies(Comparison comparison, const std::set<Topology>& hidden);

}  // namespace dlperf::report
