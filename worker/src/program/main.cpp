// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <string>
#include <utility>

#include "base/failure.h"
#include "base/options.h"
#include "program/log.h"
#include "program/program.h"

namespace {

using namespace dlperf::worker;

int workAs(const World& world, const Options& options, FileDescriptor listener) {
    const std::string rank = world.size > 1 ? "rank " + std::to_string(world.rank) + ": " : "";
    return exitCodeOf("dlperf-worker: " + rank, [&] {
        work(options, world, std::move(listener));
        return static_cast<int>(ExitCode::Ok);
    });
}

int run(int argc, char** argv) {
    const Options options = parseOptions({argv + 1, argv + argc});
    if (options.help || options.version) {
        std::fputs((options.help ? helpText() : buildFacts()).c_str(), stdout);
        return std::fflush(stdout) == 0 ? 0 : static_cast<int>(ExitCode::Output);
    }
    if (options.launches()) {
        return launch(options, workAs);
    }
    return workAs(worldFromEnvironment(processEnvironment), options, {});
}

}  // namespace

int main(int argc, char** argv) {
    // A reader of our log that goes away is an error of a write, with a message, not a silent death.
    std::signal(SIGPIPE, SIG_IGN);
    return exitCodeOf("dlperf-worker: ", [&] { return run(argc, argv); });
}
