// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdint>
#include <utility>

namespace dlperf {

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(end + 1);
    }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
    return fmt::format("{}", fmt::join(parts, separator));
}

std::string joinSome(const std::vector<std::string>& parts, std::size_t most, std::string_view separator,
                     std::string_view tail) {
    if (parts.size() <= most) {
        return join(parts, separator);
    }
    return fmt::format("{}{}and {} more", fmt::join(parts.data(), parts.data() + most, separator), tail,
                       parts.size() - most);
}

std::string_view trim(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n\v\f";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> wordsIn(std::string_view text, std::string_view separators) {
    std::vector<std::string_view> words;
    while (!(text = trim(text)).empty()) {
        const std::size_t end = std::min(text.find_first_of(separators), text.size());
        if (end > 0) {
            words.push_back(text.substr(0, end));
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        if (c >= 'A' && c <= 'Z') {
            c = static_cast<char>(c - 'A' + 'a');
        }
    }
    return result;
}

std::vector<std::string> linesOf(std::string_view text, std::string_view word) {
    std::vector<std::string> found;
    for (const std::string_view line : split(text, '\n')) {
        if (line == word) {
            found.emplace_back();
        } else if (line.size() > word.size() && line.starts_with(word) && line[word.size()] == ' ') {
            found.emplace_back(trim(line.substr(word.size() + 1)));
        }
    }
    return found;
}

std::string lineOf(std::string_view text, std::string_view word) {
    const auto found = linesOf(text, word);
    return found.empty() ? std::string() : found.front();
}

std::optional<int> toInt(std::string_view text) {
    return numberIn<int>(text);
}

std::string shellQuote(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'') {
            quoted += "'\\''";
        } else {
            quoted += c;
        }
    }
    return quoted + "'";
}

std::string exportLines(const std::map<std::string, std::string>& variables) {
    std::string lines;
    for (const auto& [name, value] : variables) {
        lines += fmt::format("export {}={}\n", name, shellQuote(value));
    }
    return lines;
}

std::string escapeHtml(std::string_view text) {
    using Entity = std::pair<char, std::string_view>;
    constexpr std::array entities{Entity{'&', "&amp;"}, Entity{'<', "&lt;"}, Entity{'>', "&gt;"},
                                  Entity{'"', "&quot;"}, Entity{'\'', "&#39;"}};
    std::string escaped;
    escaped.reserve(text.size());
    for (const char& c : text) {
        const auto* const found = std::ranges::find(entities, c, &Entity::first);
        escaped += found == entities.end() ? std::string_view(&c, 1) : found->second;
    }
    return escaped;
}

namespace {

// Length of the well-formed UTF-8 sequence at the front (RFC 3629), 0 if there is none.
std::size_t sequenceLength(std::string_view bytes) {
    const auto at = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
    const auto follows = [&](std::size_t i, std::uint8_t lowest, std::uint8_t highest) {
        return i < bytes.size() && at(i) >= lowest && at(i) <= highest;
    };
    const std::uint8_t lead = at(0);
    if (lead < 0x80) {
        return 1;
    }
    if (lead >= 0xC2 && lead <= 0xDF) {
        return follows(1, 0x80, 0xBF) ? 2 : 0;
    }
    if (lead >= 0xE0 && lead <= 0xEF) {
        const std::uint8_t lowest = lead == 0xE0 ? 0xA0 : 0x80;
        const std::uint8_t highest = lead == 0xED ? 0x9F : 0xBF;
        return follows(1, lowest, highest) && follows(2, 0x80, 0xBF) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const std::uint8_t lowest = lead == 0xF0 ? 0x90 : 0x80;
        const std::uint8_t highest = lead == 0xF4 ? 0x8F : 0xBF;
        return follows(1, lowest, highest) && follows(2, 0x80, 0xBF) && follows(3, 0x80, 0xBF) ? 4 : 0;
    }
    return 0;
}

// The optimal string alignment distance; row and column 0 stand for nothing.
std::size_t changesBetween(std::string_view from, std::string_view to) {
    std::vector<std::vector<std::size_t>> changes(from.size() + 1, std::vector<std::size_t>(to.size() + 1));
    for (std::size_t i = 0; i <= from.size(); ++i) {
        for (std::size_t j = 0; j <= to.size(); ++j) {
            if (i == 0 || j == 0) {
                changes[i][j] = i + j;
                continue;
            }
            const std::size_t changed = from[i - 1] == to[j - 1] ? 0 : 1;
            changes[i][j] =
                std::min({changes[i - 1][j] + 1, changes[i][j - 1] + 1, changes[i - 1][j - 1] + changed});
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1]) {
                changes[i][j] = std::min(changes[i][j], changes[i - 2][j - 2] + 1);
            }
        }
    }
    return changes[from.size()][to.size()];
}

}  // namespace

std::string cleanUtf8(std::string_view bytes) {
    std::string clean;
    clean.reserve(bytes.size());
    while (!bytes.empty()) {
        const std::size_t length = sequenceLength(bytes);
        if (length == 0) {
            clean += "\xEF\xBF\xBD";
            bytes.remove_prefix(1);
        } else {
            clean += bytes.substr(0, length);
            bytes.remove_prefix(length);
        }
    }
    return clean;
}

// UTF-8 sorts as the letters' numbers do.
bool isControlLetter(std::string_view letter) {
    const auto isWithin = [&](std::string_view first, std::string_view last) {
        return letter.size() == first.size() && letter >= first && letter <= last;
    };
    constexpr std::string_view null("\0", 1);
    return isWithin(null, "\x1F") || letter == "\x7F" || isWithin("\u0080", "\u009F") ||
           isWithin("\u2028", "\u202E") || isWithin("\u2066", "\u2069");
}

std::string withoutControls(std::string_view text, char instead, std::string_view kept) {
    std::string shown;
    const std::string clean = cleanUtf8(text);
    shown.reserve(clean.size());
    for (std::string_view rest = clean; !rest.empty();) {
        const std::string_view letter = rest.substr(0, sequenceLength(rest));
        rest.remove_prefix(letter.size());
        const bool isShown = !isControlLetter(letter) || kept.find(letter) != std::string_view::npos;
        shown += isShown ? letter : std::string_view(&instead, 1);
    }
    return shown;
}

std::string firstLine(std::string_view text) {
    constexpr std::size_t longest = 300;
    return cleanUtf8(trim(text.substr(0, text.find('\n'))).substr(0, longest));
}

namespace {

constexpr std::size_t longestName = 64;

bool isLetter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

bool isPlainName(std::string_view text) {
    const auto plain = [](char c) { return isLetter(c) || isDigit(c) || c == '.' || c == '_' || c == '-'; };
    return !text.empty() && text.size() <= longestName && text.front() != '.' && text.front() != '-' &&
           std::ranges::all_of(text, plain);
}

bool isVariableName(std::string_view text) {
    const auto plain = [](char c) { return isLetter(c) || isDigit(c) || c == '_'; };
    return !text.empty() && !isDigit(text.front()) && std::ranges::all_of(text, plain);
}

std::string nearestOf(std::string_view word, const std::vector<std::string>& known) {
    constexpr std::size_t mostLetters = 64;  // the time grows with the square
    std::size_t least = std::max<std::size_t>(1, std::min(word.size(), mostLetters) / 3) + 1;
    std::string nearest;
    for (const std::string& one : known) {
        if (const std::size_t changes = word.size() > mostLetters ? least : changesBetween(word, one);
            changes < least) {
            least = changes;
            nearest = one;
        }
    }
    return nearest;
}

std::string refusedName(std::string_view text) {
    return cleanUtf8(text.substr(0, longestName)) + (text.size() > longestName ? "…" : "");
}

bool hasNul(std::string_view text) {
    return text.find('\0') != std::string_view::npos;
}

}  // namespace dlperf
