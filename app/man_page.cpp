// SPDX-License-Identifier: Apache-2.0
#include "app/man_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/command_words.h"
#include "core/base/text.h"

namespace dlperf::app {
namespace {

// Text for troff: a hyphen stays one that can be copied, and no line is a request by its first letter.
std::string roff(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '\\') {
            escaped += "\\e";
        } else if (c == '-') {
            escaped += "\\-";
        } else if ((c == '.' || c == '\'') && (escaped.empty() || escaped.back() == '\n')) {
            escaped += "\\&";
            escaped += c;
        } else {
            escaped += c;
        }
    }
    return escaped;
}

std::string upper(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return text;
}

std::string kindOf(const CLI::Option& option) {
    const auto choices = choicesOf(option);
    if (!choices.empty()) {
        return join(choices, "|");
    }
    const std::string kind = option.get_type_name();
    return kind.substr(0, kind.find(':'));
}

std::string describeOption(const CLI::Option& option) {
    std::string text = ".TP\n";
    if (option.get_positional()) {
        text += fmt::format("\\fI{}\\fR", roff(option.get_name(true)));
    } else {
        std::vector<std::string> names;
        for (const std::string& name : option.get_snames()) {
            names.push_back(fmt::format("\\fB\\-{}\\fR", roff(name)));
        }
        for (const std::string& name : option.get_lnames()) {
            names.push_back(fmt::format("\\fB\\-\\-{}\\fR", roff(name)));
        }
        text += join(names, ", ");
        if (takesValue(option)) {
            text += fmt::format(" \\fI{}\\fR", roff(kindOf(option)));
        }
    }
    text += "\n" + roff(option.get_description());
    if (const std::string otherwise = option.get_default_str(); !otherwise.empty()) {
        text += roff(fmt::format(" (default: {})", otherwise));
    }
    return text + "\n";
}

// Without --help, but on the program itself.
std::string describeOptions(const CLI::App& command) {
    std::string text;
    for (const bool positional : {true, false}) {
        for (const CLI::Option* option : command.get_options()) {
            const bool isHelp = option == command.get_help_ptr() && command.get_parent() != nullptr;
            if (option->get_positional() == positional && !isHelp) {
                text += describeOption(*option);
            }
        }
    }
    return text;
}

// "dlperf run [OPTIONS] PLAN"
std::string usage(const std::string& program, const CLI::App& command) {
    std::string text = fmt::format("\\fB{}\\fR [\\fIOPTIONS\\fR]", roff(program));
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_positional()) {
            text += fmt::format(" \\fI{}\\fR", roff(option->get_name(true)));
        }
    }
    return text;
}

void describeCommands(std::string& text, const std::string& program, const CLI::App& app) {
    for (const CLI::App* command : app.get_subcommands({})) {
        const std::string name = program + " " + command->get_name();
        text += fmt::format(".SS {}\n{}.\n", usage(name, *command), roff(command->get_description()));
        text += describeOptions(*command);
        describeCommands(text, name, *command);
    }
}

}  // namespace

std::string manPage(const CLI::App& app) {
    const std::string& name = app.get_name();
    std::string what = app.get_description();
    if (what.ends_with('.')) {
        what.pop_back();
    }
    std::string text =
        fmt::format(".\\\" SPDX-License-Identifier: Apache-2.0\n.TH {} 1 \"\" \"{} " DLPERF_VERSION
                    "\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}\n",
                    upper(roff(name)), name, roff(name), roff(what), usage(name, app));
    if (!app.get_subcommands({}).empty()) {
        text += fmt::format(".br\n\\fB{}\\fR \\fICOMMAND\\fR ...\n", roff(name));
    }
    text += ".SH OPTIONS\n" + describeOptions(app);
    if (!app.get_subcommands({}).empty()) {
        text += ".SH COMMANDS\n";
        describeCommands(text, name, app);
    }
    const std::string footer = app.get_footer();
    for (const std::string_view line : split(footer, '\n')) {
        if (const auto colon = line.find(": "); colon != std::string_view::npos) {
            text += fmt::format(".SH {}\n{}\n", upper(std::string(line.substr(0, colon))),
                                roff(line.substr(colon + 2)));
        }
    }
    return text;
}

}  // namespace dlperf::app
