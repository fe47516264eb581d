// SPDX-License-Identifier: Apache-2.0
#include "app/shown_run.h"

#include <fmt/format.h>

#include <iostream>

#include "app/commands.h"

namespace dlperf::app {

void printRow(const char* what, const std::string& text) {
    if (!text.empty()) {
        std::cout << labelled(what, told(text)) << '\n';
    }
}

void printHead(const RunResult& run, const std::string& state, const std::string& because) {
    std::cout << told(fmt::format("{}  {} repetition {}", run.id, shortName(run.benchmarkCase),
                                  run.repetition))
              << '\n';
    printRow("state", state);
    printRow("because", because);
    printRow("figure", run.throughput ? fmt::format("{:.2f} {}", *run.throughput, run.unit) : "");
    printRow("range", fmt::format("after {} iterations, up to {}", run.range.warmup, run.range.train));
    printRow("excluded", run.excluded ? (run.exclusionReason.empty() ? "yes" : run.exclusionReason) : "");
}

Json shownJson(const store::RunRecord& record, const RunResult& run, const std::string& state,
               const std::filesystem::path& folder, const std::vector<std::string>& nodes) {
    Json json = store::toJson(record);
    json["state"] = state;
    json["excluded"] = run.excluded ? Json(run.exclusionReason) : Json();
    json["folder"] = folder.string();
    json["nodes"] = nodes;
    return json;
}

}  // namespace dlperf::app
