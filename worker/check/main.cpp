// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "base/failure.h"
#include "base/world.h"
#include "breakdown.h"
#include "check_options.h"
#include "findings.h"

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
        if (options.help) {
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
