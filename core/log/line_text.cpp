// SPDX-License-Identifier: Apache-2.0
#include "core/log/line_text.h"

#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "core/analysis/capture.h"

namespace dlperf::log {
namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

// Takes a number of at most nine digits from the begin of `rest`.
std::optional<int> takeNumber(std::string_view& rest) {
    std::size_t digits = 0;
    while (digits < rest.size() && digits < 9 && isDigit(rest[digits])) {
        ++digits;
    }
    int value = 0;
    if (digits == 0 || std::from_chars(rest.data(), rest.data() + digits, value).ec != std::errc()) {
        return std::nullopt;
    }
    rest.remove_prefix(digits);
    return value;
}

bool take(std::string_view& rest, std::string_view text) {
    if (!rest.starts_with(text)) {
        return false;
    }
    rest.remove_prefix(text.size());
    return true;
}

bool takeStream(std::string_view& rest) {
    return take(rest, "<stdout>") || take(rest, "<stderr>");
}

std::optional<Prefix> prefixUntil(std::string_view line, std::string_view rest, int rank) {
    return Prefix{line.size() - rest.size(), rank, -1};
}

// "[rank3]:", "[default3]:" (torchrun), "[1,3]<stdout>:" (mpirun), "[3]<stdout>:" (horovodrun).
std::optional<Prefix> bracketPrefix(std::string_view line) {
    std::string_view rest = line.substr(1);
    const bool named = take(rest, "rank") || take(rest, "default");
    auto rank = takeNumber(rest);
    if (!rank) {
        return std::nullopt;
    }
    if (named) {
        if (!take(rest, "]")) {
            return std::nullopt;
        }
        take(rest, ":");
        return prefixUntil(line, rest, *rank);
    }
    const bool job = take(rest, ",");
    if (job) {
        rank = takeNumber(rest);
    }
    const bool closed = rank && take(rest, "]");
    const bool stream = closed && takeStream(rest);
    return closed && (job || stream) && take(rest, ":") ? prefixUntil(line, rest, *rank) : std::nullopt;
}

// srun --label: " 3: "
std::optional<Prefix> labelPrefix(std::string_view line) {
    std::string_view rest = line;
    for (int i = 0; i < 3 && rest.starts_with(' '); ++i) {
        rest.remove_prefix(1);
    }
    const std::size_t before = rest.size();
    const auto rank = takeNumber(rest);
    const bool isLabel = rank && before - rest.size() <= 4 && take(rest, ": ");
    return isLabel ? prefixUntil(line, rest, *rank) : std::nullopt;
}

// ":211:342 [0]" behind a node's name.
std::optional<int> takeNccl(std::string_view& rest) {
    std::string_view at = rest;
    const bool begins = take(at, ":") && takeNumber(at) && take(at, ":") && takeNumber(at) && take(at, " [");
    const auto rank = begins ? takeNumber(at) : std::nullopt;
    if (!rank || !take(at, "]")) {
        return std::nullopt;
    }
    rest = at;
    return rank;
}

std::optional<Prefix> nodePrefix(std::string_view line, const std::vector<std::string>& nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        std::string_view rest = line;
        const bool bracket = take(rest, "[");
        if (nodes[i].empty() || !take(rest, nodes[i])) {
            continue;
        }
        std::optional<int> rank;
        if (!bracket) {
            rank = takeNccl(rest);
        }
        if (rank || take(rest, bracket ? "]" : ":")) {
            return Prefix{line.size() - rest.size(), rank, static_cast<int>(i)};
        }
    }
    return std::nullopt;
}

// The length of the escape sequence that `text` begins with: CSI (colours, cursor), OSC (titles, links; ended
// by BEL or ST), and the short ones. 1, the escape itself, for what is none of them.
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

}  // namespace

LineSearch::LineSearch(std::string_view what, bool isPattern) {
    if (what.empty() || !isPlainAscii(what)) {
        return;
    }
    RE2::Options options = analysis::byBytes();
    options.set_literal(!isPattern);
    options.set_case_sensitive(isPattern);
    options.set_never_capture(true);
    auto search = std::make_shared<const RE2>(what, options);
    if (search->ok()) {
        search_ = std::move(search);
    }
}

bool LineSearch::finds(std::string_view line) const {
    return RE2::PartialMatch(line, *search_);
}

std::string_view lastState(std::string_view bytes) {
    while (bytes.ends_with('\r') || bytes.ends_with('\n')) {
        bytes.remove_suffix(1);
    }
    // Not rfind(), which goes from letter to letter: this is asked for every line of a log.
    const void* back = bytes.empty() ? nullptr : ::memrchr(bytes.data(), '\r', bytes.size());
    return back == nullptr
               ? bytes
               : bytes.substr(static_cast<std::size_t>(static_cast<const char*>(back) - bytes.data()) + 1);
}

std::string plainLine(std::string_view bytes) {
    const std::string_view shown = lastState(bytes);
    std::string plain;
    plain.reserve(shown.size() + 16);
    for (std::size_t i = 0; i < shown.size();) {
        const std::size_t special = std::min(shown.find_first_of("\t\x1b", i), shown.size());
        plain += shown.substr(i, special - i);
        i = special;
        if (i < shown.size() && shown[i] == '\t') {
            plain += "    ";
            ++i;
        } else if (i < shown.size()) {
            const std::size_t length = escapeLength(shown.substr(i));
            if (length == 1) {
                plain += shown[i];  // no sequence: it is to be seen
            }
            i += length;
        }
    }
    return plain;
}

bool isPlainAscii(std::string_view bytes) {
    unsigned odd = 0;  // without a branch a letter, so that the compiler takes many at once
    for (const char c : bytes) {
        odd |= static_cast<unsigned>(static_cast<unsigned char>(c - ' ') > '~' - ' ');
    }
    return odd == 0;
}

std::optional<Prefix> prefixOf(std::string_view line, const std::vector<std::string>& nodes) {
    if (line.empty()) {
        return std::nullopt;
    }
    if (line[0] == '[') {
        if (const auto prefix = bracketPrefix(line)) {
            return prefix;
        }
    } else if (line[0] == ' ' || isDigit(line[0])) {
        if (const auto prefix = labelPrefix(line)) {
            return prefix;
        }
    }
    return nodePrefix(line, nodes);
}

std::string_view afterPrefix(std::string_view line, const std::vector<std::string>& nodes) {
    if (const auto prefix = prefixOf(line, nodes)) {
        line.remove_prefix(prefix->length);
        take(line, " ");
    }
    return line;
}

}  // namespace dlperf::log
