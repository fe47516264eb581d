// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <memory>

#include "app/hint_lines.h"
#include "app/run_campaign.h"
#include "app/status_line.h"
#include "app/stop_on_signal.h"
#include "app/terminal_row.h"
#include "app/trials_table.h"
#include "core/base/file.h"
#include "core/base/mapped.h"
#include "core/base/pause.h"
#include "core/base/printed_json.h"
#include "core/run/campaign.h"
#include "core/run/lock.h"
#include "core/run/node_log.h"
#include "core/run/requests.h"
#include "core/store/notes.h"
#include "core/store/results.h"
#include "core/store/run_record.h"

namespace dlperf::app {
namespace {

struct StatusOptions {
    std::string workspace;
    std::string run;
    bool json = false;
    bool watch = false;
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

// With what the user excluded.
run::WorkspaceStatus withNotes(const store::Workspace& workspace, run::WorkspaceStatus status) {
    const store::StoredNotes notes = store::readNotes(workspace);
    for (run::Campaign& campaign : status.campaigns) {
        for (run::RunState& run : campaign.runs) {
            store::applyNote(workspace, notes, run);
        }
    }
    status.problems.insert(status.problems.end(), notes.problems.begin(), notes.problems.end());
    return status;
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
    json["excluded"] = run.excluded ? Json(run.exclusionReason) : Json();
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
        Json json{{"id", campaign.id},
                  {"plan", campaign.plan},
                  {"started", campaign.started ? Json(toIso8601(*campaign.started)) : Json()},
                  {"runner_alive", campaign.runnerAlive},
                  {"runner_host", campaign.runnerHost.empty() ? Json() : Json(campaign.runnerHost)},
                  {"paused", campaign.paused},
                  {"finished", campaign.finished()},
                  {"runs", std::move(runs)}};
        if (campaign.search) {
            json["searches"] = searchesJson(campaign);
        }
        if (campaign.until) {
            json["repeated"] = repeatedJson(campaign);
        }
        list.push_back(std::move(json));
    }
    std::cout << printedJson(Json{{"campaigns", list}}) << '\n';
}

// Where nobody works on it.
std::string stateWithoutRunner(const store::Workspace& workspace, const run::Campaign& campaign) {
    if (campaign.lostJournal) {
        return printable(
            fmt::format("interrupted, and `dlperf resume` refuses it: {}", describe(*campaign.lostJournal)));
    }
    const std::filesystem::path journal = run::journalFile(workspace, campaign.id);
    std::error_code missing;
    const bool isEmpty =
        !std::filesystem::exists(journal, missing) || std::filesystem::is_empty(journal, missing);
    return isEmpty ? "not begun, `dlperf resume` begins it" : "interrupted, `dlperf resume` goes on";
}

std::string comma() {
    return terminalTranslation().joint(", ");
}

// In the terminal's language.
std::string stateOf(const store::Workspace& workspace, const run::Campaign& campaign) {
    if (campaign.finished()) {
        // Who cancels a campaign cancels what stands at its end.
        const bool isCancelled = !campaign.runs.empty() && campaign.runs.back().outcome == Outcome::Cancelled;
        std::string text = told(isCancelled ? "cancelled" : "finished");
        for (const auto& [outcome, count] : campaign.outcomes()) {
            text += fmt::format("{}{} {}", comma(), count, told(toString(outcome)));
        }
        return text;
    }
    if (!campaign.runnerAlive) {
        return told(stateWithoutRunner(workspace, campaign));
    }
    if (campaign.runnerHost.empty()) {
        return told(campaign.paused ? "paused" : "running");
    }
    return told(campaign.paused ? fmt::format("paused on {}, not checked", campaign.runnerHost)
                                : fmt::format("running on {}, not checked", campaign.runnerHost));
}

// In the terminal's language.
TerminalRow rowOf(const run::RunState& run, const std::string& progress = {}) {
    const bool finished = run.phase == run::RunPhase::Finished;
    TerminalRow row{.names = {"  " + run.id, shortName(run.benchmarkCase) + " " +
                                                 told(fmt::format("repetition {}", run.repetition))},
                    .news = "  " + told(finished      ? toString(run.outcome)
                                        : run.skipped ? "skipped"
                                                      : run::toString(run.phase))};
    if (run.throughput) {
        row.news += told(fmt::format("  {:.2f} {}", *run.throughput, run.unit));
    }
    row.news += progress;
    if (run.excluded) {
        row.details += "  " + told(run.exclusionReason.empty()
                                       ? "excluded from the medians"
                                       : fmt::format("excluded from the medians: {}", run.exclusionReason));
    }
    const std::string& why = run.phase == run::RunPhase::InQueue ? run.message : run.reason;
    row.details += why.empty() ? std::string() : "  " + told(why);
    return row;
}

// What wants a look stands out; what is well is no news.
std::string inItsColour(const run::RunState& run, const std::string& line) {
    if (run.phase != run::RunPhase::Finished || run.outcome == Outcome::Ok) {
        return line;
    }
    return coloured(run.outcome == Outcome::Cancelled ? Colour::Warning : Colour::Bad, line);
}

void printText(const store::Workspace& workspace, const std::vector<run::Campaign>& campaigns,
               const diagnosis::Rules& rules) {
    for (const run::Campaign& campaign : campaigns) {
        std::cout << fmt::format("{}  {}: {}\n", campaign.id, printable(campaign.plan),
                                 stateOf(workspace, campaign));
        for (const run::RunState& run : campaign.runs) {
            const std::string line = wholeText(rowOf(run));
            std::cout << (campaign.isAnswer(run)
                              ? line
                              : inItsColour(run, line) + hintLines(hintsOf(run, rules), "    "))
                      << '\n';
        }
        printTrials(std::cout, campaign);
    }
}

// How far the run is whose trainer works now.
class Progress {
public:
    std::string of(const run::RunState& run) {
        if (run.phase != run::RunPhase::Running || run.path.empty()) {
            return {};
        }
        if (!logs_ || id_ != run.id) {
            id_ = run.id;
            logs_.emplace(run, nullptr, [](std::size_t, const analysis::Iteration&) {});
        }
        while (logs_->read({}) && std::ranges::find(logs_->more(), true) != logs_->more().end()) {
        }
        std::string text = logs_->countsLines()
                               ? fmt::format("counted line {} of {}", logs_->iteration(), run.range.train)
                               : fmt::format("iteration {} of {}", logs_->iteration(), run.range.train);
        if (const auto left = logs_->secondsLeft()) {
            const auto seconds = static_cast<std::int64_t>(*left);
            text += fmt::format(", {}:{:02} left", seconds / 60, seconds % 60);
        }
        return "  " + told(text);
    }

private:
    std::string id_;
    std::optional<run::RunLogs> logs_;
};

// What ended last, what runs, and what comes next.
std::vector<TerminalRow> rowsNow(const store::Workspace& workspace, const run::Campaign& campaign,
                                 Progress& progress) {
    constexpr std::ptrdiff_t around = 5;
    const auto isOver = [](const run::RunState& run) { return run.phase == run::RunPhase::Finished; };
    const auto total = std::ssize(campaign.runs);
    const auto over = std::ranges::count_if(campaign.runs, isOver);
    const auto current = std::ranges::find_if_not(campaign.runs, isOver) - campaign.runs.begin();
    std::vector<TerminalRow> rows{{{campaign.id, printable(campaign.plan)},
                                   ": " + stateOf(workspace, campaign) + comma() +
                                       told(fmt::format("{} of {} runs ended", over, total))}};
    for (auto i = std::max<std::ptrdiff_t>(0, current - around); i < std::min(total, current + around); ++i) {
        const run::RunState& run = campaign.runs[static_cast<std::size_t>(i)];
        rows.push_back(rowOf(run, progress.of(run)));
    }
    return rows;
}

// A terminal is redrawn; elsewhere what changed is printed.
void printChanged(const std::vector<TerminalRow>& rows, std::vector<std::string>& shown) {
    const std::vector<std::string> lines = mapped(rows, wholeText);
    if (lines == shown) {
        return;
    }
    const bool terminal = ::isatty(STDOUT_FILENO) == 1;
    if (terminal && !shown.empty()) {
        std::cout << fmt::format("\033[{}A\033[J", shown.size());
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (terminal) {
            std::cout << inOneRow(inColumns(rows[i], columnsOf(STDOUT_FILENO))) << '\n';
        } else if (std::ranges::find(shown, lines[i]) == shown.end()) {
            std::cout << lines[i] << '\n';
        }
    }
    std::cout << std::flush;
    shown = lines;
}

// What cannot be read takes nothing from the rest, but is no success.
int complainOfAll(const std::string& command, const std::vector<Error>& problems) {
    for (const Error& problem : problems) {
        (void)complain(command, problem);
    }
    return problems.empty() ? 0 : 1;
}

// The newest campaign until it has ended or has nobody who works on it. 0 when every run of it is ok.
int watchStatus(const store::Workspace& workspace) {
    StopOnSignal signals;
    run::StatusReader reader(workspace);
    Progress progress;
    std::vector<std::string> shown;
    for (;;) {
        const auto [campaigns, problems] = withNotes(workspace, reader.read());
        const auto ids = run::campaignIds(workspace);
        const bool isRead = !campaigns.empty() && campaigns.back().id == ids.back();
        if (!problems.empty() && !isRead) {  // an older one would be told of in its place
            return complainOfAll("status", problems);
        }
        if (campaigns.empty()) {
            return complain("status",
                            Error{"nothing has run here", workspace.root().string(), {}, ErrorKind::Work});
        }
        const run::Campaign& campaign = campaigns.back();
        printChanged(rowsNow(workspace, campaign, progress), shown);
        if (campaign.finished() || !campaign.runnerAlive) {
            return campaign.endedWell() ? 0 : 1;
        }
        if (const auto flushed = flushFollowed(); !flushed) {
            return complain("status", flushed.error());
        }
        if (!dlperf::pause(std::chrono::seconds(1), signals.token())) {
            return 1;
        }
    }
}

std::string countsOf(int logs, int figures) {
    if (logs == 1) {
        return figures == 1 ? "import: 1 log, with a figure" : "import: 1 log, without a figure";
    }
    return fmt::format("import: {} logs, {} of them with a figure", logs, figures);
}

// "theirs  import: 3 logs, 2 of them with a figure", a line for each; nothing has run them here.
void printImports(const std::vector<RunResult>& results) {
    std::map<std::string, std::pair<int, int>> counts;  // of logs, and of those with a figure
    for (const RunResult& run : results) {
        if (run.origin == Origin::Imported) {
            auto& [logs, figures] = counts[run.campaign];
            ++logs;
            figures += run.throughput ? 1 : 0;
        }
    }
    for (const auto& [name, count] : counts) {
        std::cout << printable(name) << "  " << told(countsOf(count.first, count.second)) << '\n';
    }
}

// Of runs whose facts cannot be read now, though the journal says how they ended. Without an index nothing is
// lost.
void addUnreadableRuns(run::WorkspaceStatus& status, const store::StoredResults& stored) {
    for (const Error& problem : stored.problems) {
        const bool isKnown =
            std::ranges::find(status.problems, problem.where, &Error::where) != status.problems.end();
        if (problem.kind != ErrorKind::Transient && !isKnown) {
            status.problems.push_back(problem);
        }
    }
}

int showStatus(const store::Workspace& workspace, const StatusOptions& options) {
    if (options.watch) {
        return watchStatus(workspace);
    }
    run::WorkspaceStatus status = withNotes(workspace, run::readStatus(workspace));
    const auto stored = resultsIn(workspace);
    if (!stored) {
        return complain("status", stored.error());
    }
    addUnreadableRuns(status, *stored);
    const auto rules = diagnosis::readRules().value_or(nullptr);  // without them only less is explained
    if (options.json) {
        printJson(status.campaigns, rules);
        return complainOfAll("status", status.problems);
    }
    printText(workspace, status.campaigns, rules);
    if (status.campaigns.empty() && status.problems.empty()) {
        std::cout << told("nothing has run here") << '\n';
    }
    printImports(stored->results);
    return complainOfAll("status", status.problems);
}

// The id of the run that is meant: one that may still end otherwise before one that has ended. Empty: none
// is.
std::string idOfRun(const std::vector<run::Campaign>& campaigns, const std::string& name) {
    std::vector<run::Campaign> open = campaigns;
    std::erase_if(open, [](const run::Campaign& campaign) { return campaign.finished(); });
    const run::RunState* run = run::runCalled(open, name);
    run = run != nullptr ? run : run::runCalled(campaigns, name);
    return run == nullptr ? std::string() : run->id;
}

int noSuchRun(const StatusOptions& options) {
    return complain("cancel", Error{"there is no such run", options.run, "`dlperf status` lists them."});
}

run::Request requestOf(const StatusOptions& options) {
    return options.run.empty() ? run::Request::Cancel : run::Request::CancelRun;
}

// Without a living runner this process does what the runner would: stops what still runs and closes the
// campaign.
int cancelWithoutRunner(const store::Workspace& workspace, const StatusOptions& options,
                        const run::WorkspaceStatus& status) {
    const bool unfinished = std::any_of(status.campaigns.begin(), status.campaigns.end(),
                                        [](const run::Campaign& campaign) { return !campaign.finished(); });
    if (!unfinished) {
        std::cerr << told("nothing runs in this workspace") << '\n';
        return complainOfAll("cancel", status.problems);
    }
    if (auto asked = run::writeRequest(workspace, requestOf(options), options.run); !asked) {
        return complain("cancel", asked.error());
    }
    if (!options.run.empty()) {
        std::cerr << told(fmt::format("run {} will be skipped when `dlperf resume` goes on", options.run))
                  << '\n';
        return 0;
    }
    const auto code =
        resumeCampaigns(workspace, {.printsTable = false, .onlyCloses = true});  // tells of the problems too
    return code ? (status.problems.empty() ? 0 : 1) : complain("cancel", code.error());
}

int cancel(const store::Workspace& workspace, const StatusOptions& wanted) {
    const auto owner = run::readLock(workspace);
    const run::WorkspaceStatus status = run::readStatus(workspace);
    StatusOptions options = wanted;
    if (!wanted.run.empty()) {
        options.run = idOfRun(status.campaigns, wanted.run);
        if (options.run.empty()) {  // unless it is of a campaign that cannot be read
            return status.problems.empty() ? noSuchRun(wanted) : complainOfAll("cancel", status.problems);
        }
    }
    if (!owner || !run::isHeld(*owner)) {
        return cancelWithoutRunner(workspace, options, status);
    }
    const auto asked = run::askRunner(workspace, *owner, requestOf(options), options.run);
    if (!asked) {
        return complain("cancel", asked.error());
    }
    std::cerr << told(options.run.empty() ? std::string("the runner was asked to stop")
                                          : fmt::format("the runner was asked to cancel run {}", options.run))
              << '\n';
    return 0;
}

int pause(const store::Workspace& workspace, const StatusOptions&) {
    const auto owner = run::holderOf(workspace);
    if (!owner) {
        std::cerr << told("no runner works in this workspace: there is nothing to pause") << '\n';
        return 0;
    }
    if (const auto asked = run::askRunner(workspace, *owner, run::Request::Pause); !asked) {
        return complain("pause", asked.error());
    }
    std::cerr << told("the runner was asked to start no further run; `dlperf resume` goes on") << '\n';
    return 0;
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
    auto* command =
        addCommand(app, exitCode, "status", "Say what runs and how the runs ended", options, showStatus);
    auto* json = command->add_flag("--json", options->json, "Write JSON");
    command
        ->add_flag("--watch", options->watch,
                   "Follow the newest campaign until it ends, with iterations and the time left")
        ->excludes(json);
}

void addCancelCommand(CLI::App& app, int& exitCode) {
    const auto options = std::make_shared<StatusOptions>();
    addCommand(app, exitCode, "cancel", "Ask the runner to stop", options, cancel)
        ->add_option("--run", options->run,
                     "Cancel this run only, by its id or the number behind the slash; the others go on");
}

void addPauseCommand(CLI::App& app, int& exitCode) {
    addCommand(app, exitCode, "pause", "Start no further run until `dlperf resume`",
               std::make_shared<StatusOptions>(), pause);
}

}  // namespace dlperf::app
