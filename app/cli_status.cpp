// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "app/hint_lines.h"
#include "app/run_campaign.h"
#include "core/base/file.h"
#include "core/run/lock.h"
#include "core/run/status.h"
#include "core/store/run_record.h"

namespace dlperf::app {
namespace {

struct StatusOptions {
    std::string workspace;
    std::string run;
    bool json = false;
};

// What the runner found in the logs of a run that ended; of one that goes on, what it sees now.
std::vector<diagnosis::Hint> hintsOf(const run::RunState& run, const diagnosis::Rules& rules) {
    if (run.phase != run::RunPhase::Finished || run.path.empty()) {
        return run::hintsOf(rules, run.alerts, now());
    }
    const auto record = store::readRunRecord(run.path);
    return record ? diagnosis::hintsFromJson(record->facts.value("diagnosis", Json()))
                  : std::vector<diagnosis::Hint>();
}

Json toJson(const run::RunState& run, const diagnosis::Rules& rules) {
    Json json = store::toJson(store::RunRecord{run.result(), run.recipeTitle, {}, Json::object()});
    json.erase("facts");
    json.erase("origin");
    json["state"] = run::toString(run.phase);
    json["outcome"] = run.phase == run::RunPhase::Finished ? Json(toString(run.outcome)) : Json();
    json["folder"] = run.path.string();
    json["nodes"] = run.nodes;
    json["slurm_job"] = run.slurm ? Json(run.slurm->job) : Json();
    json["waits"] = run.phase == run::RunPhase::InQueue ? Json(run.message) : Json();
    json["left_out"] = run.skipped;
    json["troubles"] = run::toJson(run.alerts);
    json["diagnosis"] = diagnosis::toJson(hintsOf(run, rules));
    return json;
}

void printJson(const std::vector<run::Campaign>& campaigns, const diagnosis::Rules& rules) {
    Json list = Json::array();
    for (const run::Campaign& campaign : campaigns) {
        Json runs = Json::array();
        for (const run::RunState& run : campaign.runs) {
            runs.push_back(toJson(run, rules));
        }
        list.push_back({{"id", campaign.id},
                        {"plan", campaign.plan},
                        {"started", campaign.started ? Json(toIso8601(*campaign.started)) : Json()},
                        {"runner_alive", campaign.runnerAlive},
                        {"paused", campaign.paused},
                        {"finished", campaign.finished()},
                        {"runs", std::move(runs)}});
    }
    std::cout << Json{{"campaigns", list}}.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

std::string stateOf(const run::Campaign& campaign) {
    if (campaign.finished()) {
        std::string text = "finished";
        for (const auto& [outcome, count] : campaign.outcomes()) {
            text += fmt::format(", {} {}", count, toString(outcome));
        }
        return text;
    }
    if (!campaign.runnerAlive) {
        return "interrupted, `dlperf resume` goes on";
    }
    return campaign.paused ? "paused" : "running";
}

void printText(const std::vector<run::Campaign>& campaigns, const diagnosis::Rules& rules) {
    for (const run::Campaign& campaign : campaigns) {
        std::cout << fmt::format("{}  {}: {}\n", campaign.id, printable(campaign.plan), stateOf(campaign));
        for (const run::RunState& run : campaign.runs) {
            const bool finished = run.phase == run::RunPhase::Finished;
            std::cout << fmt::format("  {}  {} repetition {}  {}", run.id, shortName(run.benchmarkCase),
                                     run.repetition,
                                     finished      ? toString(run.outcome)
                                     : run.skipped ? "skipped"
                                                   : run::toString(run.phase));
            if (run.throughput) {
                std::cout << fmt::format("  {:.2f} {}", *run.throughput, printable(run.unit));
            }
            const std::string& why = run.phase == run::RunPhase::InQueue ? run.message : run.reason;
            std::cout << (why.empty() ? "" : "  " + printable(why)) << hintLines(hintsOf(run, rules), "    ")
                      << '\n';
        }
    }
}

// What cannot be read takes nothing from the rest, but is no success.
int complainOfAll(const std::string& command, const std::vector<Error>& problems) {
    for (const Error& problem : problems) {
        (void)complain(command, problem);
    }
    return problems.empty() ? 0 : 1;
}

int showStatus(const store::Workspace& workspace, const StatusOptions& options) {
    const run::WorkspaceStatus status = run::readStatus(workspace);
    const auto rules = diagnosis::readRules().value_or(nullptr);  // without them only less is explained
    options.json ? printJson(status.campaigns, rules) : printText(status.campaigns, rules);
    return complainOfAll("status", status.problems);
}

bool knowsRun(const std::vector<run::Campaign>& campaigns, const std::string& id) {
    return std::any_of(campaigns.begin(), campaigns.end(), [&](const run::Campaign& campaign) {
        return std::any_of(campaign.runs.begin(), campaign.runs.end(),
                           [&](const run::RunState& run) { return run.id == id; });
    });
}

int noSuchRun(const StatusOptions& options) {
    return complain("cancel", Error{"there is no such run", options.run, "`dlperf status` lists them."});
}

Result<void> writeRequest(const store::Workspace& workspace, const StatusOptions& options) {
    const auto request = options.run.empty() ? run::Request::Cancel : run::Request::CancelRun;
    return run::writeRequest(workspace, request, options.run);
}

// Without a living runner this process does what the runner would: stops what still runs and closes the
// campaign.
int cancelWithoutRunner(const store::Workspace& workspace, const StatusOptions& options) {
    const run::WorkspaceStatus status = run::readStatus(workspace);
    const bool unfinished = std::any_of(status.campaigns.begin(), status.campaigns.end(),
                                        [](const run::Campaign& campaign) { return !campaign.finished(); });
    if (!options.run.empty() && !knowsRun(status.campaigns, options.run)) {
        return noSuchRun(options);
    }
    if (!unfinished) {
        std::cerr << "nothing runs in this workspace\n";
        return complainOfAll("cancel", status.problems);
    }
    if (auto asked = writeRequest(workspace, options); !asked) {
        return complain("cancel", asked.error());
    }
    if (!options.run.empty()) {  // skipped when the campaign is resumed
        return 0;
    }
    const auto code = resumeCampaigns(workspace, {});  // tells of the problems too
    return code ? (status.problems.empty() ? 0 : 1) : complain("cancel", code.error());
}

int cancel(const store::Workspace& workspace, const StatusOptions& options) {
    const auto owner = run::readLock(workspace);
    if (!owner || !run::isHeld(*owner)) {
        return cancelWithoutRunner(workspace, options);
    }
    if (!options.run.empty() && !knowsRun(run::readStatus(workspace).campaigns, options.run)) {
        return noSuchRun(options);
    }
    const auto asked = writeRequest(workspace, options);
    return asked ? 0 : complain("cancel", asked.error());
}

int pause(const store::Workspace& workspace, const StatusOptions& options) {
    const auto owner = run::readLock(workspace);
    if (!owner || !run::isHeld(*owner)) {
        return complain("pause",
                        Error{"no runner works in this workspace", options.workspace, {}, ErrorKind::Work});
    }
    const auto asked = run::writeRequest(workspace, run::Request::Pause);
    return asked ? 0 : complain("pause", asked.error());
}

// `work` gets the workspace, which must be there, and the options.
CLI::App* addCommand(CLI::App& app, int& exitCode, const char* name, const char* help,
                     const std::shared_ptr<StatusOptions>& options,
                     int (*work)(const store::Workspace&, const StatusOptions&)) {
    auto* command = app.add_subcommand(name, help);
    command->add_option("--workspace", options->workspace, "The folder that keeps runs and logs")
        ->type_name("FOLDER")
        ->required();
    command->callback([=, &exitCode] {
        const auto workspace = store::Workspace::openExisting(expandHome(options->workspace));
        exitCode = workspace ? work(*workspace, *options) : complain(name, workspace.error());
    });
    return command;
}

}  // namespace

void addStatusCommand(CLI::App& app, int& exitCode) {
    const auto options = std::make_shared<StatusOptions>();
    addCommand(app, exitCode, "status", "Say what runs and how the runs ended", options, showStatus)
        ->add_flag("--json", options->json, "Write JSON");
}

void addCancelCommand(CLI::App& app, int& exitCode) {
    const auto options = std::make_shared<StatusOptions>();
    addCommand(app, exitCode, "cancel", "Ask the runner to stop", options, cancel)
        ->add_option("--run", options->run, "Cancel this run only; the others go on");
}

void addPauseCommand(CLI::App& app, int& exitCode) {
    addCommand(app, exitCode, "pause", "Start no further run until `dlperf resume`",
               std::make_shared<StatusOptions>(), pause);
}

}  // namespace dlperf::app
