// SPDX-License-Identifier: Apache-2.0
#include "app/program.h"

#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_words.h"
#include "app/man_page.h"

namespace dlperf::app {
namespace {

constexpr int wrongUsage = 2;

// What a package's build and the shells ask, which --help does not list.
bool answered(const CLI::App& app, const std::vector<std::string>& words) {
    if (!words.empty() && words.front() == "--complete") {
        for (const std::string& line : completions(app, {words.begin() + 1, words.end()})) {
            std::cout << line << '\n';
        }
        return true;
    }
    if (words == std::vector<std::string>{"--man"}) {
        std::cout << manPage(app);
        return true;
    }
    return false;
}

// "dlperf help run" is "dlperf run --help".
void turnHelp(const CLI::App& app, std::vector<std::string>& words) {
    if (!words.empty() && words.front() == "help" && !app.get_subcommands({}).empty()) {
        words.erase(words.begin());
        words.emplace_back("--help");
    }
}

}  // namespace

std::optional<int> parseCommandLine(CLI::App& app, int argc, char** argv) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (answered(app, words)) {
        return 0;
    }
    turnHelp(app, words);
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // it takes from the back
    } catch (const CLI::Success& asked) {                                   // --help, --version
        return app.exit(asked);
    } catch (const CLI::ParseError& error) {
        if (const auto unknown = unknownWord(app, words)) {
            std::cerr << *unknown << "\nRun with --help for more information.\n";
        } else {
            app.exit(error);
        }
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
