// SPDX-License-Identifier: Apache-2.0
#include "app/told.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <string_view>

#include "core/base/text.h"
#include "core/report/table.h"

namespace dlperf::app {

std::string printable(const std::string& text) {
    std::string clean = withoutControls(text, '?', "\t");
    std::ranges::replace(clean, '\t', ' ');
    return clean;
}

const Translation& terminalTranslation() {
    return Translation::to(languageOfTerminal());
}

std::string told(const std::string& english) {
    return printable(terminalTranslation()(english));
}

std::string labelled(const char* label, const std::string& text) {
    constexpr std::size_t width = 12;
    std::string own = told(std::string(label) + ":");  // "state:" is a label, "state" may be a name
    const std::string_view colon = own.ends_with(':') ? ":" : "\uFF1A";
    own.erase(own.ends_with(colon) ? own.size() - colon.size() : own.size());
    const std::size_t taken = report::displayWidth(own);
    return own + std::string(taken < width ? width - taken : 0, ' ') + "  " + text;
}

std::string coloured(Colour colour, const std::string& text) {
    constexpr std::array codes{"32", "33", "31"};
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string_view(value != nullptr ? value : "");
    };
    const bool has =
        ::isatty(STDOUT_FILENO) == 1 && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
    return has ? fmt::format("\033[{}m{}\033[0m", codes.at(static_cast<std::size_t>(colour)), text) : text;
}

}  // namespace dlperf::app
