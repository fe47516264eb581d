// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/terminal_escape.h"

#include <algorithm>

namespace dlperf::analysis {

std::size_t escapeLength(std::string_view text) {
    const auto within = [&](std::size_t at, char low, char high) {
        return at < text.size() && text[at] >= low && text[at] <= high;
    };
    std::size_t at = 2;
    if (text.size() < 2) {
        return 1;
    }
    if (text[1] == '[') {
        while (within(at, ' ', '?')) {
            ++at;
        }
        return within(at, '@', '~') ? at + 1 : 1;
    }
    if (text[1] == ']') {
        at = std::min(text.find_first_of("\x07\x1b", at), text.size());
        return std::min(text.size(), at + (text.substr(at).starts_with("\x1b\\") ? 2 : 1));
    }
    at = 1;
    while (within(at, ' ', '/')) {
        ++at;
    }
    return within(at, '0', '~') ? at + 1 : 1;
}

std::string_view withoutEscapes(std::string_view line, std::string& buffer) {
    std::size_t escape = line.find('\x1b');
    if (escape == std::string_view::npos) {
        return line;
    }
    buffer.clear();
    while (escape != std::string_view::npos) {
        buffer += line.substr(0, escape);
        line.remove_prefix(escape + escapeLength(line.substr(escape)));
        escape = line.find('\x1b');
    }
    return buffer += line;
}

}  // namespace dlperf::analysis
