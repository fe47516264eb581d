// SPDX-License-Identifier: Apache-2.0
#include "app/hint_lines.h"

#include <fmt/format.h>

#include "app/run_inputs.h"
#include "core/model/node_name.h"

namespace dlperf::app {

std::string hintLines(const std::vector<diagnosis::Hint>& hints, const std::string& indentation) {
    std::string text;
    const std::string colon = terminalTranslation().joint(": ");
    const auto add = [&](const std::string& head, const std::string& said) {
        if (!said.empty()) {
            text += "\n" + indentation + told(head) + colon + said;
        }
    };
    for (const diagnosis::Hint& hint : hints) {
        add("cause", told(hint.what + (hint.why.empty() ? "" : " " + hint.why)));
        add("remedy", told(hint.remedy));
        add("command", printable(hint.command));
        if (hint.line > 0) {  // what the trainer printed stays as it is
            add(fmt::format("said: line {} of {}", hint.line, nodeTitle(hint.node)),
                printable(hint.evidence));
        }
    }
    return text;
}

}  // namespace dlperf::app
