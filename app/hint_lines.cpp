// SPDX-License-Identifier: Apache-2.0
#include "app/hint_lines.h"

#include <fmt/format.h>

#include "app/run_inputs.h"

namespace dlperf::app {

std::string hintLines(const std::vector<diagnosis::Hint>& hints, const std::string& indentation) {
    std::string text;
    const auto add = [&](const char* word, const std::string& said) {
        if (!said.empty()) {
            text += "\n" + indentation + told(fmt::format("{}: {}", word, said));
        }
    };
    for (const diagnosis::Hint& hint : hints) {
        add("cause", hint.what + (hint.why.empty() ? "" : " " + hint.why));
        add("remedy", hint.remedy);
        add("command", hint.command);
        if (hint.line > 0) {
            add("said", fmt::format("line {} of {}: {}", hint.line, hint.node, hint.evidence));
        }
    }
    return text;
}

}  // namespace dlperf::app
