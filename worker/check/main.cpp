// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "base/failure.h"
#include "base/world.h"
#include "check_options.h"
#include "findings.h"
#include "formula.h"

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

}  // namespace
}  // namespace dlperf::worker::check

namespace {

using namespace dlperf::worker;

int complain(const std::string& message, ExitCode code) {
    std::fputs(("dlperf-worker-check: " + message + "\n").c_str(), stderr);
    return static_cast<int>(code);
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);
    try {
        const check::CheckOptions options = check::parseCheckOptions({argv + 1, argv + argc});
        if (options.worker.help) {
            return std::fputs(check::checkHelp().c_str(), stdout) < 0 ? 8 : 0;
        }
        const World world = worldFromEnvironment(processEnvironment);
        if (options.breakdown) {
            check::printBreakdown(options, world);
            return 0;
        }
        check::write(check::findingsOf(options, world), options, world);
        return 0;
    } catch (const Failure& failure) {
        return complain(failure.what(), failure.code());
    } catch (const std::bad_alloc&) {
        return complain("out of memory; use a smaller --batch-size or --image-size", ExitCode::Memory);
    } catch (const std::exception& error) {
        return complain(std::string("unexpected error: ") + error.what(), ExitCode::Internal);
    }
}
