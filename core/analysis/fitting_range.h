// SPDX-License-Identifier: Apache-2.0
// Another measurement range for a log that does not hold the wanted one.
#pragma once

#include <optional>
#include <string>

#include "core/analysis/format.h"
#include "core/analysis/run_figure.h"

namespace dlperf::analysis {

// Of a log that ends before the range does, or whose first epoch does: as much of the range, in proportion,
// as there is. Where the rule needs lines at both ends, between lines that the log has. Nothing where that
// would be too little to measure, or where the log holds the range.
[[nodiscard]] std::optional<MeasurementRange> fittingRange(const Format& format,
                                                           const MeasurementRange& wanted,
                                                           const RunFigure& figure);

// What to do about a log without a figure, to be appended to why it has none: "; --warmup 20 --train 100
// measures what the log holds". Empty where no range fits.
[[nodiscard]] std::string fittingHint(const Format& format, const MeasurementRange& wanted,
                                      const RunFigure& figure);

}  // namespace dlperf::analysis
