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

bool beginWithCommand(const CLI::App& app, const std::vector<std::string>& words) {
    return !words.empty() && std::ranges::any_of(app.get_subcommands({}), [&](const CLI::App* command) {
        return command->get_name() == words.front();
    });
}

// "dlperf help run" is "dlperf run --help".
void turnHelp(const CLI::App& app, std::vector<std::string>& words) {
    if (!words.empty() && words.front() == "help" && !app.get_subcommands({}).empty()) {
        words.erase(words.begin());
        if (words.empty() || beginWithCommand(app, words)) {  // else it is not known
            words.emplace_back("--help");
        }
    }
}

// "dlperf run", as far as the words name it.
std::string speaker(const CLI::App& app, const std::vector<std::string>& words) {
    return beginWithCommand(app, words) ? app.get_name() + " " + words.front() : app.get_name();
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
        std::cerr << speaker(app, words) << ": " << unknownWord(app, words).value_or(error.what())
                  << "\nRun with --help for more information.\n";
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
