// SPDX-License-Identifier: Apache-2.0
// What is to be saved of one log, for the user to look at and to correct before anything is written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/detect.h"
#include "core/analysis/format.h"
#include "core/base/error.h"
#include "core/import/find_logs.h"
#include "core/import/log_text.h"
#include "core/model/case.h"
#include "core/model/vocabulary.h"

namespace dlperf::imports {

// What becomes of a log.
enum class Verdict {
    New,         // is saved
    Duplicate,   // the same text is in the workspace or in this import already
    NoFormat,    // no format knows its lines
    Incomplete,  // what `missing` names must be said first
};

[[nodiscard]] const char* toString(Verdict verdict);  // "new", "duplicate", "no format", "incomplete"

struct Proposal {
    FoundLog log;
    std::string name;               // the log as people know it: "4n8g/r50_b128_fp32_1.log", valid UTF-8
    std::uint64_t bytes = 0;        // as it was when it was looked at
    std::optional<LogText> text{};  // none while nobody has read all of it
    const analysis::Format* format = nullptr;
    std::string why;              // how the format was found, one sentence
    bool isGuess = false;         // nobody said it
    Configuration configuration;  // what is not known is empty or 0
    std::optional<Topology> topology;
    int devices = 0;  // of all nodes, as a name says; 0 if none does
    int devicesPerNode = 0;
    std::optional<int> repetition;
    Variant defaults{};                     // of the options that the header says and that are at theirs
    std::optional<RunResult> recorded{};    // by the run.json that lies beside the log
    std::optional<MeasurementRange> range;  // that the user wants; else that of the format, or what fits
    std::vector<std::string> notes;         // contradictions and what was made of them

    // Follow from the above: judge() and place() set them again after a correction.
    Verdict verdict = Verdict::New;
    std::vector<std::string> missing;  // "topology", "batch size": needed; "precision", "model": may stay so
    std::string sameAs;                // of a duplicate: the log that is there
    std::filesystem::path target;      // the log's name below W/logs; of what is new only
    std::string campaign{};            // that recorded it, where the import has logs of several; else empty
};

// What the user says over what names and headers say; for one log or for all of an import.
struct Corrections {
    const analysis::Format* format = nullptr;
    std::string framework;  // any spelling of the vocabulary
    std::string implementation;
    std::string model;
    std::string precision;
    std::optional<Topology> topology;
    std::optional<int> batchSize;
    std::optional<int> repetition;
    std::optional<MeasurementRange> range;
};

// Reads the log's head: its format (unless `format` names it), its names' words and its header's. `above` are
// the names of what is imported. An Input error if it cannot be read, a Work error when `stop` asks.
[[nodiscard]] Result<Proposal> propose(const FoundLog& log, const std::vector<std::string>& above,
                                       const analysis::Format* format,
                                       const analysis::FormatDetector& detector, const Vocabulary& vocabulary,
                                       const std::stop_token& stop);

// Takes what the corrections say and judges again.
void correct(Proposal& proposal, const Corrections& corrections, const Vocabulary& vocabulary);

// Sets `missing` and `verdict` (never Duplicate: only place() knows).
void judge(Proposal& proposal);

// Why a log is none of the format that the user names.
[[nodiscard]] std::string noLineOf(const analysis::Format& format);

// Formats of a latency (Wide & Deep) give no throughput; their logs lie flat, with their memory beside.
[[nodiscard]] bool measuresThroughput(const analysis::Format& format);

}  // namespace dlperf::imports
