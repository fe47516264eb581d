// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"

#include <iostream>
#include <memory>

#include "app/detach.h"
#include "app/run_campaign.h"
#include "app/run_preflight.h"
#include "app/terminal_questions.h"
#include "core/base/file.h"
#include "core/run/lock.h"
#include "core/run/status.h"

namespace dlperf::app {
namespace {

// Some text more than all secrets of a cluster.
constexpr std::size_t mostAnswers = 1U << 20U;

Result<remote::CachedCredentials> readCachedCredentials() {
    std::string text(mostAnswers, '\0');
    std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::cin.gcount()));
    return remote::cachedCredentialsFromJson(text);
}

struct RunOptions {
    InputOptions inputs;
    std::string workspace;
    bool detach = false;
    bool acceptNew = false;
    bool answers = false;
    double grace = 10;
    double lostAfter = 300;
    bool keepNodeFiles = false;
    std::string campaign;
    std::vector<std::string> runs;

    Result<RunnerOptions> runner() const {
        auto cached = answers ? readCachedCredentials() : remote::CachedCredentials{};
        if (!cached) {
            return Failure(cached.error());
        }
        RunnerOptions options;
        options.detached = detach;
        options.grace = std::chrono::milliseconds(static_cast<long>(grace * 1000));
        options.lostAfter = std::chrono::milliseconds(static_cast<long>(lostAfter * 1000));
        options.keepNodeFiles = keepNodeFiles;
        options.transports = terminalTransports(
            {.mayPrompt = !detach && !answers, .acceptNew = acceptNew, .cached = std::move(*cached)});
        return options;
    }
};

using Work = std::function<Result<int>(const RunnerOptions&)>;

// Here, or in a process of its own.
int perform(const std::string& command, const store::Workspace& workspace, const RunnerOptions& options,
            const Work& work) {
    if (!options.detached) {
        const auto code = work(options);
        return code ? *code : complain(command, code.error());
    }
    const auto id = detach([&](const Begun& begun) {
        RunnerOptions runner = options;
        runner.begun = [&](const std::string& campaign) {
            begun(campaign, (run::campaignFolder(workspace, campaign) / "runner.log").string());
        };
        return work(runner);
    });
    if (!id) {
        return complain(command, id.error());
    }
    if (!id->empty()) {
        std::cout << *id << std::endl;
    }
    return 0;
}

int runPlan(const RunOptions& options) {
    const auto runnerOptions = options.runner();
    if (!runnerOptions) {
        return complain("run", runnerOptions.error());
    }
    const auto inputs = readInputs(options.inputs, [&](run::CampaignInputs& campaign) {
        return checkBeforeRun(campaign, runnerOptions->transports);
    });
    if (!inputs) {
        return complain("run", inputs.error());
    }
    for (const Error& skipped : inputs->prepared.skipped) {
        std::cerr << "skipped: " << printable(describe(skipped)) << '\n';
    }
    const auto workspace = store::Workspace::open(expandHome(options.workspace));
    if (!workspace) {
        return complain("run", workspace.error());
    }
    return perform("run", *workspace, *runnerOptions,
                   [&](const RunnerOptions& runner) { return startCampaign(*workspace, *inputs, runner); });
}

int resume(const RunOptions& options) {
    const auto workspace = store::Workspace::openExisting(expandHome(options.workspace));
    if (!workspace) {
        return complain("resume", workspace.error());
    }
    if (const auto owner = run::readLock(*workspace); owner && run::isHeld(*owner)) {
        const auto asked = run::writeRequest(*workspace, run::Request::Continue);
        return asked ? 0 : complain("resume", asked.error());
    }
    const auto runnerOptions = options.runner();
    if (!runnerOptions) {
        return complain("resume", runnerOptions.error());
    }
    return perform("resume", *workspace, *runnerOptions,
                   [&](const RunnerOptions& runner) { return resumeCampaigns(*workspace, runner); });
}

int retry(const RunOptions& options) {
    const auto workspace = store::Workspace::openExisting(expandHome(options.workspace));
    const auto runnerOptions = workspace ? options.runner() : Failure(workspace.error());
    if (!runnerOptions) {
        return complain("retry", runnerOptions.error());
    }
    return perform("retry", *workspace, *runnerOptions, [&](const RunnerOptions& runner) {
        return retryCampaign(*workspace, options.campaign, {options.runs.begin(), options.runs.end()},
                             runner);
    });
}

void addRunnerOptions(CLI::App& command, RunOptions& options, const char* help) {
    command.add_option("--workspace", options.workspace, help)->required();
    command.add_flag("--detach", options.detach, "Work in a process of its own and return at once");
    command.add_flag("--answers", options.answers,
                     "Read answers to logins from standard input, as the window gives them");
    command.add_flag("--accept-new", options.acceptNew, "Trust host keys that are not known yet");
}

}  // namespace

void addRunCommand(CLI::App& app, int& exitCode) {
    auto* command = app.add_subcommand("run", "Run a plan");
    const auto options = std::make_shared<RunOptions>();
    addInputOptions(*command, options->inputs);
    command
        ->add_option("--grace", options->grace,
                     "Seconds a trainer has between being asked to stop and being killed")
        ->check(CLI::Range(0.0, 3600.0))
        ->capture_default_str();
    command
        ->add_option("--lost-after", options->lostAfter,
                     "Seconds until a node that does not answer, while others do, ends its run")
        ->check(CLI::Range(0.0, 86400.0))
        ->capture_default_str();
    command->add_flag("--keep-node-files", options->keepNodeFiles,
                      "Leave each run's folder on its nodes; else it goes once all of it is here");
    addRunnerOptions(*command, *options, "The folder that keeps runs and logs; made if missing");
    command->callback([options, &exitCode] { exitCode = runPlan(*options); });
}

void addResumeCommand(CLI::App& app, int& exitCode) {
    auto* command = app.add_subcommand("resume", "Go on after a crash, or after a pause");
    const auto options = std::make_shared<RunOptions>();
    addRunnerOptions(*command, *options, "The folder that keeps runs and logs");
    command->callback([options, &exitCode] { exitCode = resume(*options); });
}

void addRetryCommand(CLI::App& app, int& exitCode) {
    auto* command = app.add_subcommand("retry", "Run again, in the same campaign, what has no figure");
    const auto options = std::make_shared<RunOptions>();
    command->add_option("--campaign", options->campaign, "Its id; else the newest campaign");
    command->add_option(
        "--run", options->runs,
        "Retry this run only; may be repeated. Else all that failed, were cancelled or ended short");
    addRunnerOptions(*command, *options, "The folder that keeps runs and logs");
    command->callback([options, &exitCode] { exitCode = retry(*options); });
}

}  // namespace dlperf::app
