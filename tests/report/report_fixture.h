// SPDX-License-Identifier: Apache-2.0
// A small fixed set of results for the golden files, and one where every text is hostile.
#pragma once

#include "core/report/report.h"
#include "tests/report/fixture.h"

namespace dlperf::report::test {

// Two series, repetitions, an OOM, an exclusion and a second batch size.
inline std::vector<RunResult> smallSet() {
    std::vector<RunResult> runs;
    const auto add = [&](Topology topology, int repetition, double throughput) -> RunResult& {
        RunResult run = ownRun(topology, repetition, throughput);
        run.started = parseIso8601("2026-11-21T09:15:02.123Z");
        run.ended = parseIso8601("2026-11-21T09:16:02.123Z");
        run.versions = {{"driver", "535.161.08"}, {"checkout source_dir", "0123456789ab, changed"}};
        run.folder = "logs/x/" + toString(topology) + "/" + std::to_string(repetition);
        runs.push_back(run);
        return runs.back();
    };
    add({1, 1}, 1, 354.44);
    add({1, 1}, 2, 353.9);
    add({1, 1}, 3, 355.02);
    add({1, 2}, 1, 699.3);
    add({1, 2}, 2, 701.87);
    RunResult& outlier = add({1, 2}, 3, 512.0);
    outlier.excluded = true;
    outlier.exclusionReason = "another job on the node";
    RunResult& oom = add({2, 2}, 1, 0);
    oom.outcome = Outcome::Oom;
    oom.reason = "out of memory on node2";
    oom.throughput.reset();
    RunResult small = add({1, 1}, 1, 1250.5);
    small.benchmarkCase.configuration.variant = {{"image_size", "64"}};
    runs.back() = small;
    RunResult batch = add({1, 1}, 1, 360.25);
    batch.benchmarkCase.configuration.batchSize = 256;
    runs.back() = batch;
    return runs;
}

inline cluster::LinkSeries measuredLink(int ranks, double seconds) {
    return {.ranks = ranks, .points = {{4, seconds / 1000}, {100'000'000, seconds}}};
}

// Of three nodes, of which the last is slow and the second has no folder of data.
inline HardwareBaselines measuredHardware() {
    HardwareBaselines hardware;
    hardware.links = {.measured = *parseIso8601("2026-11-21T09:15:02.123Z"),
                      .by = "gloo, by way of the hosts",
                      .nodes = {"node1", "node2", "node3"},
                      .pairs = {{"node1", "node2", measuredLink(2, 0.01)},
                                {"node1", "node3", measuredLink(2, 0.04)},
                                {"node2", "node3", {.missing = "node3: no route to host"}}},
                      .all = measuredLink(3, 0.04),
                      .ring = {{"node1", "node2", {4'000'000, 0.0005}},
                               {"node2", "node3", {4'000'000, 0.002}},
                               {"node3", "node1", {4'000'000, 0.004}}},
                      .within = {{"node1", measuredLink(4, 0.002)}}};
    hardware.compute = {.measured = *parseIso8601("2026-11-22T09:15:02.123Z"),
                        .by = "dlperf-worker, ResNet50"};
    for (const auto& [name, throughput] :
         {std::pair("node1", 400.0), std::pair("node2", 402.0), std::pair("node3", 300.0)}) {
        hardware.compute->nodes.push_back({.node = name,
                                           .backend = "cuda",
                                           .batchSize = 64,
                                           .imageSize = 224,
                                           .throughputs = {throughput, throughput + 1}});
    }
    hardware.data = {.measured = *parseIso8601("2026-11-23T09:15:02.123Z"), .by = "dlperf-worker"};
    hardware.data->nodes = {{.node = "node1",
                             .folder = "/data/images",
                             .files = 9'000,
                             .bytes = 12'000'000'000,
                             .seconds = 10,
                             .imagesPerSecond = 2'100.5},
                            {.node = "node2",
                             .folder = "/data/images",
                             .missing = "cannot read the folder /data/images: No such file or directory"},
                            {.node = "node3",
                             .folder = "/data/images",
                             .files = 3'000,
                             .bytes = 4'000'000'000,
                             .seconds = 10,
                             .cached = 3,
                             .imagesPerSecond = 2'000}};
    return hardware;
}

inline Renderers fakeRenderer() {
    const ChartRenderer draw = [](const ChartSpec& chart, int width, int height) -> Result<std::string> {
        return "<svg width=\"" + std::to_string(width) + "\" height=\"" + std::to_string(height) +
               "\"><title>" + chart.title + "</title></svg>";
    };
    return {.svg = draw, .pdf = draw};
}

inline const std::string& only(const std::vector<ReportFile>& files) {
    return files.at(0).bytes;
}

}  // namespace dlperf::report::test
