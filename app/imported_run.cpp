// SPDX-License-Identifier: Apache-2.0
#include "app/imported_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "app/commands.h"
#include "app/shown_run.h"
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
        std::cout << printedJson(shownJson(record, run, "imported", folder, {})) << '\n';
        return flushOutput();
    }
    printHead(run, fmt::format("imported, {}", toString(run.outcome)), run.reason);
    printRow("source", textOf(record.facts, "imported_from"));
    printRow("format", run.format);
    printRow("known by", textOf(record.facts, "format_found"));
    printRow("remark", run.note);
    printRow("folder", folder.string());
    printRow("log", importedLog(workspace, run, 0).string());
    for (const auto& [name, version] : run.versions) {
        printRow(name.c_str(), version);
    }
    for (const RunFinding& finding : run.findings) {
        const std::string what = report::withWhy(finding.kind, finding.what);
        printRow("finding", finding.where.empty() ? what : what + ", " + finding.where);
    }
    return flushOutput();
}

}  // namespace dlperf::app
