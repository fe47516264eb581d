// SPDX-License-Identifier: Apache-2.0
#include "app/trials_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>

#include "app/run_inputs.h"
#include "core/report/table.h"
#include "core/run/trials.h"
#include "core/store/workspace.h"

namespace dlperf::app {
namespace {

// "dlperf-worker fp32 1n2g": what a search's trials have in common.
std::string titleOf(const Case& searched) {
    return fmt::format("{} {} {}", store::seriesFolderName(searched.configuration),
                       searched.configuration.precision, toString(searched.topology));
}

report::Table tableOf(const run::Campaign& campaign, const run::SearchedCase& searched) {
    report::Table table{{{"Batch size", true}, {"Outcome"}, {"Throughput", true}, {"Peak memory", true}}, {}};
    const bool hasMemory = std::ranges::any_of(
        searched.runs, [&](std::size_t number) { return campaign.runs[number].memoryMb.has_value(); });
    auto runs = searched.runs;
    std::ranges::stable_sort(runs, {}, [&](std::size_t number) {
        return campaign.runs[number].benchmarkCase.configuration.batchSize;
    });
    for (const std::size_t number : runs) {
        const run::RunState& run = campaign.runs[number];
        const bool ended = run.phase == run::RunPhase::Finished;
        table.rows.push_back(
            {report::textCell(std::to_string(run.benchmarkCase.configuration.batchSize)),
             report::textCell(ended ? toString(run.outcome) : run::toString(run.phase)),
             report::textCell(run.throughput ? fmt::format("{:.2f} {}", *run.throughput, printable(run.unit))
                                             : ""),
             report::textCell(run.memoryMb ? fmt::format("{:.0f} MiB", *run.memoryMb) : "")});
    }
    return hasMemory ? table : report::select(table, {"Batch size", "Outcome", "Throughput"});
}

template <class Value>
Json orNull(const std::optional<Value>& value) {
    return value ? Json(*value) : Json();
}

// Without the batch size.
Json caseJson(const Case& benchmarkCase) {
    const Configuration& configuration = benchmarkCase.configuration;
    return {{"recipe", configuration.recipe},
            {"precision", configuration.precision},
            {"features", configuration.features},
            {"variant", configuration.variant},
            {"topology", toString(benchmarkCase.topology)}};
}

Json trialJson(const run::RunState& run) {
    return {{"run", run.id},
            {"batch_size", run.benchmarkCase.configuration.batchSize},
            {"outcome", run.phase == run::RunPhase::Finished ? Json(toString(run.outcome)) : Json()},
            {"throughput", orNull(run.throughput)},
            {"memory_mb", orNull(run.memoryMb)}};
}

}  // namespace

void printTrials(std::ostream& out, const run::Campaign& campaign) {
    for (const run::SearchedCase& searched : run::searchedCases(campaign)) {
        out << printable(titleOf(searched.benchmarkCase)) << ": "
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
        for (const std::size_t number : searched.runs) {
            trials.push_back(trialJson(campaign.runs[number]));
        }
        Json json = caseJson(searched.benchmarkCase);
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
