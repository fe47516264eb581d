// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <vector>

#include "base/failure.h"
#include "base/world.h"
#include "check.h"
#include "formula.h"
#include "program/log.h"

namespace dlperf::worker::check {
namespace {

constexpr int stepCount = 20;

void printRow(const WorkShare& share, double total) {
    constexpr double tera = 1e12;
    std::printf("| %s | %.3f | %.1f %% | %.2f | %.2f |", share.work.c_str(), share.seconds * 1e3,
                100 * share.seconds / total, share.bytes / 1e9, share.bytes / share.seconds / tera);
    if (share.operations > 0) {
        std::printf(" %.3f | %.0f |\n", share.operations / tera, share.operations / share.seconds / tera);
    } else {
        std::printf(" | |\n");
    }
}

void printBreakdown(const CheckOptions& options, const World& world) {
    const auto backend = backendFor(options, world);
    const FormulaBatch batch = formulaBatch(0, static_cast<std::size_t>(options.worker.batchSize),
                                            static_cast<std::size_t>(options.worker.imageSize),
                                            static_cast<std::size_t>(options.worker.classes));
    const std::vector<WorkShare> shares = backend->breakdown(batch.view(), stepCount);
    if (shares.empty()) {
        throw Failure(ExitCode::Backend,
                      "the " + backend->name() + " backend does not know what its time goes to");
    }
    WorkShare all{"all", 0, 0, 0};
    for (const WorkShare& share : shares) {
        all.seconds += share.seconds;
        all.bytes += share.bytes;
        all.operations += share.operations;
    }
    std::printf(
        "| kind of work | ms | share | GB to move | TB/s | TFLOP | TFLOP/s |\n"
        "|---|---|---|---|---|---|---|\n");
    for (const WorkShare& share : shares) {
        printRow(share, all.seconds);
    }
    printRow(all, all.seconds);
}

int run(int argc, char** argv) {
    const CheckOptions options = parseCheckOptions({argv + 1, argv + argc});
    if (options.worker.help) {
        return std::fputs(checkHelp().c_str(), stdout) < 0 ? static_cast<int>(ExitCode::Output) : 0;
    }
    const World world = worldFromEnvironment(processEnvironment);
    if (options.breakdown) {
        printBreakdown(options, world);
    } else {
        write(findingsOf(options, world), options, world);
    }
    return 0;
}

}  // namespace
}  // namespace dlperf::worker::check

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);
    return dlperf::worker::exitCodeOf("dlperf-worker-check: ",
                                      [&] { return dlperf::worker::check::run(argc, argv); });
}
