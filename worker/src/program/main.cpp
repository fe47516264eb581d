// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "base/failure.h"
#include "base/options.h"
#include "program/program.h"

namespace {

using namespace dlperf::worker;

// "dlperf-worker: rank 1: message", in one write so that processes do not mix their lines.
int complain(const std::string& who, const std::string& message, ExitCode code) {
    const std::string line = "dlperf-worker: " + who + message + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
    return static_cast<int>(code);
}

int workAs(const World& world, const Options& options, FileDescriptor listener) {
    const std::string who = world.size > 1 ? "rank " + std::to_string(world.rank) + ": " : "";
    try {
        work(options, world, std::move(listener));
        return static_cast<int>(ExitCode::Ok);
    } catch (const Failure& failure) {
        return complain(who, failure.what(), failure.code());
    } catch (const std::bad_alloc&) {
        return complain(who, "out of memory; use a smaller --batch-size or --image-size", ExitCode::Memory);
    } catch (const std::exception& error) {
        return complain(who, std::string("unexpected error: ") + error.what(), ExitCode::Internal);
    }
}

}  // namespace

int main(int argc, char** argv) {
    // A reader of our log that goes away is an error of a write, with a message, not a silent death.
    std::signal(SIGPIPE, SIG_IGN);
    try {
        const Options options = parseOptions({argv + 1, argv + argc});
        if (options.help || options.version) {
            std::fputs((options.help ? helpText() : buildFacts()).c_str(), stdout);
            return std::fflush(stdout) == 0 ? 0 : static_cast<int>(ExitCode::Output);
        }
        if (options.launches()) {
            return launch(options, workAs);
        }
        return workAs(worldFromEnvironment(processEnvironment), options, {});
    } catch (const Failure& failure) {
        return complain("", failure.what(), failure.code());
    }
}
