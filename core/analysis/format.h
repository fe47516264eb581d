// SPDX-License-Identifier: Apache-2.0
// A log format is one row of data (resources/formats.json): how a counted line is recognised, what is
// captured from it, which clock times the range, one of a closed set of range rules, one of two roundings.
// The engine (log_analyzer.h) knows the rules.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/model/case.h"

namespace dlperf::analysis {

struct Format;  // the row; its columns stand in format_row.h, for the engine and for `dlperf formats --json`

// The table as it is written, for who wants to add a format.
[[nodiscard]] std::string_view formatsJson();

// The formats in the order of the table; names as `dlperf analyze --format` takes them.
[[nodiscard]] const std::vector<Format>& formats();
[[nodiscard]] const Format* findFormat(std::string_view name);

[[nodiscard]] const std::string& name(const Format& format);
[[nodiscard]] const std::string& unit(const Format& format);  // "images/s"
// Id in resources/vocabulary.json of whose logs these are: "pytorch-examples".
[[nodiscard]] const std::string& implementation(const Format& format);
// Milliseconds of one iteration: lower is better, there is no speedup.
[[nodiscard]] bool measuresLatency(const Format& format);
[[nodiscard]] MeasurementRange defaultRange(const Format& format);  // DLPerf's defaults for the format

// "iterations 21 to 120": what a range measures, as the trainer numbers its iterations. The rules of DLPerf
// count the lines that they take: range 5:25 of PyTorch's example, where the first that counts is number 6,
// is its 11 to 30.
[[nodiscard]] std::string measuredIterations(const Format& format, const MeasurementRange& range);
// The same where it is not known how often the trainer printed: "the lines of iterations 21 to 120", "lines
// 21 to 120 of those that count (…)". Where lines tell of all iterations since the one before, it is these.
[[nodiscard]] std::string measuredLines(const Format& format, const MeasurementRange& range);

}  // namespace dlperf::analysis
