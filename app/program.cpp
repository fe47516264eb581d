// SPDX-License-Identifier: Apache-2.0
#include "app/program.h"

#include <exception>
#include <iostream>

namespace dlperf::app {

std::optional<int> parseCommandLine(CLI::App& app, int argc, char** argv) {
    constexpr int wrongUsage = 2;
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& asked) {  // --help, --version
        return app.exit(asked);
    } catch (const CLI::ParseError& error) {
        app.exit(error);
        return wrongUsage;
    }
    return std::nullopt;
}

int guarded(const char* program, const std::function<int()>& work) {
    try {
        return work();
    } catch (const std::exception& error) {
        std::cerr << program << ": " << error.what() << '\n';
        return 1;
    }
}

}  // namespace dlperf::app
