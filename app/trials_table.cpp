// SPDX-License-Identifier: Apache-2.0
#include "app/trials_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <string>

#include "app/run_inputs.h"
#include "core/report/table.h"
#include "core/run/trials.h"
#include "core/store/workspace.h"

namespace dlperf::app {
namespace {

// "dlperf-worker fp32 1n2g", or "dlperf-worker b32 fp32 1n2g": what a search's trials have in common.
std::string titleOf(const Case& searched, const std::string& option) {
    Configuration common = searched.configuration;
    common.variant.erase(option);
    const std::string size = option.empty() ? "" : fmt::format("b{} ", common.batchSize);
    return fmt::format("{} {}{} {}", store::seriesFolderName(common), size, common.precision,
                       toString(searched.topology));
}

report::Table tableOf(const run::Campaign& campaign, const run::SearchedCase& searched) {
    const std::string& option = campaign.search->option;
    const std::string value = option.empty() ? "Batch size" : printable(option);
    report::Table table{{{value, true}, {"Outcome"}, {"Throughput", true}, {"Peak memory", true}}, {}};
    const bool hasMemory = std::ranges::any_of(
        searched.runs, [&](std::size_t number) { return campaign.runs[number].memoryMb.has_value(); });
    std::multimap<int, std::size_t> runs;
    for (std::size_t i = 0; i < searched.runs.size(); ++i) {
        runs.emplace(searched.values[i], searched.runs[i]);
    }
    for (const auto& [tried, number] : runs) {
        const run::RunState& run = campaign.runs[number];
        const bool ended = run.phase == run::RunPhase::Finished;
        table.rows.push_back(
            {report::textCell(std::to_string(tried)),
             report::textCell(ended ? toString(run.outcome) : run::toString(run.phase)),
             report::textCell(run.throughput ? fmt::format("{:.2f} {}", *run.throughput, printable(run.unit))
                                             : ""),
             report::textCell(run.memoryMb ? fmt::format("{:.0f} MiB", *run.memoryMb) : "")});
    }
    return hasMemory ? table : report::select(table, {value, "Outcome", "Throughput"});
}

template <class Value>
Json orNull(const std::optional<Value>& value) {
    return value ? Json(*value) : Json();
}

// Without what is searched, the batch size.
Json caseJson(const Case& benchmarkCase) {
    const Configuration& configuration = benchmarkCase.configuration;
    return {{"recipe", configuration.recipe},
            {"precision", configuration.precision},
            {"features", configuration.features},
            {"variant", configuration.variant},
            {"topology", toString(benchmarkCase.topology)}};
}

Json trialJson(const run::RunState& run, int value) {
    return {{"run", run.id},
            {"value", value},
            {"batch_size", run.benchmarkCase.configuration.batchSize},
            {"outcome", run.phase == run::RunPhase::Finished ? Json(toString(run.outcome)) : Json()},
            {"throughput", orNull(run.throughput)},
            {"memory_mb", orNull(run.memoryMb)}};
}

}  // namespace

void printTrials(std::ostream& out, const run::Campaign& campaign) {
    for (const run::SearchedCase& searched : run::searchedCases(campaign)) {
        out << printable(titleOf(searched.benchmarkCase, campaign.search->option)) << ": "
            << told(run::describeSearch(campaign, searched)) << '\n'
            << report::toTerminal(report::translated(tableOf(campaign, searched), terminalTranslation()));
    }
    for (const run::RepeatedCase& repeated : run::repeatedCases(campaign)) {
        out << printable(shortName(repeated.benchmarkCase)) << ": "
            << told(run::describeRepetitions(campaign, repeated)) << '\n';
    }
}

Json searchesJson(const run::Campaign& campaign) {
    Json list = Json::array();
    for (const run::SearchedCase& searched : run::searchedCases(campaign)) {
        Json trials = Json::array();
        for (std::size_t i = 0; i < searched.runs.size(); ++i) {
            trials.push_back(trialJson(campaign.runs[searched.runs[i]], searched.values[i]));
        }
        Json json = caseJson(searched.benchmarkCase);
        const std::string& option = campaign.search->option;
        json["searched"] = option.empty() ? "batch_size" : option;
        json["variant"].erase(option);
        if (!option.empty()) {
            json["batch_size"] = searched.benchmarkCase.configuration.batchSize;
        }
        json.update({{"answer", orNull(searched.state.answer)},
                     {"fits", orNull(searched.state.fits)},
                     {"fails", orNull(searched.state.fails)},
                     {"goes_on", searched.waits || searched.state.next.has_value()},
                     {"what", run::describeSearch(campaign, searched)},
                     {"trials", std::move(trials)}});
        list.push_back(std::move(json));
    }
    return list;
}

Json repeatedJson(const run::Campaign& campaign) {
    Json list = Json::array();
    for (const run::RepeatedCase& repeated : run::repeatedCases(campaign)) {
        Json json = caseJson(repeated.benchmarkCase);
        json.update({{"batch_size", repeated.benchmarkCase.configuration.batchSize},
                     {"runs", repeated.runs.size()},
                     {"width", orNull(repeated.width)},
                     {"goes_on", repeated.waits || repeated.wantsAnother},
                     {"what", run::describeRepetitions(campaign, repeated)}});
        list.push_back(std::move(json));
    }
    return list;
}

}  // namespace dlperf::app
