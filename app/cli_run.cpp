// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <memory>
#include <string>

#include "app/check_before_run.h"
#include "app/run_campaign.h"
#include "app/run_inputs.h"
#include "app/terminal_questions.h"
#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/remote/transport.h"
#include "core/run/campaign.h"
#include "core/run/lock.h"
#include "core/run/requests.h"

namespace dlperf::app {
namespace {

// A runner that outlives whoever started it: own session, own log file.
// Tells the parent that the work began (with a text for it to print) and sends all further output to
// `logFile`.
using Begun = std::function<void(const std::string& text, const std::string& logFile)>;

// A parent that is gone needs no answer.
void sendAll(int fd, const std::string& text) {
    (void)writeAll(fd, text);
}

std::string receiveAll(int fd) {
    std::string text;
    std::array<char, 4096> buffer{};
    for (;;) {
        const ssize_t got = ::read(fd, buffer.data(), buffer.size());
        if (got > 0) {
            text.append(buffer.data(), static_cast<std::size_t>(got));
        } else if (got == 0 || errno != EINTR) {
            return text;
        }
    }
}

void redirect(const std::string& logFile) {
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int log = ::open(logFile.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(log < 0 ? nothing : log, STDOUT_FILENO);
    ::dup2(log < 0 ? nothing : log, STDERR_FILENO);
    ::close(nothing);
    ::close(log);
}

[[noreturn]] void runChild(int fd, const std::function<Result<int>(const Begun&)>& work) {
    ::setsid();
    bool begun = false;
    const auto code = work([&](const std::string& text, const std::string& logFile) {
        if (!begun) {
            begun = true;
            redirect(logFile);
            sendAll(fd, Json{{"text", text}}.dump());
            ::close(fd);
        }
    });
    if (!begun && code && *code != 0) {  // the error is printed already
        sendAll(fd, Json{{"what", "nothing was begun"},
                         {"where", ""},
                         {"remedy", ""},
                         {"details", ""},
                         {"input", false}}
                        .dump());
    } else if (!begun && code) {  // there was nothing to do
        sendAll(fd, Json{{"text", ""}}.dump());
    } else if (!begun) {
        const Error& error = code.error();
        sendAll(fd, Json{{"what", error.what},
                         {"where", error.where},
                         {"remedy", error.remedy},
                         {"details", error.details},
                         {"input", error.kind == ErrorKind::Input}}
                        .dump(-1, ' ', false, Json::error_handler_t::replace));
    } else if (!code) {
        std::cerr << "dlperf: " << told(describe(code.error())) << '\n';
    }
    std::cout.flush();
    std::exit(code ? *code : exitCode(code.error()));
}

// Forks. The child runs `work`, whose value is its exit code; the parent returns when the child says that it
// began, with the text, or ended before that, with its error. Call while the process has one thread.
Result<std::string> detach(const std::function<Result<int>(const Begun&)>& work) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return failBecause(std::strerror(errno), "no pipe can be made", {}, {}, ErrorKind::Work);
    }
    std::cout.flush();
    const pid_t child = ::fork();
    if (child < 0) {
        return failBecause(std::strerror(errno), "no process can be started", {}, {}, ErrorKind::Work);
    }
    if (child == 0) {
        ::close(ends[0]);
        runChild(ends[1], work);
    }
    ::close(ends[1]);
    const Json said = Json::parse(receiveAll(ends[0]), nullptr, false);
    ::close(ends[0]);
    if (said.is_object() && said.contains("text")) {
        return said["text"].get<std::string>();
    }
    if (!said.is_object()) {
        return fail("the runner ended before it began", {}, {}, ErrorKind::Work);
    }
    return failBecause(textOf(said, "details"), textOf(said, "what"), textOf(said, "where"),
                       textOf(said, "remedy"),
                       said["input"].get<bool>() ? ErrorKind::Input : ErrorKind::Work);
}

struct RunOptions {
    InputOptions inputs;
    std::string workspace;
    bool detach = false;
    bool acceptNew = false;
    bool answers = false;
    run::Settings settings;
    bool missing = false;
    bool retryFailed = false;
    std::string campaign;
    std::vector<std::string> runs;

    Result<RunnerOptions> runner() const {
        auto cached = TRY(answers ? readCachedCredentials() : remote::CachedCredentials{});
        RunnerOptions options;
        options.detached = detach;
        options.settings = settings;
        options.missing = missing;
        options.transports = terminalTransports(
            {.mayPrompt = !detach && !answers, .acceptNew = acceptNew, .cached = std::move(cached)});
        return options;
    }
};

using Work = std::function<Result<int>(const RunnerOptions&)>;

// Here, or in a process of its own.
Result<int> perform(const store::Workspace& workspace, const RunnerOptions& options, const Work& work) {
    if (!options.detached) {
        return work(options);
    }
    const auto id = TRY(detach([&](const Begun& begun) {
        RunnerOptions runner = options;
        runner.begun = [&](const std::string& campaign) {
            begun(campaign, (run::campaignFolder(workspace, campaign) / "runner.log").string());
        };
        return work(runner);
    }));
    if (!id.empty()) {
        std::cout << id << std::endl;
    }
    return 0;
}

Result<int> runPlan(const RunOptions& options) {
    const auto runnerOptions = TRY(options.runner());
    InputOptions wanted = options.inputs;
    wanted.workspace = options.workspace;
    const auto inputs = TRY(readInputs(wanted, [&](run::CampaignInputs& campaign) {
        return checkBeforeRun("run", campaign, runnerOptions.transports, options.settings.anyway);
    }));
    for (const Error& skipped : inputs.prepared.skipped) {
        std::cerr << told("skipped: " + describe(skipped)) << '\n';
    }
    const auto workspace = TRY(store::Workspace::open(expandHome(options.workspace)));
    return perform(workspace, runnerOptions,
                   [&](const RunnerOptions& runner) { return startCampaign(workspace, inputs, runner); });
}

Result<int> resume(const RunOptions& options) {
    const auto workspace = TRY(store::Workspace::openExisting(expandHome(options.workspace)));
    if (const auto owner = run::holderOf(workspace)) {
        if (options.retryFailed) {
            return fail("a runner is at work in this workspace: " + run::nameOf(*owner), options.workspace,
                        run::isElsewhere(*owner) ? run::remedyElsewhere(workspace)
                                                 : "Retry with `dlperf retry` once it has ended.",
                        ErrorKind::Work);
        }
        TRY(run::askRunner(workspace, *owner, run::Request::Continue));
        std::cerr << told("the runner was asked to go on") << '\n';
        return 0;
    }
    return perform(workspace, TRY(options.runner()), [&](const RunnerOptions& runner) {
        return options.retryFailed ? resumeAndRetry(workspace, runner) : resumeCampaigns(workspace, runner);
    });
}

Result<int> retry(const RunOptions& options) {
    const auto workspace = TRY(store::Workspace::openExisting(expandHome(options.workspace)));
    return perform(workspace, TRY(options.runner()), [&](const RunnerOptions& runner) {
        return retryCampaign(workspace, options.campaign, {options.runs.begin(), options.runs.end()}, runner);
    });
}

void addSeconds(CLI::App& command, const std::string& name, std::chrono::milliseconds& time,
                const std::string& help) {
    constexpr double most = 86400;
    const auto set = [&time, name](double seconds) {
        if (std::isnan(seconds)) {  // of which no range is told
            throw CLI::ValidationError(name, "is no number of seconds");
        }
        time = std::chrono::milliseconds(std::llround(seconds * 1000));
    };
    command.add_option_function<double>(name, set, help)
        ->check(CLI::Range(0.0, most))
        ->default_str(fmt::format("{}", static_cast<double>(time.count()) / 1000));
}

void addRunnerOptions(CLI::App& command, RunOptions& options, const char* help) {
    command.add_option("--workspace", options.workspace, help)->type_name("FOLDER")->required();
    command.add_flag("--detach", options.detach, "Work in a process of its own and return at once");
    command.add_flag("--answers", options.answers, answersHelp);
    command.add_flag("--accept-new", options.acceptNew, "Trust host keys that are not known yet");
    command
        .add_option("--stop-after", options.settings.stopAfter,
                    "Runs in a row that failed alike, after which the rest is not run; 0: it is")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    command.add_flag("--anyway", options.settings.anyway,
                     "Run even where a check says that no run can go well");
}

}  // namespace

void addRunCommand(CLI::App& app, int& exitCode) {
    auto* command = app.add_subcommand("run", "Run a plan");
    const auto options = std::make_shared<RunOptions>();
    addInputOptions(*command, options->inputs);
    addSeconds(*command, "--grace", options->settings.grace,
               "Seconds a trainer has between being asked to stop and being killed");
    addSeconds(*command, "--lost-after", options->settings.lostAfter,
               "Seconds until a node that does not answer, while others do, ends its run");
    addSeconds(*command, "--lease", options->settings.lease,
               "Seconds without a runner after which a node ends its trainer by itself; 0: never");
    command->add_flag("--keep-node-files", options->settings.keepNodeFiles,
                      "Leave each run's folder on its nodes; else it goes once all of it is here");
    command->add_flag(
        "--missing", options->missing,
        "Only what the workspace has no figure for yet: repetitions are made up to the plan's, in "
        "one series with those of the campaign that ran so");
    addRunnerOptions(*command, *options, "The folder that keeps runs and logs; made if missing");
    command->callback([options, &exitCode] { exitCode = exitCodeOf("run", runPlan(*options)); });
}

void addResumeCommand(CLI::App& app, int& exitCode) {
    auto* command = app.add_subcommand("resume", "Go on after a crash, or after a pause");
    const auto options = std::make_shared<RunOptions>();
    addRunnerOptions(*command, *options, "The folder that keeps runs and logs");
    command->add_flag("--retry-failed", options->retryFailed,
                      "Also run again what the newest campaign has no figure for");
    command->callback([options, &exitCode] { exitCode = exitCodeOf("resume", resume(*options)); });
}

void addRetryCommand(CLI::App& app, int& exitCode) {
    auto* command = app.add_subcommand("retry", "Run again, in the same campaign, what has no figure");
    const auto options = std::make_shared<RunOptions>();
    command->add_option("--campaign", options->campaign, "Its id; else the newest campaign");
    command->add_option("--run", options->runs,
                        "Retry this run only, by its id or the number behind the slash; may be repeated. "
                        "Else all that failed, "
                        "were cancelled or ended short");
    addRunnerOptions(*command, *options, "The folder that keeps runs and logs");
    command->callback([options, &exitCode] { exitCode = exitCodeOf("retry", retry(*options)); });
}

}  // namespace dlperf::app
