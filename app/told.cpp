// SPDX-License-Identifier: Apache-2.0
#include "app/told.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <string_view>

#include "core/base/text.h"
#include "core/report/table.h"

namespace dlperf::app {

// Neither control characters of ASCII nor those of Unicode (C2 80 to C2 9F), which a terminal may obey too.
std::string printable(const std::string& text) {
    std::string clean;
    for (const char letter : cleanUtf8(text)) {
        const auto byte = static_cast<unsigned char>(letter);
        const bool second = !clean.empty() && clean.back() == '\xC2' && byte >= 0x80 && byte < 0xA0;
        if (second) {
            clean.back() = '?';
        } else {
            clean += letter == '\t' ? ' ' : byte < 0x20 || byte == 0x7f ? '?' : letter;
        }
    }
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
