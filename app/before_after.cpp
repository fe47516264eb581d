// SPDX-License-Identifier: Apache-2.0
#include "app/before_after.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <utility>

#include "app/commands.h"
#include "core/base/file.h"
#include "core/base/printed_json.h"
#include "core/base/text.h"
#include "core/measure/own_formats.h"
#include "core/model/campaign.h"
#include "core/report/before_after.h"
#include "core/run/campaign_names.h"
#include "core/run/status.h"
#include "core/store/results.h"

namespace dlperf::app {
namespace {

constexpr const char* commandName = "compare";

using Sides = std::pair<report::BeforeAfterSide, report::BeforeAfterSide>;

void tellWhatIsToCome(const std::vector<run::Campaign>& campaigns, const report::BeforeAfterSide& side) {
    for (const run::Campaign& campaign : campaigns) {
        if (campaign.seriesCampaign() == side.id && !campaign.finished()) {
            std::cerr << told("note: " + run::toComeText(campaign, side.name)) << '\n';
        }
    }
}

Result<Sides> campaignSides(const BeforeAfterOptions& options) {
    const auto workspace = TRY(store::Workspace::openExisting(expandHome(options.workspace)));
    const auto stored = TRY(someResults(commandName, workspace));
    const auto status = run::StatusReader(workspace).read();
    for (const Error& problem : status.problems) {
        complain(commandName, problem);
    }
    auto names = run::campaignNames(workspace, status.campaigns);
    run::nameOthers(names, stored.results);
    for (const RunResult& result : stored.results) {  // a series may be called by a deleted campaign
        const std::string& first = seriesCampaign(result);
        names.try_emplace(first, campaignTitle(first));
    }
    const auto formats = TRY(measure::readFormats(workspace));
    const auto sideOf = [&](const std::string& wanted) -> Result<report::BeforeAfterSide> {
        const std::string id =
            TRY(run::campaignMeant(wanted, names, status.campaigns, workspace.root().string()));
        const std::string first = seriesCampaign(stored.results, id);
        return report::sideOfCampaign(workspace, first, run::campaignName(names, first), stored.results,
                                      formats);
    };
    auto before = TRY(sideOf(options.before));
    auto after = TRY(sideOf(options.after));
    tellWhatIsToCome(status.campaigns, before);
    tellWhatIsToCome(status.campaigns, after);
    return Sides{std::move(before), std::move(after)};
}

Result<report::BeforeAfterSide> folderSide(const std::string& folder) {
    auto opened = store::Workspace::openExisting(expandHome(folder));
    if (!opened) {
        Error error = opened.error();
        error.remedy += " Campaigns of one workspace need --workspace.";
        return Failure(std::move(error));
    }
    const auto stored = TRY(someResults(commandName, *opened));
    std::error_code error;
    const auto place = std::filesystem::weakly_canonical(opened->root(), error);
    return report::BeforeAfterSide{.id = error ? opened->root().string() : place.string(),
                                   .name = folder,
                                   .results = stored.results,
                                   .machines = report::readMachines(*opened, stored.results),
                                   .formats = TRY(measure::readFormats(*opened))};
}

Result<Sides> sidesOf(const BeforeAfterOptions& options) {
    if (!options.workspace.empty()) {
        return campaignSides(options);
    }
    auto before = TRY(folderSide(options.before));
    auto after = TRY(folderSide(options.after));
    store::joinSpellings(before.results, after.results);
    return Sides{std::move(before), std::move(after)};
}

std::string nameAndId(const report::BeforeAfter& compared, bool isAfter) {
    const std::string& name = isAfter ? compared.after : compared.before;
    const std::string& id = isAfter ? compared.afterId : compared.beforeId;
    return name == id ? name : fmt::format("{} ({})", name, id);
}

void printTables(const report::BeforeAfter& compared, double limit) {
    std::cout << told("before:") << ' ' << printable(nameAndId(compared, false)) << '\n'
              << told("after:") << ' ' << printable(nameAndId(compared, true)) << '\n'
              << '\n';
    const std::string title = compared.title.empty() ? "" : compared.title + ", ";
    std::cout << told(title + "median in " + report::unitsText(compared)) << '\n'
              << report::toTerminal(
                     report::translated(report::beforeAfterTable(compared), terminalTranslation()))
              << '\n'
              << told(report::countsText(compared, limit)) << '\n'
              << '\n'
              << told("What else differs:") << '\n';
    for (const std::string& text : report::environmentTexts(compared)) {
        std::cout << "  " << told(text) << '\n';
    }
}

Result<void> writeBeforeAfter(const report::BeforeAfter& compared, const std::optional<double>& limit,
                              const std::string& json) {
    if (json != "-") {
        printTables(compared, limit.value_or(0));
    }
    return json.empty() ? flushOutput()
                        : writeOutput(json, printedJson(report::toJson(compared, limit)) + "\n");
}

Result<std::optional<double>> limitOf(const std::optional<std::string>& failBelow) {
    if (!failBelow) {
        return std::nullopt;
    }
    const auto limit = report::parseLimit(*failBelow);
    return limit ? Result<std::optional<double>>(limit)
                 : fail(fmt::format("{} is no share of a figure", refusedName(*failBelow)), "--fail-below",
                        "Write a number from 0 to 100, such as 2% or 0.5%.");
}

}  // namespace

Result<int> printBeforeAfter(const BeforeAfterOptions& options) {
    const auto limit = TRY(limitOf(options.failBelow));
    const auto vocabulary = TRY(readVocabulary());
    const Sides sides = TRY(sidesOf(options));
    const auto compared = TRY(report::beforeAndAfter(sides.first, sides.second, vocabulary));
    TRY(writeBeforeAfter(compared, limit, options.json));
    const auto failures = limit ? report::regressionTexts(compared, *limit) : std::vector<std::string>();
    for (const std::string& text : failures) {
        std::cerr << "dlperf " << commandName << ": " << told(text) << '\n';
    }
    return failures.empty() ? 0 : 1;
}

}  // namespace dlperf::app
