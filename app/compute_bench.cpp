// SPDX-License-Identifier: Apache-2.0
#include "app/compute_bench.h"

#include <fmt/format.h>

#include <utility>

#include "app/node_bench.h"
#include "core/analysis/format_book.h"
#include "core/analysis/log_analyzer.h"
#include "core/analysis/log_folder.h"
#include "core/base/text.h"
#include "core/cluster/baseline.h"

namespace dlperf::app {
namespace {

constexpr MeasurementRange computeRange{5, 25};  // of what launch.sh trains: seconds on a GPU and on a CPU

Result<analysis::RunFigure> figureOf(const std::filesystem::path& log) {
    const analysis::FormatBook formats;
    const analysis::Format* format = formats.find("dlperf-worker");
    if (format == nullptr) {
        return fail("there is no log format \"dlperf-worker\"", log.string());
    }
    analysis::LogAnalyzer analyzer(*format, {Topology{1, 1}, 0}, computeRange);
    TRY(analysis::feedFile(log, analyzer, {}));
    analyzer.finish();
    return analyzer.figure();
}

std::string wordOf(const analysis::RunFigure& figure, const char* key) {
    const auto found = figure.header.find(key);
    return found == figure.header.end() ? std::string() : cleanUtf8(found->second);
}

void addFigure(cluster::NodeCompute& node, const std::filesystem::path& log) {
    const auto figure = figureOf(log);
    if (!figure || figure->value.value_or(0) <= 0) {
        node.missing = figure ? figure->whyNone : describe(figure.error());
        return;
    }
    node.backend = wordOf(*figure, "backend");
    node.batchSize = toInt(wordOf(*figure, "batch_size")).value_or(0);
    node.imageSize = toInt(wordOf(*figure, "image_size")).value_or(0);
    node.throughputs.push_back(*figure->value);
}

}  // namespace

Result<cluster::ComputeBaseline> measureCompute(const BenchOptions& options, int repetitions) {
    NodeBench bench(TRY(BenchRuns::open(options, "dlperf-compute", &store::Workspace::computeRuns)));
    launch::Plan plan = bench.runs().planOf("compute", {}, {});
    plan.warmup = computeRange.warmup;
    plan.train = computeRange.train;
    cluster::ComputeBaseline baseline{.by = "dlperf-worker, ResNet50",
                                      .nodes = nodesToMeasure<cluster::NodeCompute>(bench)};
    for (int i = 1; i <= repetitions; ++i) {
        const auto logs = TRY(bench.run(plan, fmt::format("[{}/{}] {}", i, repetitions, nodesTitle(bench))));
        for (const NodeBench::NodeLog& log : logs) {
            addFigure(nodeIn(baseline.nodes, log.node), log.file);
        }
    }
    addLeftOut(baseline.nodes, bench);
    TRY(checkAnyMeasured(baseline.nodes, bench));
    baseline.measured = now();
    TRY(cluster::writeBaseline(bench.runs().workspace().computeBaseline(), cluster::toJson(baseline)));
    return baseline;
}

}  // namespace dlperf::app
