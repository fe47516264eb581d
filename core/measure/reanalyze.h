// SPDX-License-Identifier: Apache-2.0
// What the logs that a workspace keeps give in another range than their runs were measured in.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/format_book.h"
#include "core/base/error.h"
#include "core/model/case.h"
#include "core/store/ranges.h"
#include "core/store/workspace.h"

namespace dlperf::measure {

// The log that the run's figure comes from: node 0's.
[[nodiscard]] std::filesystem::path logOf(const store::Workspace& workspace, const RunResult& run);

// Whether the rules of all formats of these runs can work on this range: an Input error says what the first
// needs that cannot. A format that is not known asks nothing; reanalyze() tells of it.
[[nodiscard]] Result<void> checkRange(const analysis::FormatBook& formats, const std::vector<RunResult>& runs,
                                      const MeasurementRange& range);

struct Progress {
    std::uint64_t done = 0;  // bytes of all logs
    std::uint64_t of = 0;
};
using OnProgress = std::function<void(const Progress&)>;

// One change for each run, in their order. What keeps a run from a figure is its change's reason: the log is
// missing or ends before the range, the format is not one of `formats`. A Work error when `stop` asks.
[[nodiscard]] Result<std::vector<store::ChangedRange>> reanalyze(const store::Workspace& workspace,
                                                                 const analysis::FormatBook& formats,
                                                                 const std::vector<RunResult>& runs,
                                                                 const MeasurementRange& range,
                                                                 const std::stop_token& stop = {},
                                                                 const OnProgress& onProgress = {});

}  // namespace dlperf::measure
