// SPDX-License-Identifier: Apache-2.0
#include "core/measure/reanalyze.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "core/analysis/analyze.h"
#include "core/analysis/log_analyzer.h"
#include "core/analysis/log_folder.h"
#include "core/base/parallel.h"
#include "core/store/run_record.h"

namespace dlperf::measure {
namespace {

namespace fs = std::filesystem;

store::ChangedRange withoutFigure(const MeasurementRange& range, Outcome outcome, std::string reason) {
    return {range, outcome, std::nullopt, std::move(reason), {}};
}

// What the log shows in this range, and what was noticed of the run itself.
std::vector<RunFinding> findingsIn(const analysis::RunFigure& figure, const RunResult& run) {
    constexpr std::array ofRuns{"odd-name",  "doubtful-case", "repeated-repetition",    "gpu-processes",
                                "cpu-quota", "one-machine",   "more-threads-than-cores"};
    std::vector<RunFinding> findings;
    std::copy_if(run.findings.begin(), run.findings.end(), std::back_inserter(findings),
                 [&](const RunFinding& finding) {
                     return std::find(ofRuns.begin(), ofRuns.end(), finding.kind) != ofRuns.end();
                 });
    findings.insert(findings.end(), figure.findings.begin(), figure.findings.end());
    return findings;
}

class Reader {
public:
    Reader(const store::Workspace& workspace, const analysis::FormatBook& formats,
           const MeasurementRange& range, std::stop_token stop, const OnProgress& onProgress)
        : workspace_(workspace),
          formats_(formats),
          range_(range),
          stop_(std::move(stop)),
          onProgress_(onProgress) {}

    void expect(const RunResult& run) {
        std::error_code missing;
        const std::uint64_t bytes = fs::file_size(logOf(workspace_, run), missing);
        progress_.of += missing ? 0 : bytes;
    }

    store::ChangedRange read(const RunResult& run) {
        const analysis::Format* format = formats_.find(run.format);
        if (format == nullptr) {
            return withoutFigure(range_, Outcome::Failed,
                                 fmt::format("the log format \"{}\" is not known here", run.format));
        }
        const fs::path log = logOf(workspace_, run);
        std::error_code missing;
        if (!fs::is_regular_file(log, missing)) {
            return withoutFigure(range_, Outcome::Failed,
                                 "its log is missing: " + log.lexically_relative(workspace_.root()).string());
        }
        analysis::LogAnalyzer analyzer(
            *format, {run.benchmarkCase.topology, run.benchmarkCase.configuration.batchSize}, range_);
        const auto whole =
            analysis::feedFile(log, analyzer, stop_, [this](std::size_t bytes) { tell(bytes); });
        if (!whole) {
            return withoutFigure(range_, Outcome::Failed, "its log " + whole.error().what);
        }
        analyzer.finish();
        const analysis::RunFigure figure = analyzer.figure();
        store::ChangedRange changed = figure.value
                                          ? store::ChangedRange{range_, Outcome::Ok, figure.value, {}, {}}
                                          : withoutFigure(range_, Outcome::Short, figure.whyNone);
        changed.findings = findingsIn(figure, run);
        return changed;
    }

private:
    void tell(std::size_t bytes) {
        progress_.done += bytes;
        if (onProgress_) {
            onProgress_(progress_);
        }
    }

    const store::Workspace& workspace_;
    const analysis::FormatBook& formats_;
    MeasurementRange range_;
    std::stop_token stop_;
    const OnProgress& onProgress_;
    Progress progress_;
};

}  // namespace

fs::path logOf(const store::Workspace& workspace, const RunResult& run) {
    return store::nodeLog(workspace.root() / run.folder, 0);
}

Result<void> checkRange(const analysis::FormatBook& formats, const std::vector<RunResult>& runs,
                        const MeasurementRange& range) {
    for (const RunResult& run : runs) {
        const analysis::Format* format = formats.find(run.format);
        if (format == nullptr) {
            continue;
        }
        TRY(analysis::checkRange(*format, range));
    }
    return {};
}

Result<std::vector<store::ChangedRange>> reanalyze(const store::Workspace& workspace,
                                                   const analysis::FormatBook& formats,
                                                   const std::vector<RunResult>& runs,
                                                   const MeasurementRange& range, const std::stop_token& stop,
                                                   const OnProgress& onProgress) {
    Reader reader(workspace, formats, range, stop, onProgress);
    for (const RunResult& run : runs) {
        reader.expect(run);
    }
    std::vector<store::ChangedRange> changed;
    changed.reserve(runs.size());
    for (const RunResult& run : runs) {
        changed.push_back(reader.read(run));
        if (stop.stop_requested()) {
            return fail("was cancelled", workspace.root().string(), {}, ErrorKind::Work);
        }
    }
    return changed;
}

}  // namespace dlperf::measure
