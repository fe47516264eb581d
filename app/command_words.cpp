// SPDX-License-Identifier: Apache-2.0
#include "app/command_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"

namespace dlperf::app {
namespace {

// Where the words have led.
struct Reached {
    const CLI::App* command = nullptr;
    const CLI::Option* option = nullptr;  // whose value comes next
    std::size_t positionals = 0;          // how many the command has got
    std::optional<std::string> unknown;
};

std::vector<const CLI::Option*> optionsOf(const CLI::App& command, bool positional) {
    auto options = command.get_options();
    std::erase_if(options, [&](const CLI::Option* option) {
        return option->get_positional() != positional || option->get_group().empty();
    });
    return options;
}

// "--cluster", "-o"
std::vector<std::string> namesOf(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_lnames()) {
        names.push_back("--" + name);
    }
    for (const std::string& name : option.get_snames()) {
        names.push_back("-" + name);
    }
    return names;
}

std::string nearest(const std::string& word, const std::vector<std::string>& known) {
    const std::string found = nearestOf(word, known);
    return found.empty() ? "" : fmt::format("; did you mean {}?", found);
}

void followOption(Reached& reached, const std::string& word) {
    const std::string name = word.substr(0, word.find('='));
    std::vector<std::string> known;
    for (const CLI::Option* option : optionsOf(*reached.command, false)) {
        for (const std::string& one : namesOf(*option)) {
            if (one == name || (one.size() == 2 && name.size() > 2 && name.starts_with(one))) {
                reached.option = takesValue(*option) && word == one ? option : nullptr;
                return;
            }
            known.push_back(one);
        }
    }
    if (toInt(word)) {  // a number, not an option
        ++reached.positionals;
        return;
    }
    reached.unknown = fmt::format("there is no option {}{}", refusedName(name), nearest(name, known));
}

void followWord(Reached& reached, const std::string& word) {
    std::vector<std::string> known;
    for (const CLI::App* command : reached.command->get_subcommands({})) {
        if (command->get_name() == word) {
            reached = {command, nullptr, 0, {}};
            return;
        }
        known.push_back(command->get_name());
    }
    if (!known.empty()) {
        reached.unknown = fmt::format("there is no command {}{}", refusedName(word), nearest(word, known));
    }
    ++reached.positionals;
}

Reached follow(const CLI::App& app, const std::vector<std::string>& words) {
    Reached reached{&app, nullptr, 0, {}};
    bool onlyWords = false;  // after "--"
    for (const std::string& word : words) {
        if (reached.option != nullptr) {
            reached.option = nullptr;
        } else if (word == "--") {
            onlyWords = true;
        } else if (!onlyWords && word.size() > 1 && word.front() == '-') {
            followOption(reached, word);
        } else {
            followWord(reached, word);
        }
        if (reached.unknown) {
            break;
        }
    }
    return reached;
}

std::string candidate(const std::string& word, const std::string& help) {
    return word + '\t' + help.substr(0, help.find('\n'));
}

void addValues(std::vector<std::string>& found, const CLI::Option& option) {
    const auto choices = choicesOf(option);
    for (const std::string& choice : choices) {
        found.push_back(candidate(choice, ""));
    }
    if (choices.empty()) {
        const std::string kind = option.get_type_name();
        found.emplace_back(kind.starts_with("FOLDER") ? ":folder" : kind.starts_with("FILE") ? ":file" : "");
    }
}

}  // namespace

bool takesValue(const CLI::Option& option) {
    return option.get_items_expected_max() > 0;
}

std::vector<std::string> choicesOf(const CLI::Option& option) {
    const std::string kind = option.get_type_name();
    const auto begin = kind.find('{');
    const auto end = kind.find('}');
    std::vector<std::string> choices;
    if (begin != std::string::npos && end != std::string::npos) {
        for (const std::string_view one :
             split(std::string_view(kind).substr(begin + 1, end - begin - 1), ',')) {
            choices.emplace_back(one);
        }
    }
    return choices;
}

std::vector<std::string> completions(const CLI::App& app, const std::vector<std::string>& words) {
    std::vector<std::string> found;
    if (words.empty()) {
        return found;
    }
    const Reached reached = follow(app, {words.begin(), words.end() - 1});
    if (reached.unknown) {
        return found;
    }
    if (reached.option != nullptr) {
        addValues(found, *reached.option);
        return found;
    }
    if (words.back().starts_with("-")) {
        for (const CLI::Option* option : optionsOf(*reached.command, false)) {
            for (const std::string& name : namesOf(*option)) {
                found.push_back(candidate(name, option->get_description()));
            }
        }
        return found;
    }
    for (const CLI::App* command : reached.command->get_subcommands({})) {
        if (!command->get_group().empty()) {
            found.push_back(candidate(command->get_name(), command->get_description()));
        }
    }
    if (const auto positionals = optionsOf(*reached.command, true);
        reached.positionals < positionals.size()) {
        addValues(found, *positionals[reached.positionals]);
    }
    return found;
}

std::optional<std::string> unknownWord(const CLI::App& app, const std::vector<std::string>& words) {
    return follow(app, words).unknown;
}

}  // namespace dlperf::app
