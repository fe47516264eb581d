// SPDX-License-Identifier: Apache-2.0
#include "base/option_table.h"

#include <algorithm>

#include "base/failure.h"

namespace dlperf::worker {

void refuse(const std::string& message) {
    throw Failure(ExitCode::Usage, message + " (--help lists the options)");
}

void parse(const std::vector<Option>& table, const std::vector<std::string>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        const std::size_t equals = argument.find('=');
        const std::string name = argument.substr(0, equals);
        const auto option = std::find_if(table.begin(), table.end(), [&](const Option& candidate) {
            return name.starts_with("--") && name.substr(2) == candidate.name;
        });
        if (option == table.end()) {
            refuse("unknown option '" + argument + "'");
        }
        std::string value;
        if (option->value.empty()) {
            if (equals != std::string::npos) {
                refuse(name + " takes no value");
            }
        } else if (equals != std::string::npos) {
            value = argument.substr(equals + 1);
        } else if (i + 1 < arguments.size()) {
            value = arguments[++i];
        } else {
            refuse(name + " needs a value");
        }
        if (const auto allowed = option->set(value)) {
            std::string message = name;
            refuse(message.append(" must be ").append(*allowed).append(", not '").append(value).append("'"));
        }
    }
}

std::string helpOn(const std::vector<Option>& table) {
    std::string lines;
    for (const Option& option : table) {
        std::string left = "  --" + std::string(option.name) + " " + std::string(option.value);
        left.resize(std::max<std::size_t>(left.size() + 2, 24), ' ');
        lines.append(left).append(option.help).append("\n");
    }
    return lines;
}

}  // namespace dlperf::worker
