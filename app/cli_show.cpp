// SPDX-License-Identifier: Apache-2.0
// `dlperf show` and `dlperf logs`: one run, and what its nodes printed.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>

#include "app/commands.h"
#include "app/hint_lines.h"
#include "app/imported_run.h"
#include "app/shown_run.h"
#include "app/status_line.h"
#include "app/stop_on_signal.h"
#include "core/base/file.h"
#include "core/base/pause.h"
#include "core/base/printed_json.h"
#include "core/base/regular_file.h"
#include "core/base/text.h"
#include "core/run/status.h"
#include "core/store/notes.h"
#include "core/store/run_record.h"

namespace dlperf::app {
namespace {

using namespace std::chrono_literals;

constexpr auto lookEvery = 250ms;

struct ShowOptions {
    std::string workspace;
    std::string run;
    std::string node = "0";  // its name, or its rank
    bool follow = false;
    bool json = false;
    const char* command = "";  // that asks
};

const run::RunState* lastBegun(const std::vector<run::Campaign>& campaigns) {
    const run::RunState* last = nullptr;
    for (const run::Campaign& campaign : campaigns) {
        for (const run::RunState& run : campaign.runs) {
            last = run.path.empty() ? last : &run;
        }
    }
    return last;
}

struct FoundRun {
    run::RunState run;
    bool runnerAlive = false;
    std::optional<Error> lostJournal{};  // of its campaign
};

FoundRun foundRun(const std::vector<run::Campaign>& campaigns, const run::RunState& run) {
    const auto own = std::ranges::find(campaigns, run.campaign, &run::Campaign::id);
    return own == campaigns.end() ? FoundRun{run} : FoundRun{run, own->runnerAlive, own->lostJournal};
}

// Why no run of one's own is meant; an imported one may be nearly called so.
Failure noRun(const store::Workspace& workspace, const std::string& name, std::vector<std::string> ids) {
    const char* const whatIsThere =
        ids.empty() ? "`dlperf run` runs a plan; `dlperf compare` shows what was imported."
                    : "`dlperf status` lists them.";
    if (name.empty()) {
        return fail(ids.empty() ? "nothing has run here" : "no run has begun here", {}, whatIsThere);
    }
    if (const auto stored = resultsIn(workspace)) {
        for (const RunResult& result : stored->results) {
            ids.insert(ids.end(), result.origin == Origin::Imported ? 1 : 0, result.id);
        }
    }
    const std::string meant = nearestOf(name, ids);
    return fail(fmt::format("there is no run {}", refusedName(name)), {},
                meant.empty() ? whatIsThere : "Did you mean " + meant + "?");
}

// As run::runCalled() has it; without a name the run that began last. A campaign that cannot be read may be
// the one that is meant.
Result<FoundRun> findRun(const store::Workspace& workspace, run::StatusReader& reader,
                         const std::string& name, const char* command) {
    const auto [campaigns, problems] = reader.read();
    std::vector<std::string> ids;
    for (const run::Campaign& campaign : campaigns) {
        std::ranges::transform(campaign.runs, std::back_inserter(ids), &run::RunState::id);
    }
    const run::RunState* found = name.empty() ? lastBegun(campaigns) : run::runCalled(campaigns, name);
    if (found == nullptr && !problems.empty()) {
        Error unreadable = problems.front();
        unreadable.kind = ErrorKind::Work;
        return Failure(std::move(unreadable));
    }
    if (name.empty() && !problems.empty()) {
        (void)complain(command, problems.front());
    }
    if (found == nullptr) {
        return noRun(workspace, name, std::move(ids));
    }
    return foundRun(campaigns, *found);
}

// Nothing of a run that has not begun, or not ended yet.
std::optional<store::RunRecord> recordOf(const run::RunState& run) {
    if (run.path.empty()) {
        return std::nullopt;
    }
    auto record = store::readRunRecord(run.path);
    return record ? std::optional(*std::move(record)) : std::nullopt;
}

Result<int> show(const ShowOptions& options) {
    const auto workspace = TRY(store::Workspace::openExisting(expandHome(options.workspace)));
    if (const auto imported = importedRun(workspace, options.run)) {
        TRY(showImported(workspace, *imported, options.json));
        return 0;
    }
    run::StatusReader reader(workspace);
    auto [run, runnerAlive, lostJournal] = TRY(findRun(workspace, reader, options.run, options.command));
    store::applyNote(workspace, store::readNotes(workspace), run);
    const auto record = recordOf(run);
    if (options.json) {
        const auto shown = record ? *record : store::RunRecord{run.result(), run.recipeTitle, {}, {}};
        std::cout << printedJson(shownJson(shown, run, run::toString(run.phase), run.path, run.nodes))
                  << '\n';
        TRY(flushOutput());
        return 0;
    }
    const auto when = [](const std::optional<TimePoint>& time) {
        return time ? toIso8601(*time) : std::string();
    };
    const bool finished = run.phase == run::RunPhase::Finished;
    const std::string because =
        finished      ? run.reason
        : lostJournal ? fmt::format("`dlperf resume` refuses its campaign: {}", describe(*lostJournal))
                      : run.message;
    printHead(run, finished ? toString(run.outcome) : run::toString(run.phase), because);
    printRow("started", when(run.started));
    printRow("ended", when(run.ended));
    printRow("nodes", join(run.nodes, ", "));
    printRow("Slurm job", run.slurm ? run.slurm->job : "");
    printRow("folder", run.path.string());
    for (const auto& [name, version] : record ? record->result.versions : run.versions) {
        printRow(name.c_str(), version);
    }
    if (record) {
        for (const RunFinding& finding : record->result.findings) {
            printRow("finding", finding.where.empty() ? finding.what : finding.what + ", " + finding.where);
        }
        for (const Json& warning : record->facts.value("check_warnings", Json::array())) {
            printRow("warned", textOf(warning, "what") + ", " + textOf(warning, "where"));
        }
        const auto hints = diagnosis::hintsFromJson(record->facts.value("diagnosis", Json()));
        std::cout << (hints.empty() ? "" : hintLines(hints, "") + "\n");
    }
    TRY(flushOutput());
    return 0;
}

// A terminal gets no control characters; a file or another program gets the log as it is.
void print(const std::string& bytes, bool terminal) {
    if (!terminal) {
        std::cout << bytes;
        return;
    }
    for (std::size_t begin = 0; begin < bytes.size();) {
        const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
        std::cout << printable(bytes.substr(begin, end - begin)) << (end < bytes.size() ? "\n" : "");
        begin = end + 1;
    }
}

// All that the file has behind what was printed.
void printRest(const Descriptor& log, bool terminal) {
    std::array<char, 1 << 16> block{};
    ::ssize_t count = 0;
    while ((count = ::read(log.get(), block.data(), block.size())) > 0) {
        print({block.data(), static_cast<std::size_t>(count)}, terminal);
    }
    std::cout.flush();
}

// The log of one attempt of a run.
struct OpenLog {
    Descriptor file{};
    std::string run{};  // its id
};

// What is new in the log, and in that of the next attempt once it is there. The folder of an attempt moves
// when it ends, so its id says which one is open.
Result<void> printNew(OpenLog& log, const run::RunState& run, const std::filesystem::path& file,
                      bool terminal) {
    if (log.file.open()) {
        printRest(log.file, terminal);
    }
    std::error_code error;
    if (run.path.empty() || log.run == run.id ||
        !std::filesystem::exists(std::filesystem::symlink_status(file, error))) {
        return {};
    }
    log = {TRY(openRegularFile(file, Links::Refuse)), run.id};
    printRest(log.file, terminal);
    return {};
}

// The node's rank; an error names those that there are.
Result<int> rankOf(const std::vector<std::string>& nodes, const std::string& run, const std::string& node) {
    constexpr int mostRank = 4095;
    const auto named = std::ranges::find(nodes, node);
    const auto rank = toInt(node);
    if (named != nodes.end()) {
        return static_cast<int>(named - nodes.begin());
    }
    if (rank && *rank >= 0 && *rank <= mostRank) {
        return *rank;
    }
    return fail(fmt::format("the run has no node {}", refusedName(node)), run,
                nodes.empty() ? std::string("Name a node, or its rank, from 0.")
                              : fmt::format("Its nodes are {}.", joinSome(nodes, 10)));
}

Result<int> logs(const ShowOptions& options) {
    const auto workspace = TRY(store::Workspace::openExisting(expandHome(options.workspace)));
    if (const auto imported = importedRun(workspace, options.run)) {
        const int rank = TRY(rankOf({}, imported->id, options.node));
        const auto log = TRY(openRegularFile(importedLog(workspace, *imported, rank), Links::Refuse));
        printRest(log, ::isatty(STDOUT_FILENO) == 1);
        TRY(flushOutput());
        return 0;
    }
    StopOnSignal signals;
    run::StatusReader reader(workspace);
    FoundRun found = TRY(findRun(workspace, reader, options.run, options.command));
    const run::RunState& run = found.run;
    const bool terminal = ::isatty(STDOUT_FILENO) == 1;
    const int rank = TRY(rankOf(run.nodes, run.id, options.node));
    const auto fileOf = [&] { return run.path / fmt::format("node{}.log", rank); };
    OpenLog log;
    bool isLeft = false;
    for (bool wasOver = false;;) {
        const bool finished = run.phase == run::RunPhase::Finished;
        isLeft = options.follow && !finished && !found.runnerAlive;
        TRY(printNew(log, run, fileOf(), terminal));
        // Once is not enough: a run whose port was taken has its next attempt a moment later, and a runner
        // takes a campaign a moment after it is there.
        if (!options.follow || ((finished || isLeft) && wasOver) || signals.token().stop_requested()) {
            break;
        }
        TRY(flushFollowed());
        wasOver = finished || isLeft;
        (void)dlperf::pause(lookEvery, signals.token());
        found = TRY(findRun(workspace, reader, parseRunId(run.id).run, options.command));
    }
    if (!log.file.open()) {
        return fail(fmt::format("node {} has printed nothing that is here", options.node), fileOf().string(),
                    run.path.empty() ? "The run has not begun."
                                     : fmt::format("--node: 0 to {}.", run.nodes.size() - 1));
    }
    TRY(flushOutput());
    if (isLeft && !signals.token().stop_requested()) {
        return fail("its runner is gone", run.id,
                    found.lostJournal ? describe(*found.lostJournal) : "`dlperf resume` goes on.",
                    ErrorKind::Work);
    }
    return 0;
}

CLI::App* addCommand(CLI::App& app, int& exitCode, const char* name, const char* help,
                     const std::shared_ptr<ShowOptions>& options, Result<int> (*work)(const ShowOptions&)) {
    options->command = name;
    auto* command = app.add_subcommand(name, help);
    command->add_option("RUN", options->run,
                        "Its id, or the number behind the slash; else the run that began last");
    command->add_option("--workspace", options->workspace, "The folder that keeps runs and logs")
        ->type_name("FOLDER")
        ->required();
    command->callback([=, &exitCode] { exitCode = exitCodeOf(name, work(*options)); });
    return command;
}

}  // namespace

void addShowCommand(CLI::App& app, int& exitCode) {
    const auto options = std::make_shared<ShowOptions>();
    addCommand(app, exitCode, "show", "Say all that is known of one run", options, show)
        ->add_flag("--json", options->json, "Write JSON");
}

void addLogsCommand(CLI::App& app, int& exitCode) {
    const auto options = std::make_shared<ShowOptions>();
    auto* command =
        addCommand(app, exitCode, "logs", "Print what a run's trainer has printed", options, logs);
    command->add_option("--node", options->node, "The node, by its name or its rank, from 0")
        ->capture_default_str();
    command->add_flag("-f,--follow", options->follow, "Go on until the run has ended");
}

}  // namespace dlperf::app
