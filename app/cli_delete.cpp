// SPDX-License-Identifier: Apache-2.0
// `dlperf delete` and `dlperf restore`: campaigns, imports and runs go to the workspace's trash, and back.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/commands.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/run/campaign_names.h"
#include "core/run/status.h"
#include "core/run/trash.h"

namespace dlperf::app {
namespace {

struct DeleteOptions {
    std::string workspace;
    std::vector<std::string> names;
    bool yes = false;
    bool emptiesTrash = false;
};

struct RestoreOptions {
    std::string workspace;
    std::string name;
    bool list = false;
};

// What is there to delete.
struct Known {
    std::vector<run::Campaign> campaigns;       // that are no imports
    std::map<std::string, std::string> names;   // of these and of imports, by id
    std::map<std::string, std::size_t> counts;  // of their runs
    std::set<std::string> runs;
};

Result<Known> knownIn(const store::Workspace& workspace) {
    Known known;
    known.campaigns = run::readStatus(workspace).campaigns;
    const auto results = TRY(resultsIn(workspace)).results;
    known.names = run::campaignNames(workspace, known.campaigns);
    run::nameOthers(known.names, results);
    for (const run::Campaign& campaign : known.campaigns) {
        for (const run::RunState& run : campaign.runs) {
            known.counts[campaign.id] += known.runs.insert(run.id).second ? 1U : 0U;
        }
    }
    for (const RunResult& result : results) {
        known.counts[result.campaign] += known.runs.insert(result.id).second ? 1U : 0U;
    }
    return known;
}

// A run by its whole id, so that no number means another one than was thought of.
Result<run::Unwanted> unwantedOf(const std::vector<std::string>& names, const Known& known,
                                 const store::Workspace& workspace) {
    run::Unwanted unwanted;
    for (const std::string& name : names) {
        if (known.runs.contains(name) && !known.names.contains(name)) {
            unwanted.runs.insert(name);
        } else {
            unwanted.campaigns.insert(
                TRY(run::campaignMeant(name, known.names, known.campaigns, workspace.root().string())));
        }
    }
    return unwanted;
}

void printUnwanted(const run::Unwanted& unwanted, const Known& known) {
    for (const std::string& id : unwanted.campaigns) {
        const auto count = known.counts.find(id);
        const std::string& name = known.names.at(id);
        std::cerr << printable(id == name ? "  " + id : fmt::format("  {}  {}", id, name)) << "  "
                  << told(fmt::format("runs: {}", count == known.counts.end() ? 0 : count->second)) << '\n';
    }
    for (const std::string& id : unwanted.runs) {
        std::cerr << "  " << printable(id) << '\n';
    }
}

// On a terminal, unless it was agreed to before. An Input error where nobody can answer.
Result<bool> isAgreed(const std::string& question, bool yes) {
    if (yes) {
        return true;
    }
    if (::isatty(STDIN_FILENO) != 1) {
        return fail("there is no terminal to ask on", {}, "Agree beforehand with --yes.");
    }
    std::cerr << told(question) << " [y/N] " << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    answer = lower(trim(answer));
    return answer == "y" || answer == "yes";
}

std::string sizeText(std::uintmax_t bytes) {
    return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / 1024 / 1024);
}

Result<int> emptyTrash(const store::Workspace& workspace, bool yes) {
    const run::Trash trash = run::readTrash(workspace);
    if (trash.deletions.empty() && trash.problems.empty()) {
        std::cout << told("the trash is empty") << '\n';
        return 0;
    }
    const std::string size = sizeText(trash.bytes);
    if (!TRY(isAgreed(fmt::format("Remove {} of the trash for good?", size), yes))) {
        return 1;
    }
    TRY(run::emptyTrash(workspace));
    std::cout << told(fmt::format("the trash is empty; {} freed", size)) << '\n';
    return 0;
}

Result<int> deleteThem(const DeleteOptions& options) {
    const auto workspace = TRY(store::Workspace::openExisting(expandHome(options.workspace)));
    if (options.emptiesTrash) {
        return emptyTrash(workspace, options.yes);
    }
    if (options.names.empty()) {
        return fail("nothing is named", "NAME", "`dlperf status` lists campaigns and runs.");
    }
    const Known known = TRY(knownIn(workspace));
    const auto unwanted = TRY(unwantedOf(options.names, known, workspace));
    printUnwanted(unwanted, known);
    if (!TRY(isAgreed("Move them to the trash? `dlperf restore` puts them back.", options.yes))) {
        return 1;
    }
    const auto deletion = TRY(run::moveToTrash(workspace, unwanted));
    std::cout << told(fmt::format("runs moved to the trash: {}", deletion.runs.size())) << "  "
              << printable((workspace.trash() / deletion.name).string()) << '\n';
    return 0;
}

int listTrash(const run::Trash& trash) {
    for (const run::Deletion& deletion : trash.deletions) {
        const auto local = fmt::localtime(std::chrono::system_clock::to_time_t(deletion.time));
        std::string what;
        for (const std::string& id : deletion.campaigns) {
            what += "  " + printable(id);
        }
        for (const std::string& id : deletion.runs) {  // also of imports, whose runs no journal marks
            if (std::ranges::find(deletion.campaigns, campaignOfRun(id)) == deletion.campaigns.end()) {
                what += "  " + printable(id);
            }
        }
        std::cout << fmt::format("{}  {:%Y-%m-%d %H:%M}  {}{}\n", printable(deletion.name), local,
                                 told(fmt::format("runs: {}", deletion.runs.size())), what);
    }
    if (trash.deletions.empty()) {
        std::cout << told("the trash is empty") << '\n';
    }
    return trash.problems.empty() ? 0 : 1;
}

Result<int> restore(const RestoreOptions& options) {
    const auto workspace = TRY(store::Workspace::openExisting(expandHome(options.workspace)));
    const run::Trash trash = run::readTrash(workspace);
    for (const Error& problem : trash.problems) {
        (void)complain("restore", problem);
    }
    if (options.list) {
        return listTrash(trash);
    }
    if (options.name.empty() && trash.deletions.empty()) {
        return fail("the trash is empty", workspace.trash().string());
    }
    const auto deletion =
        TRY(run::putBack(workspace, options.name.empty() ? trash.deletions.back().name : options.name));
    std::cout << told(fmt::format("runs put back: {}", deletion.runs.size())) << '\n';
    return 0;
}

}  // namespace

void addDeleteCommand(CLI::App& app, int& exitCode) {
    auto* command = app.add_subcommand("delete", "Move campaigns, imports or runs to the workspace's trash");
    const auto options = std::make_shared<DeleteOptions>();
    command->add_option("--workspace", options->workspace, "The folder that keeps runs and logs")
        ->type_name("FOLDER")
        ->required();
    auto* names =
        command->add_option("NAME", options->names, "Ids or names of campaigns and imports; ids of runs")
            ->type_name("NAME");
    command->add_flag("--empty-trash", options->emptiesTrash, "Remove what is in the trash, for good")
        ->excludes(names);
    command->add_flag("-y,--yes", options->yes, "Do not ask");
    command->callback([options, &exitCode] { exitCode = exitCodeOf("delete", deleteThem(*options)); });
}

void addRestoreCommand(CLI::App& app, int& exitCode) {
    auto* command = app.add_subcommand("restore", "Put back what was deleted");
    const auto options = std::make_shared<RestoreOptions>();
    command->add_option("--workspace", options->workspace, "The folder that keeps runs and logs")
        ->type_name("FOLDER")
        ->required();
    auto* name =
        command->add_option("DELETION", options->name, "As --list has it; else what was deleted last")
            ->type_name("NAME");
    command->add_flag("--list", options->list, "Say what is in the trash")->excludes(name);
    command->callback([options, &exitCode] { exitCode = exitCodeOf("restore", restore(*options)); });
}

}  // namespace dlperf::app
