// SPDX-License-Identifier: Apache-2.0
// run.json: all facts of one run, readable without the program. Written by the runner when the run ends (and
// once, without outcome and figure, when it starts); read by everything else. SQLite is only an index of
// these files.
#pragma once

#include <filesystem>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/model/case.h"

namespace dlperf::store {

struct RunRecord {
    RunResult result;
    std::string recipeTitle;      // "PyTorch examples, ResNet50"
    std::string plan;             // the plan's name
    Json facts = Json::object();  // versions, probe, exit codes, checksums, times per node: whatever the
                                  // runner recorded
};

[[nodiscard]] Json toJson(const RunRecord& record);
[[nodiscard]] Result<RunRecord> runRecordFromJson(const Json& json, const std::string& where);

// The log of a run's node, by rank. What was imported has one beside its folder, of DLPerf's name.
[[nodiscard]] std::filesystem::path nodeLog(const std::filesystem::path& runFolder, std::size_t rank);

// What run.json holds, for who writes many at once.
[[nodiscard]] std::string recordText(const RunRecord& record);
[[nodiscard]] Result<void> writeRunRecord(const std::filesystem::path& runFolder, const RunRecord& record);
[[nodiscard]] Result<RunRecord> readRunRecord(const std::filesystem::path& runFolder);

}  // namespace dlperf::store
