// SPDX-License-Identifier: Apache-2.0
#include "core/report/analysis_findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/report/comparison.h"

namespace dlperf::report {
namespace {

RunResult resultOf(const analysis::AnalyzedLog& log) {
    RunResult result;
    Subject& subject = result.benchmarkCase.subject;
    subject.recipe = analysis::name(*log.format);
    subject.implementation = analysis::implementation(*log.format);
    subject.model = log.model;
    subject.precision = log.precision;
    subject.batchSize = log.shape.batchSize;
    result.benchmarkCase.topology = log.shape.topology;
    result.repetition = std::max(1, log.repetition);  // 0 would be a figure that somebody quotes
    result.origin = Origin::Imported;
    result.outcome = log.folded ? Outcome::Ok : Outcome::Short;
    result.reason = log.folded ? std::string() : "no figure in the window";
    result.throughput = log.figure.value;
    result.unit = analysis::unit(*log.format);
    result.format = analysis::name(*log.format);
    return result;
}

// A log that another one of its repetition replaced has a figure, too, but takes no part.
std::vector<RunResult> resultsOf(const analysis::Analysis& analysis) {
    std::vector<RunResult> results;
    for (const analysis::AnalyzedLog& log : analysis.logs) {
        const bool replaced = log.figure.value && !log.folded;
        if (!replaced && !analysis::measuresLatency(*log.format)) {
            results.push_back(resultOf(log));
        }
    }
    return results;
}

// "r50 b128 fp32"; behind it the format, where a folder mixes several.
std::string seriesName(const Subject& subject, bool mixesFormats) {
    std::string name = fmt::format("{} b{}", subject.model, subject.batchSize);
    name += subject.precision.empty() ? "" : " " + subject.precision;
    return mixesFormats ? name + " " + subject.recipe : name;
}

bool mixesFormats(const analysis::Analysis& analysis) {
    return std::any_of(analysis.logs.begin(), analysis.logs.end(), [&](const analysis::AnalyzedLog& log) {
        return log.format != analysis.logs.front().format;
    });
}

}  // namespace

std::vector<analysis::Finding> findingsBetween(const analysis::Analysis& analysis,
                                               const Vocabulary& vocabulary) {
    std::vector<analysis::Finding> findings;
    const bool mixed = mixesFormats(analysis);
    const Comparison comparison = compare(resultsOf(analysis), vocabulary, analysis.formats);
    for (const ComparedSeries& series : comparison.series) {
        for (const Cell& cell : series.cells) {
            for (const CellFinding& finding : cell.findings) {
                if (finding.kind == FindingKind::NoBase) {
                    continue;  // the analysis says it, with what DLPerf's extractor makes of it
                }
                findings.push_back({keyOf(finding.kind), findingText(finding, true),
                                    seriesName(series.key.subject, mixed) + ", " + toString(cell.topology)});
            }
        }
    }
    return findings;
}

}  // namespace dlperf::report
