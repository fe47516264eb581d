// SPDX-License-Identifier: Apache-2.0
#include "app/imported_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "app/commands.h"
#include "core/base/printed_json.h"
#include "core/report/finding.h"
#include "core/store/results.h"
#include "core/store/run_record.h"

namespace dlperf::app {

std::optional<RunResult> importedRun(const store::Workspace& workspace, const std::string& id) {
    if (id.empty()) {
        return std::nullopt;
    }
    const auto stored = resultsIn(workspace);
    if (!stored) {
        return std::nullopt;
    }
    const auto found = std::ranges::find(stored->results, id, &RunResult::id);
    return found == stored->results.end() || found->origin != Origin::Imported ? std::nullopt
                                                                               : std::optional(*found);
}

std::filesystem::path importedLog(const store::Workspace& workspace, const RunResult& run, int rank) {
    return store::nodeLog(workspace.root() / run.folder, static_cast<std::size_t>(rank));
}

Result<void> showImported(const store::Workspace& workspace, const RunResult& run, bool asJson) {
    const std::filesystem::path folder = workspace.root() / run.folder;
    store::RunRecord record = TRY(store::readRunRecord(folder));
    record.result = run;  // as the user has it: its range and exclusion may be later ones
    if (asJson) {
        Json json = store::toJson(record);
        json["state"] = "imported";
        json["excluded"] = run.excluded ? Json(run.exclusionReason) : Json();
        json["folder"] = folder.string();
        json["nodes"] = Json::array();
        std::cout << printedJson(json) << '\n';
        return flushOutput();
    }
    const auto row = [](const char* what, const std::string& text) {
        if (!text.empty()) {
            std::cout << labelled(what, told(text)) << '\n';
        }
    };
    std::cout << told(fmt::format("{}  {} repetition {}", run.id, shortName(run.benchmarkCase),
                                  run.repetition))
              << '\n';
    row("state", fmt::format("imported, {}", toString(run.outcome)));
    row("because", run.reason);
    row("figure", run.throughput ? fmt::format("{:.2f} {}", *run.throughput, run.unit) : "");
    row("range", fmt::format("after {} iterations, up to {}", run.range.warmup, run.range.train));
    row("excluded", run.excluded ? (run.exclusionReason.empty() ? "yes" : run.exclusionReason) : "");
    row("source", textOf(record.facts, "imported_from"));
    row("format", run.format);
    row("known by", textOf(record.facts, "format_found"));
    row("remark", run.note);
    row("folder", folder.string());
    row("log", importedLog(workspace, run, 0).string());
    for (const auto& [name, version] : run.versions) {
        row(name.c_str(), version);
    }
    for (const RunFinding& finding : run.findings) {
        const std::string what = report::withWhy(finding.kind, finding.what);
        row("finding", finding.where.empty() ? what : what + ", " + finding.where);
    }
    return flushOutput();
}

}  // namespace dlperf::app
