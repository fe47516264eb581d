// SPDX-License-Identifier: Apache-2.0
#include "core/base/printed_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/base/text.h"

namespace dlperf {
namespace {

// The bytes of the letter at the front of UTF-8.
std::string_view firstLetter(std::string_view text) {
    const int ones = std::countl_one(static_cast<std::uint8_t>(text.front()));
    return text.substr(0, ones < 2 ? 1 : static_cast<std::size_t>(ones));
}

// In Unicode, of a letter of up to three bytes.
std::uint32_t numberOf(std::string_view letter) {
    constexpr std::array<std::uint32_t, 4> ofFirst{0, 0x7F, 0x1F, 0x0F};  // its bits, by length
    std::uint32_t number = static_cast<std::uint8_t>(letter.front()) & ofFirst.at(letter.size());
    for (const char c : letter.substr(1)) {
        number = number << 6U | (static_cast<std::uint8_t>(c) & 0x3FU);
    }
    return number;
}

// Those of one byte below a blank are the line ends and indents around the texts: within them they are
// escaped.
bool isObeyed(std::string_view letter) {
    return letter == "\x7F" || (letter.size() > 1 && isControlLetter(letter));
}

}  // namespace

std::string printedJson(const Json& json, int indent) {
    return escapeControls(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

std::string escapeControls(std::string_view json) {
    std::string escaped;
    escaped.reserve(json.size());
    while (!json.empty()) {
        const std::string_view letter = firstLetter(json);
        if (isObeyed(letter)) {
            escaped += fmt::format("\\u{:04x}", numberOf(letter));
        } else {
            escaped += letter;
        }
        json.remove_prefix(letter.size());
    }
    return escaped;
}

}  // namespace dlperf
