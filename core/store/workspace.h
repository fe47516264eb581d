// SPDX-License-Identifier: Apache-2.0
// A workspace is a folder: runs, logs, index and settings of one investigation, in DLPerf's own log layout:
//
//   W/logs/<recipe>[+<feature>…][+key=value…]/b128_fp32/2n8g/r50_b128_fp32_1.log   node 0's log of an ok run
//   W/logs/…/2n8g/r50_b128_fp32_1/           that run: run.json, journal.jsonl, launch.sh, node0.env,
//   node0.log, … W/logs/…/2n8g/r50_b128_fp32_2.attempt1/  a run that failed keeps its folder, never DLPerf's
//   name W/campaigns/<id>/                        plan.json, cluster.json, recipes/ as they were,
//   journal.jsonl W/notes/<run-id with / as ~>.json        what the user says of a run: {"note": …,
//   "excluded": …, "reason": …} W/views/ W/templates/                    saved views, saved templates of
//   reports W/report.json                               what the window's report is left at
//   W/windows.json  measurement ranges that the user changed after the runs, see ranges.h
//   W/formats.json  log formats of the user's own, see core/measure/own_formats.h
//   W/links.json    how fast the links are, see core/cluster/link_baseline.h; W/links/ is a workspace of the
//   runs that measured it; so do compute.json and compute/ say what the nodes compute, data.json and
//   data-runs/ how fast they read, see core/cluster/compute_baseline.h and data_baseline.h
//   W/trash/<time>/   what the user has deleted, see core/run/trash.h
//   W/requests/  W/lock  W/results.sqlite    requests to the runner, its lock, the index (can be rebuilt)
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/model/case.h"

namespace dlperf::store {

class Workspace {
public:
    // Makes the folder if it is missing. A Work error if it cannot be made or written to.
    [[nodiscard]] static Result<Workspace> open(const std::filesystem::path& root);
    // For who looks or asks: makes nothing, so that a mistyped name is no new, empty workspace, and needs
    // only read permission. An Input error if it is not there.
    [[nodiscard]] static Result<Workspace> openExisting(const std::filesystem::path& root);

    const std::filesystem::path& root() const { return root_; }
    std::filesystem::path logs() const { return root_ / "logs"; }
    std::filesystem::path campaigns() const { return root_ / "campaigns"; }
    std::filesystem::path notes() const { return root_ / "notes"; }
    std::filesystem::path views() const { return root_ / "views"; }
    std::filesystem::path templates() const { return root_ / "templates"; }
    std::filesystem::path trash() const { return root_ / "trash"; }
    std::filesystem::path reportFile() const { return root_ / "report.json"; }
    std::filesystem::path requests() const { return root_ / "requests"; }
    std::filesystem::path lockFile() const { return root_ / "lock"; }
    std::filesystem::path ranges() const { return root_ / "windows.json"; }
    std::filesystem::path formats() const { return root_ / "formats.json"; }
    std::filesystem::path linkRuns() const { return root_ / "links"; }
    std::filesystem::path linkBaseline() const { return root_ / "links.json"; }
    std::filesystem::path computeRuns() const { return root_ / "compute"; }
    std::filesystem::path computeBaseline() const { return root_ / "compute.json"; }
    std::filesystem::path dataRuns() const { return root_ / "data-runs"; }
    std::filesystem::path dataBaseline() const { return root_ / "data.json"; }
    std::filesystem::path index() const { return root_ / "results.sqlite"; }

    // W/logs/<recipe>[+…]/b128_fp32/2n8g
    std::filesystem::path caseFolder(const Case& benchmarkCase) const;
    // Repetition numbers 1, 2, … that no log and no run folder of the case uses yet.
    std::vector<int> freeRepetitions(const Case& benchmarkCase, int count) const;

private:
    [[nodiscard]] static Result<std::filesystem::path> place(const std::filesystem::path& root);
    explicit Workspace(std::filesystem::path root) : root_(std::move(root)) {}
    std::filesystem::path root_;
};

// "<recipe>[+<feature>…][+key=value…]"; in a value, what is not A-Z a-z 0-9 . _ - is written %XX.
[[nodiscard]] std::string seriesFolderName(const Configuration& configuration);
// "b128_fp32"
[[nodiscard]] std::string batchFolderName(const Configuration& configuration);
// "r50_b128_fp32_1", the stem of DLPerf's log name.
[[nodiscard]] std::string runName(const Configuration& configuration, int repetition);

}  // namespace dlperf::store
