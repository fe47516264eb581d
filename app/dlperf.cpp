// SPDX-License-Identifier: Apache-2.0
// The command line. Each command lives in a file of its own and adds itself here with one line.
// Exit codes: 0 done, 1 the work failed or a check did not hold, 2 wrong usage or unreadable input.
#include <CLI/CLI.hpp>

#include "app/commands.h"
#include "app/program.h"

namespace {

int run(int argc, char** argv) {
    CLI::App app{"Measure how fast deep-learning frameworks train, and how well they scale.", "dlperf"};
    app.set_version_flag("--version", "dlperf " DLPERF_VERSION);
    app.require_subcommand(1);
    app.footer(
        "Exit status: 0 done; 1 the work failed, or a check did not hold; 2 wrong usage or unreadable "
        "input.\n"
        "Environment: DLPERF_RESOURCES names the folder of recipes, formats and published figures.\n"
        "See also: dlperf-dashboard(1), dlperf-worker(1)");
    int exitCode = 0;

    dlperf::app::addFormatsCommand(app, exitCode);
    dlperf::app::addAnalyzeCommand(app, exitCode);
    dlperf::app::addImportCommand(app, exitCode);
    dlperf::app::addClusterCommand(app, exitCode);
    dlperf::app::addCheckCommand(app, exitCode);
    dlperf::app::addBenchCommand(app, exitCode);
    dlperf::app::addInitCommand(app, exitCode);
    dlperf::app::addRecipesCommand(app, exitCode);
    dlperf::app::addPlanCommand(app, exitCode);
    dlperf::app::addPrepareCommand(app, exitCode);
    dlperf::app::addRunCommand(app, exitCode);
    dlperf::app::addStatusCommand(app, exitCode);
    dlperf::app::addShowCommand(app, exitCode);
    dlperf::app::addLogsCommand(app, exitCode);
    dlperf::app::addCancelCommand(app, exitCode);
    dlperf::app::addPauseCommand(app, exitCode);
    dlperf::app::addResumeCommand(app, exitCode);
    dlperf::app::addRetryCommand(app, exitCode);
    dlperf::app::addCleanCommand(app, exitCode);
    dlperf::app::addDeleteCommand(app, exitCode);
    dlperf::app::addRestoreCommand(app, exitCode);
    dlperf::app::addPsCommand(app, exitCode);
    dlperf::app::addReapCommand(app, exitCode);
    dlperf::app::addCompareCommand(app, exitCode);
    dlperf::app::addExplainCommand(app, exitCode);
    dlperf::app::addReportCommand(app, exitCode);
    dlperf::app::addPublishCommand(app, exitCode);

    if (const auto ended = dlperf::app::parseCommandLine(app, argc, argv)) {
        return *ended;
    }
    const auto flushed = dlperf::app::flushOutput();  // a full disk is a failure, whatever was printed
    return flushed || exitCode != 0
               ? exitCode
               : dlperf::app::complain(app.get_subcommands().front()->get_name(), flushed.error());
}

}  // namespace

int main(int argc, char** argv) {
    return dlperf::app::guarded("dlperf", [&] { return run(argc, argv); });
}
