// SPDX-License-Identifier: Apache-2.0
#include "app/run_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <iterator>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/hint_lines.h"
#include "app/status_line.h"
#include "app/terminal_row.h"
#include "app/throughput_table.h"
#include "app/trials_table.h"
#include "core/base/text.h"
#include "core/measure/own_formats.h"
#include "core/model/case.h"
#include "core/model/vocabulary.h"
#include "core/report/strong_scaling.h"
#include "core/run/completed_campaign.h"
#include "core/run/requests.h"
#include "core/run/retry.h"
#include "core/run/run_state.h"
#include "core/run/runner.h"
#include "core/run/status.h"

namespace dlperf::app {
namespace {

// The runner's progress on standard error: one line that is redrawn on a terminal, plain lines elsewhere.
class RunProgressPrinter {
public:
    // The rules have the words for a log that stands still. `name`: of the one run; else of each its case.
    RunProgressPrinter(diagnosis::Rules rules, std::string name)
        : rules_(std::move(rules)), name_(std::move(name)) {}
    void operator()(const run::Campaign& campaign, std::size_t run);
    void warnOnce(const std::optional<Error>& error);

private:
    using Clock = std::chrono::steady_clock;

    void printLine(const std::string& line);
    void printAlerts(const run::RunState& run);
    void redraw(const run::Campaign& campaign, std::size_t number);
    [[nodiscard]] std::string timeLeft(const run::RunState& run, std::size_t waiting) const;
    [[nodiscard]] std::string title(const run::Campaign& campaign, std::size_t number) const;

    StatusLine line_;
    diagnosis::Rules rules_;
    std::string name_;
    std::string runId_;  // of the run announced last
    std::string message_;
    std::vector<run::NodeAlert> alerts_;  // told last
    bool warned_ = false;
    Clock::time_point began_ = Clock::now();
    Clock::duration finishedTime_{};
    std::size_t finishedRuns_ = 0;
};

std::string RunProgressPrinter::title(const run::Campaign& campaign, std::size_t number) const {
    if (!name_.empty()) {
        return name_;
    }
    const run::RunState& run = campaign.runs[number];
    const std::string total =  // nobody knows how many will be added
        campaign.search || campaign.until ? "" : fmt::format("/{}", campaign.runs.size());
    return fmt::format("[{}{}] {} repetition {}", number + 1, total, shortName(run.benchmarkCase),
                       run.repetition);
}

std::string figure(const std::optional<double>& throughput, const std::string& unit) {
    return throughput ? fmt::format("{:.2f} {}", *throughput, printable(unit)) : std::string();
}

double fractionOf(const run::RunState& run) {
    return run.range.train > 0 ? std::min(1.0, static_cast<double>(run.iteration) / run.range.train) : 0.0;
}

std::string ending(const run::RunState& run) {
    const std::string outcome = toString(run.outcome);
    if (run.outcome == Outcome::Ok) {
        return outcome + ", " + figure(run.throughput, run.unit);
    }
    return run.reason.empty() ? outcome : outcome + ", " + told(run.reason);
}

void RunProgressPrinter::operator()(const run::Campaign& campaign, std::size_t number) {
    const run::RunState& run = campaign.runs[number];
    if (run.id != runId_) {
        runId_ = run.id;
        began_ = Clock::now();
        if (!line_.isOnTerminal()) {
            printLine(title(campaign, number));
        }
    }
    if (run.phase == run::RunPhase::Finished) {
        finishedTime_ += Clock::now() - began_;
        ++finishedRuns_;
        printLine(title(campaign, number) + ": " + ending(run) +
                  (campaign.isAnswer(run) ? "" : hintLines(run.hints, "  ")));
        return;
    }
    if (run.message != message_) {
        message_ = run.message;
        if (!message_.empty()) {
            printLine(told(message_));
        }
    }
    printAlerts(run);
    if (line_.isOnTerminal()) {
        redraw(campaign, number);
    }
}

// Each once, when it begins, and that it is over.
void RunProgressPrinter::printAlerts(const run::RunState& run) {
    const auto holds = [](const std::vector<run::NodeAlert>& list, const run::NodeAlert& alert) {
        return std::any_of(list.begin(), list.end(), [&](const auto& one) { return one.isSameAs(alert); });
    };
    for (const run::NodeAlert& alert : run.alerts) {
        if (!holds(alerts_, alert)) {
            for (const diagnosis::Hint& hint : run::hintsOf(rules_, {alert}, now())) {
                printLine("trouble with node " + printable(alert.node) + hintLines({hint}, "  "));
            }
        }
    }
    for (const run::NodeAlert& alert : alerts_) {
        if (run.phase == run::RunPhase::Running && !holds(run.alerts, alert)) {
            const bool silent = alert.kind == run::NodeAlert::Kind::Silent;
            printLine(told(
                fmt::format("node {} {}", alert.node, silent ? "is heard of again" : "is reached again")));
        }
    }
    alerts_ = run.alerts;
}

void RunProgressPrinter::warnOnce(const std::optional<Error>& error) {
    if (error && !std::exchange(warned_, true)) {
        line_.clear();
        (void)complain("run", *error);
    }
}

void RunProgressPrinter::printLine(const std::string& line) {
    line_.clear();
    std::cerr << line << std::endl;
}

void RunProgressPrinter::redraw(const run::Campaign& campaign, std::size_t number) {
    const run::RunState& run = campaign.runs[number];
    const std::string news =
        fmt::format("{} {}/{} {} {}", told(run::toString(run.phase)), run.iteration, run.range.train,
                    figure(run.speed, run.unit), told(timeLeft(run, campaign.runs.size() - number - 1)));
    line_.show(progressRow(title(campaign, number), fractionOf(run), news, columnsOf(STDERR_FILENO)));
}

// From the mean of the runs so far and from how far this one is.
std::string RunProgressPrinter::timeLeft(const run::RunState& run, std::size_t waiting) const {
    const double fraction = fractionOf(run);
    const double elapsed = std::chrono::duration<double>(Clock::now() - began_).count();
    double thisRun = fraction > 0 ? elapsed / fraction : 0;
    double perRun = thisRun;
    if (finishedRuns_ > 0) {
        perRun = std::chrono::duration<double>(finishedTime_).count() / static_cast<double>(finishedRuns_);
        thisRun = std::max(thisRun, perRun);
    }
    if (perRun <= 0) {
        return {};
    }
    const auto left =
        static_cast<long>(std::max(0.0, thisRun - elapsed) + static_cast<double>(waiting) * perRun);
    return fmt::format("{}:{:02}:{:02} left", left / 3600, left / 60 % 60, left % 60);
}

run::Settings settingsOf(const RunnerOptions& options) {
    run::Settings settings = options.settings;
    if (auto rules = diagnosis::readRules()) {
        settings.rules = std::move(*rules);
    } else {  // a rule that somebody wrote wrong keeps nobody from measuring
        (void)complain("run", rules.error());
    }
    return settings;
}

// Runs one campaign to its end and prints its table.
Result<int> work(const store::Workspace& workspace, const run::Campaign& campaign, const Inputs& inputs,
                 run::Control& control, run::WorkspaceLock& lock, const RunnerOptions& options) {
    const run::Settings settings = settingsOf(options);
    RunProgressPrinter printer(settings.rules, options.title);
    const auto observe = [&](const run::Campaign& now, std::size_t number) {
        printer.warnOnce(control.stuckRequest());
        printer(now, number);
    };
    run::Runner runner(workspace, options.transports, control, settings, observe);
    const auto formats = TRY(measure::readFormats(workspace));
    const auto end =
        TRY(runner.run(campaign, {inputs.campaign, inputs.prepared, inputs.vocabulary, formats}, lock));
    printTrials(std::cout, end.campaign);
    if (options.printsTable && !end.campaign.search) {
        const bool isStrong = !inputs.campaign.plan.globalBatchSizes.empty();
        printThroughputTable(std::cout, isStrong ? report::byGlobalBatchSize(end.results) : end.results,
                             inputs.vocabulary, formats);
        std::cout.flush();
    }
    if (!end.cancelledBy.empty()) {
        std::cerr << told("cancelled by " + end.cancelledBy) << '\n';
    }
    return end.allOk() ? 0 : 1;
}

Result<Inputs> inputsOf(const store::Workspace& workspace, const run::Campaign& campaign) {
    auto vocabulary = readVocabulary();
    auto inputs = run::readInputs(workspace, campaign.id);
    if (!vocabulary || !inputs) {
        return Failure(vocabulary ? inputs.error() : vocabulary.error());
    }
    const auto formats = TRY(measure::readFormats(workspace));
    auto prepared = TRY(run::prepareAgain(campaign, *inputs, *vocabulary, formats));
    return Inputs{std::move(*inputs), std::move(*vocabulary), std::move(prepared)};
}

// Goes on with one campaign if it is not finished.
Result<int> resumeCampaign(const store::Workspace& workspace, const std::string& id, run::Control& control,
                           run::WorkspaceLock& lock, const RunnerOptions& options) {
    const auto campaign = TRY(run::readCampaign(workspace, id));
    run::Campaign now = campaign;
    TRY(run::replaySoundJournal(workspace, now));
    if (now.finished()) {
        return 0;
    }
    const auto inputs = TRY(inputsOf(workspace, campaign));
    if (options.begun) {
        options.begun(id);
    }
    std::cerr << told(options.onlyCloses
                          ? fmt::format("closing campaign {}, {}: its runner is gone", id, campaign.plan)
                          : fmt::format("going on with campaign {}, {}", id, campaign.plan))
              << '\n';
    return work(workspace, campaign, inputs, control, lock, options);
}

}  // namespace

namespace {

// Logs may be measured again when the recipe that their format came with is long gone.
Result<void> keepRecipeFormats(const store::Workspace& workspace, const run::CampaignInputs& inputs) {
    for (const std::string& name : inputs.plan.recipes) {
        const launch::Recipe* recipe = inputs.recipes.find(name);
        if (recipe != nullptr) {
            TRY(measure::keepFormats(workspace, recipe->formats.own(),
                                     (recipe->folder / "format.json").string()));
        }
    }
    return {};
}

// These were meant for an earlier runner; the others stay.
Result<void> dropRequests(const store::Workspace& workspace, const std::set<run::Request>& dropped) {
    const auto [requests, stuck] = run::takeRequests(workspace);
    for (auto asked = requests.begin(); asked != requests.end();) {  // what was asked at once stays so
        const auto isOther = [&](const run::TakenRequest& other) { return other.request != asked->request; };
        const auto end = std::find_if(asked, requests.end(), isOther);
        std::vector<std::string> others;
        std::transform(asked + 1, end, std::back_inserter(others), std::mem_fn(&run::TakenRequest::runId));
        if (!dropped.contains(asked->request)) {
            (void)run::writeRequest(workspace, asked->request, asked->runId, others);
        }
        asked = end;
    }
    return stuck ? Failure(*stuck) : Result<void>();
}

// Runs stay skipped.
Result<void> dropRequestsToRunners(const store::Workspace& workspace) {
    return dropRequests(workspace, {run::Request::Cancel, run::Request::Pause, run::Request::Continue});
}

// What was asked of runs of other campaigns waits until these are resumed.
void putBackOthers(const store::Workspace& workspace, const run::Control& control,
                   const std::string& campaign) {
    for (const auto& [request, runs] : {std::pair(run::Request::CancelRun, control.cancelledRuns()),
                                        std::pair(run::Request::KeepRun, control.keptRuns())}) {
        std::vector<std::string> others;
        std::ranges::copy_if(runs, std::back_inserter(others),
                             [&](const std::string& run) { return !run.starts_with(campaign + "/"); });
        if (!others.empty()) {
            (void)run::writeRequest(workspace, request, others.front(), {others.begin() + 1, others.end()});
        }
    }
}

// Tells of what stays apart: its figures are on no common curve. Those of own runs count as there all the
// same.
Result<std::string> completedCampaign(const store::Workspace& workspace, const Inputs& inputs) {
    constexpr std::size_t mostListed = 5;
    const auto formats = TRY(measure::readFormats(workspace));
    auto completion = TRY(run::completionOf(workspace, inputs.campaign, inputs.vocabulary, formats));
    if (!completion.campaign.empty()) {
        std::cerr << told(fmt::format("completes campaign {}: the figures of both are one series",
                                      completion.campaign))
                  << '\n';
    }
    if (!completion.apart.empty()) {
        std::cerr << told("series of their own stay the figures of " + joinSome(completion.apart, mostListed))
                  << '\n';
    }
    return std::move(completion.campaign);
}

}  // namespace

Result<int> startCampaign(const store::Workspace& workspace, const Inputs& inputs,
                          const RunnerOptions& options) {
    const run::HeldSignals signals(options.detached);
    auto lock = TRY(run::WorkspaceLock::take(workspace));
    TRY(dropRequestsToRunners(workspace));
    if (options.missing && inputs.campaign.plan.addsRuns()) {
        return fail("--missing does not go with a plan that searches or repeats until",
                    inputs.campaign.plan.name, "Leave it out: what is to run is found anew.");
    }
    const auto there =
        options.missing ? TRY(run::countFigures(workspace, inputs.prepared)) : run::FigureCounts();
    if (options.missing && run::hasAllFigures(there, inputs.prepared)) {
        std::cerr << told(fmt::format("nothing to run: the workspace has figures of all {} runs",
                                      inputs.prepared.runs.size()))
                  << '\n';
        return 0;
    }
    TRY(keepRecipeFormats(workspace, inputs.campaign));
    const launch::Plan& plan = inputs.campaign.plan;
    const std::string completes = options.missing || (plan.completesEarlier && !plan.addsRuns())
                                      ? TRY(completedCampaign(workspace, inputs))
                                      : std::string();
    const auto campaign = TRY(run::createCampaign(workspace, inputs.campaign, inputs.prepared,
                                                  settingsOf(options), there, completes));
    TRY(lock.workOn(campaign.id));
    if (options.begun) {
        options.begun(campaign.id);
    }
    run::Control control(workspace, signals);
    auto code = work(workspace, campaign, inputs, control, lock, options);
    control.close();
    putBackOthers(workspace, control, campaign.id);
    if (const std::string by = control.cancelledBy(); !by.empty() && options.cancelled) {
        options.cancelled(by);
    }
    return code;
}

namespace {

Result<int> resumeAll(const store::Workspace& workspace, run::Control& control, run::WorkspaceLock& lock,
                      const RunnerOptions& options) {
    int exitCode = 0;
    for (const std::string& id : run::campaignIds(workspace)) {
        const auto code = resumeCampaign(workspace, id, control, lock, options);
        exitCode = std::max(exitCode,
                            code ? *code : complain(options.onlyCloses ? "cancel" : "resume", code.error()));
        if (!code && code.error().kind == ErrorKind::Input) {  // it cannot be read; the others can
            std::cerr << told(fmt::format("campaign {} is skipped; to give it up, move {} away", id,
                                          run::campaignFolder(workspace, id).string()))
                      << '\n';
        }
    }
    return std::min(exitCode, 1);  // what cannot be read here is no wrong usage
}

// Of the newest campaign, where it is over: else what failed in it may be mended by what comes.
void tellOfFailed(const store::Workspace& workspace) {
    const auto status = run::readStatus(workspace);
    if (status.campaigns.empty() || !status.campaigns.back().finished()) {
        return;
    }
    if (const std::size_t count = run::retryable(status.campaigns.back()).size(); count > 0) {
        std::cerr << told(fmt::format(
                         "{} of its runs without a figure: `dlperf resume --retry-failed` runs them", count))
                  << '\n';
    }
}

// With the workspace's lock.
Result<int> goOn(const store::Workspace& workspace, const run::HeldSignals& signals, run::WorkspaceLock& lock,
                 const RunnerOptions& options) {
    // To go on is what is asked now; who cancels without a runner resumes to cancel.
    TRY(dropRequests(workspace, {run::Request::Pause, run::Request::Continue}));
    const auto status = run::readStatus(workspace);
    if (status.problems.empty() && std::ranges::all_of(status.campaigns, &run::Campaign::finished)) {
        std::cerr << told("no campaign here is unfinished: there is nothing to go on with") << '\n';
    }
    run::Control control(workspace, signals);
    const int code = TRY(resumeAll(workspace, control, lock, options));
    tellOfFailed(workspace);
    return code;
}

}  // namespace

Result<int> resumeCampaigns(const store::Workspace& workspace, const RunnerOptions& options) {
    const run::HeldSignals signals(options.detached);
    auto lock = TRY(run::WorkspaceLock::take(workspace));
    return goOn(workspace, signals, lock, options);
}

namespace {

// Numbers become the ids of the campaign's runs; a name that none has is left for who refuses it.
std::set<std::string> idsOf(const store::Workspace& workspace, const std::string& campaign,
                            const std::set<std::string>& names) {
    auto campaigns = run::readStatus(workspace).campaigns;
    std::erase_if(campaigns, [&](const run::Campaign& one) { return one.id != campaign; });
    std::set<std::string> ids;
    for (const std::string& name : names) {
        const run::RunState* meant =
            name.find('/') == std::string::npos ? run::runCalled(campaigns, name) : nullptr;
        ids.insert(meant == nullptr ? name : meant->id);
    }
    return ids;
}

// What cannot be read in a workspace is no wrong usage.
Result<void> checkFiles(const store::Workspace& workspace, const std::string& id) {
    const auto check = [&]() -> Result<void> {
        auto campaign = TRY(run::readCampaign(workspace, id));
        TRY(inputsOf(workspace, campaign));
        return run::replaySoundJournal(workspace, campaign);
    };
    auto checked = check();
    if (!checked) {
        Error error = checked.error();
        error.kind = ErrorKind::Work;
        return Failure(std::move(error));
    }
    return checked;
}

bool hasNothingToRetry(const store::Workspace& workspace, const std::string& id) {
    const auto campaigns = run::readStatus(workspace).campaigns;
    const auto found = std::ranges::find(campaigns, id, &run::Campaign::id);
    return found != campaigns.end() && run::retryable(*found).empty();
}

// Queues runs of the campaign once more. Refuses before anything is queued that could never run.
Result<void> queueAgain(const store::Workspace& workspace, const std::string& id,
                        const std::set<std::string>& runIds) {
    TRY(checkFiles(workspace, id));
    TRY(dropRequestsToRunners(workspace));
    return run::retryRuns(workspace, id, runIds);
}

}  // namespace

Result<int> resumeAndRetry(const store::Workspace& workspace, const RunnerOptions& options) {
    const run::HeldSignals signals(options.detached);
    auto lock = TRY(run::WorkspaceLock::take(workspace));
    const auto campaigns = run::readStatus(workspace).campaigns;
    const auto ids = run::campaignIds(workspace);
    // The newest is meant: where it cannot be read, going on tells of that.
    const bool isNewest = !campaigns.empty() && campaigns.back().id == ids.back();
    if (isNewest && !run::retryable(campaigns.back()).empty()) {
        TRY(queueAgain(workspace, campaigns.back().id, {}));
    }
    return goOn(workspace, signals, lock, options);
}

Result<int> retryCampaign(const store::Workspace& workspace, std::string id,
                          const std::set<std::string>& runs, const RunnerOptions& options) {
    const run::HeldSignals signals(options.detached);
    auto lock = TRY(run::WorkspaceLock::take(workspace));
    const auto ids = run::campaignIds(workspace);
    if (id.empty() && !ids.empty()) {
        id = ids.back();
    }
    if (id.empty()) {
        std::cerr << told("nothing has run here yet: there is nothing to retry") << '\n';
        return 0;
    }
    if (std::ranges::find(ids, id) == ids.end()) {
        return fail(fmt::format("there is no campaign {}", refusedName(id)), workspace.root().string(),
                    "`dlperf status` lists them.");
    }
    TRY(checkFiles(workspace, id));
    if (runs.empty() && hasNothingToRetry(workspace, id)) {
        std::cerr << told(
                         fmt::format("campaign {} has no failed, cancelled or short run: there is nothing to "
                                     "retry; name one that ran out of memory with --run",
                                     id))
                  << '\n';
        return 0;
    }
    TRY(queueAgain(workspace, id, idsOf(workspace, id, runs)));
    run::Control control(workspace, signals);
    auto code = resumeCampaign(workspace, id, control, lock, options);
    control.close();
    putBackOthers(workspace, control, id);
    return code;
}

}  // namespace dlperf::app
