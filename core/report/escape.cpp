// SPDX-License-Identifier: Apache-2.0
#include "core/report/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/text.h"

namespace dlperf::report {
namespace {

bool isWordCharacter(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// "image_size" needs no escape, "_size_" does.
bool insideWord(std::string_view text, std::size_t at) {
    return at > 0 && at + 1 < text.size() && isWordCharacter(text[at - 1]) && isWordCharacter(text[at + 1]);
}

}  // namespace

std::string terminalText(std::string_view text) {
    return withoutControls(text, ' ');
}

std::string escapeMarkdown(std::string_view text) {
    const std::string line = terminalText(text);
    std::string escaped;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '&') {
            escaped += "&amp;";
        } else if (c == '<') {
            escaped += "&lt;";
        } else {
            const bool special = std::string_view("\\`*[]|~#>!").find(c) != std::string_view::npos;
            escaped += special || (c == '_' && !insideWord(line, i)) ? "\\" : "";
            escaped += c;
        }
    }
    return escaped;
}

std::string escapeLatex(std::string_view text) {
    using Command = std::pair<char, const char*>;
    constexpr std::array commands{Command{'\\', "\\textbackslash{}"}, Command{'~', "\\textasciitilde{}"},
                                  Command{'^', "\\textasciicircum{}"},
                                  Command{'[', "{[}"}};  // behind the \\ of a row it would begin an option
    std::string escaped;
    for (const char c : terminalText(text)) {
        if (const auto* const found = std::ranges::find(commands, c, &Command::first);
            found != commands.end()) {
            escaped += found->second;
        } else {
            escaped += std::string_view("{}#$%&_").find(c) == std::string_view::npos ? "" : "\\";
            escaped += c;
        }
    }
    constexpr std::string_view atMost = "≤";  // LaTeX's usual fonts have none
    for (std::size_t at = 0; (at = escaped.find(atMost, at)) != std::string::npos;) {
        escaped.replace(at, atMost.size(), "$\\le$");
    }
    return escaped;
}

std::string csvText(std::string_view text) {
    std::string field = withoutControls(text, ' ', "\t\r\n");
    if (!field.empty() && std::string_view("=+-@\t\r").find(field.front()) != std::string_view::npos) {
        field.insert(0, "'");
    }
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
        return field;
    }
    std::string quoted = "\"";
    for (const char c : field) {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + "\"";
}

std::string csvNumber(double value) {
    return std::isfinite(value) ? fmt::format("{}", value) : "";
}

}  // namespace dlperf::report
