// SPDX-License-Identifier: Apache-2.0
// An analysis as DLPerf's own JSON. Tables for people are core/report's.
#pragma once

#include <string>

#include "core/analysis/analyze.h"

namespace dlperf::analysis {

// One line as Python's json.dump writes it, without an end of line: models and cases in file order, keys in
// DLPerf's order, floats in shortest form (353.1), null where there is no figure.
[[nodiscard]] std::string toJson(const Analysis& analysis);

// Python's repr: the shortest decimal that reads back as the same double. 353.1, 1.0, 1e+16, NaN, Infinity.
[[nodiscard]] std::string pythonNumber(double value);

}  // namespace dlperf::analysis
