// SPDX-License-Identifier: Apache-2.0
// A folder of logs in DLPerf's layout -> run figures -> summaries, in DLPerf's order.
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/format_book.h"
#include "core/analysis/run_figure.h"
#include "core/analysis/summary.h"
#include "core/base/error.h"

namespace dlperf::analysis {

// One log that could be placed; one that could not is a finding only.
struct AnalyzedLog {
    std::string file;  // relative to the folder: "2n8g/r50_b128_fp32_1.log"
    const Format* format = nullptr;
    MeasurementRange range;
    std::string model;         // as the file name says it, or the format
    std::string topologyName;  // the case: "2n8g"; of a latency the log
    std::string why;           // the format is this one, where it was found out
    RunShape shape;
    std::string precision;  // as the file name says it; empty if unknown
    int repetition = 0;
    RunFigure figure;
    std::optional<std::int64_t>
        memoryMiB;        // the highest of a device, where a .mem file beside the log says it
    bool folded = false;  // counts in its case; false without a figure or when another log replaced it
};

// One case: the repetitions of a model on a topology.
struct CaseSummary {
    std::string topologyName;
    std::size_t log = 0;  // the first of its logs, in Analysis::logs
    RunShape shape;
    std::string precision;
    std::vector<double> figures;    // of the folded runs, in fold order
    Fold fold;                      // as the format's fold rule says (OneFlow: unrounded)
    std::optional<double> speedup;  // over 1n1g of the same model; nothing without it
};

// One top-level object of DLPerf's JSON: "r50", and beside it "r50 b256 fp16" for what shared its folders.
struct ModelSummary {
    std::string name;
    const Format* format = nullptr;
    std::vector<CaseSummary> cases;  // in file order
};

struct Analysis {
    FormatBook formats;                // what it was read with
    const Format* format = nullptr;    // of all logs, or of the first
    MeasurementRange range;            // the same
    std::vector<AnalyzedLog> logs;     // in file order
    std::vector<ModelSummary> models;  // in file order
    std::vector<Finding> findings;     // of all logs and of the folder; `where` names the log
};

// What the user says of a folder of logs.
struct Reading {
    const Format* format = nullptr;  // nothing: each log's own, recognised by its lines
    FormatBook formats;              // that it may be: the user's, and the built-in ones
    std::optional<int> warmup;       // else the format's default
    std::optional<int> train;
};

// Whether the format's rule can work on this range: an Input error says what it needs.
[[nodiscard]] Result<void> checkRange(const Format& format, const MeasurementRange& range);

// Reads folder/*/*.log (of formats whose logs lie flat: folder/*.log), regular files, no dot files, in DLPerf
// Dashboard's order: names with more than four fields first, then by repetition, then bytewise. An Input
// error if the folder cannot be read, no log of it is recognised or the range does not suit the format;
// everything about single logs is a finding. `stop` ends it with a Work error.
[[nodiscard]] Result<Analysis> analyzeFolder(const std::filesystem::path& folder, const Reading& reading,
                                             const std::stop_token& stop = {});

// Fills `models` from `logs`, sets AnalyzedLog::folded and adds what it notices to `findings`.
void summarize(Analysis& analysis);

}  // namespace dlperf::analysis
