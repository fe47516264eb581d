// SPDX-License-Identifier: Apache-2.0
#include "app/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_words.h"
#include "app/man_page.h"
#include "app/told.h"
#include "core/base/mapped.h"
#include "core/base/text.h"

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

// Of the parser's own help: labels, and two options of its.
constexpr std::array helpLabels{"Usage",       "OPTIONS",  "SUBCOMMAND", "SUBCOMMANDS", "Subcommands",
                                "Positionals", "Excludes", "Needs",      "REQUIRED"};
constexpr const char* helpText = "Print this help message and exit";
constexpr const char* versionText = "Display program version information and exit";

// What --help says, in the terminal's language. Man pages and completions are made of the English.
void translateHelp(CLI::App& app) {
    const Translation& language = terminalTranslation();
    app.description(language(app.get_description()));
    app.footer(language(app.get_footer()));
    for (const char* label : helpLabels) {
        app.get_formatter()->label(label, language(label));
    }
    for (CLI::Option* option : {app.get_help_ptr(), app.get_version_ptr()}) {
        if (option != nullptr) {
            option->description(option == app.get_help_ptr() ? helpText : versionText);
        }
    }
    for (CLI::Option* option : app.get_options()) {
        option->description(language(option->get_description()));
        option->group(language(option->get_group()));
    }
    for (CLI::App* command : app.get_subcommands({})) {
        command->group(language(command->get_group()));
        translateHelp(*command);
    }
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

// "name a command: links, compute or …" where the last one that was named wants another.
std::optional<std::string> missingCommand(const CLI::App& app) {
    const CLI::App* last = &app;
    while (!last->get_subcommands().empty()) {
        last = last->get_subcommands().front();
    }
    if (last->get_require_subcommand_min() == 0) {
        return std::nullopt;
    }
    const auto names = mapped(last->get_subcommands([](const CLI::App*) { return true; }),
                              [](const CLI::App* command) { return command->get_name(); });
    return fmt::format("name a command: {}", join(names, ", "));
}

// It would be taken for an option that was left out.
std::string refuseEmpty(const std::string& value) {
    return value.empty() ? "is empty: name one, or leave the option out" : "";
}

void refuseEmptyValues(CLI::App& app) {
    for (CLI::Option* option : app.get_options()) {
        if (takesValue(*option) && !option->get_positional()) {
            option->check(refuseEmpty, "");
        }
    }
    for (CLI::App* command : app.get_subcommands({})) {
        refuseEmptyValues(*command);
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
    if (!terminalTranslation().isEnglish()) {
        translateHelp(app);
    }
    refuseEmptyValues(app);
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // it takes from the back
    } catch (const CLI::Success& asked) {                                   // --help, --version
        return app.exit(asked);
    } catch (const CLI::ParseError& error) {
        const auto known = unknownWord(app, words);
        std::cerr << speaker(app, words) << ": "
                  << told(known ? *known : missingCommand(app).value_or(error.what())) << '\n'
                  << told("Run with --help for more information.") << '\n';
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
