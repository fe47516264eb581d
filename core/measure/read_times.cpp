// SPDX-License-Identifier: Apache-2.0
#include "core/measure/read_times.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include "core/analysis/log_analyzer.h"
#include "core/analysis/log_folder.h"
#include "core/base/json.h"
#include "core/measure/reanalyze.h"
#include "core/store/run_record.h"

namespace dlperf::measure {
namespace {

// Holds the times of ten thousand ranks.
constexpr std::streamoff tailBytes = 1 << 20;

std::string tailOf(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    stream.seekg(0, std::ios::end);
    const std::streamoff size = stream.tellg();
    stream.seekg(std::max<std::streamoff>(0, size - tailBytes));
    return {std::istreambuf_iterator<char>(stream), {}};
}

// The mean of the log's own column over the range.
std::optional<double> meanData(const std::filesystem::path& log, const analysis::Format& format,
                               const RunResult& run) {
    double sum = 0;
    int lines = 0;
    analysis::LogAnalyzer analyzer(
        format, {run.benchmarkCase.topology, run.benchmarkCase.configuration.batchSize}, run.range,
        [&](const analysis::Iteration& iteration) {
            const bool measured = iteration.number > run.range.warmup && iteration.number <= run.range.train;
            sum += measured ? iteration.dataSeconds.value_or(0) : 0;
            lines += measured && iteration.dataSeconds ? 1 : 0;
        });
    if (!analysis::feedFile(log, analyzer, {})) {
        return std::nullopt;
    }
    analyzer.finish();
    return lines > 0 ? std::optional(sum / lines) : std::nullopt;
}

std::vector<std::string> nodesOf(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    const auto record = store::readRunRecord(folder);
    const Json nodes = record && record->facts.is_object() ? record->facts.value("nodes", Json()) : Json();
    for (const Json& node : nodes) {
        names.push_back(textOf(node, "name"));
    }
    return names;
}

}  // namespace

analysis::StepTimes readStepTimes(const store::Workspace& workspace, const analysis::FormatBook& formats,
                                  const RunResult& run) {
    const analysis::Format* format = formats.find(run.format);
    if (run.folder.empty() || format == nullptr) {
        return {};
    }
    const std::filesystem::path log = logOf(workspace, run);
    analysis::StepTimes times = analysis::stepTimesIn(tailOf(log), run.range).value_or(analysis::StepTimes());
    if (times.ranks.empty() && format->data.printed()) {
        times.data = meanData(log, *format, run);
    }
    times.nodes = nodesOf(workspace.root() / run.folder);
    return times;
}

}  // namespace dlperf::measure
