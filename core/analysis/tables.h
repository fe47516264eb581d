// SPDX-License-Identifier: Apache-2.0
// An analysis as text: DLPerf's own JSON, and tables in its order and number style.
#pragma once

#include <string>

#include "core/analysis/analyze.h"

namespace dlperf::analysis {

// One line as Python's json.dump writes it, without an end of line: models and cases in file order, keys in
// DLPerf's order, floats in shortest form (353.1), null where there is no figure.
[[nodiscard]] std::string toJson(const Analysis& analysis);

// Rows by model, then batch size descending, nodes, devices; floats with 2 decimals, nothing for no figure.
[[nodiscard]] std::string toMarkdown(const Analysis& analysis);
[[nodiscard]] std::string toCsv(const Analysis& analysis);
// Columns lined up, for a terminal.
[[nodiscard]] std::string toText(const Analysis& analysis);

// Python's repr: the shortest decimal that reads back as the same double. 353.1, 1.0, 1e+16, NaN, Infinity.
[[nodiscard]] std::string pythonNumber(double value);

}  // namespace dlperf::analysis
