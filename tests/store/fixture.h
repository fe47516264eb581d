// SPDX-License-Identifier: Apache-2.0
// What the tests of the store share: a run to vary.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/store/run_record.h"
#include "core/store/workspace.h"
#include "tests/support/folder.h"

namespace dlperf::store::test {

using dlperf::test::Folder;

inline Configuration someConfiguration() {
    return {.recipe = "pytorch-examples",
            .framework = "pytorch",
            .implementation = "pytorch-examples",
            .model = "r50",
            .precision = "fp32",
            .features = {},
            .variant = {},
            .batchSize = 128};
}

inline RunRecord someRecord(Topology topology = {1, 1}, int repetition = 1, double throughput = 354.25) {
    RunRecord record;
    RunResult& result = record.result;
    result.id = "c1/" + toString(topology) + "-" + std::to_string(repetition);
    result.campaign = "c1";
    result.benchmarkCase = {someConfiguration(), topology};
    result.repetition = repetition;
    result.outcome = Outcome::Ok;
    result.throughput = throughput;
    result.format = "pytorch-examples";
    result.range = {20, 120};
    result.started = parseIso8601("2026-11-21T09:15:02.123Z");
    result.ended = parseIso8601("2026-11-21T09:16:02.123Z");
    record.recipeTitle = "PyTorch examples, ResNet50";
    record.plan = "resnet50 fp32";
    return record;
}

// Writes the record where the runner puts it; gives the run's folder.
inline std::filesystem::path putRun(const Workspace& workspace, const RunRecord& record) {
    const Case& benchmarkCase = record.result.benchmarkCase;
    auto folder =
        workspace.caseFolder(benchmarkCase) / runName(benchmarkCase.configuration, record.result.repetition);
    std::filesystem::create_directories(folder);
    if (!writeRunRecord(folder, record)) {
        std::abort();
    }
    return folder;
}

}  // namespace dlperf::store::test
