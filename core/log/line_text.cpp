// SPDX-License-Identifier: Apache-2.0
#include "core/log/line_text.h"

#include <re2/filtered_re2.h>
#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>

#include "core/analysis/capture.h"
#include "core/analysis/terminal_escape.h"

namespace dlperf::log {
namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

char upperOf(char letter) {
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
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

}  // namespace

namespace {

// The longest part of a text that a line's bytes hold where the line as it is shown holds the text: a tab is
// shown as four blanks.
std::string partInBytes(std::string_view text) {
    static constexpr std::string_view tab = "    ";
    std::string_view longest;
    while (!text.empty()) {
        std::string_view part = text.substr(0, text.find(tab));
        text.remove_prefix(std::min(text.size(), part.size() + tab.size()));
        part.remove_prefix(std::min(part.size(), part.find_first_not_of(' ')));
        part = part.substr(0, part.find_last_not_of(' ') + 1);
        longest = part.size() > longest.size() ? part : longest;
    }
    return std::string(longest);
}

// RE2 knows texts that a pattern needs, in lower case; of them the longest without which it can match
// nothing.
std::string neededBy(std::string_view pattern, const RE2::Options& options) {
    re2::FilteredRE2 filter;
    int id = 0;
    std::vector<std::string> atoms;
    if (filter.Add(pattern, options, &id) != RE2::NoError) {
        return {};
    }
    filter.Compile(&atoms);
    std::string longest;
    for (std::size_t left = 0; left < atoms.size(); ++left) {
        std::vector<int> others;
        for (std::size_t i = 0; i < atoms.size(); ++i) {
            if (i != left) {
                others.push_back(static_cast<int>(i));
            }
        }
        std::vector<int> possible;
        filter.AllPotentials(others, &possible);
        const std::string part = partInBytes(atoms[left]);
        if (possible.empty() && part.size() > longest.size()) {
            longest = part;
        }
    }
    return longest;
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
    if (!search->ok()) {
        return;
    }
    search_ = std::move(search);
    if (isPattern) {
        needle_ = neededBy(what, options);
    } else {
        std::string lower(what);
        std::ranges::transform(lower, lower.begin(),
                               [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        needle_ = partInBytes(lower);
    }
}

bool LineSearch::finds(std::string_view line) const {
    return RE2::PartialMatch(line, *search_);
}

void NeedleWalk::start(std::string_view block) {
    const char letter = needle_.text()[needle_.rarest()];
    block_ = block;
    lower_ = block.find(letter);
    upper_ = upperOf(letter) == letter ? std::string_view::npos : block.find(upperOf(letter));
    escape_ = block.find('\x1b');
}

std::size_t NeedleWalk::next(std::size_t from) {
    const std::string_view needle = needle_.text();
    const auto goOn = [&](std::size_t& known, char letter, std::size_t at) {
        if (known < at) {
            known = block_.find(letter, at);
        }
    };
    const auto isSame = [](char wanted, char is) { return wanted == is || upperOf(wanted) == is; };
    goOn(escape_, '\x1b', from);
    for (std::size_t at = from;;) {
        goOn(lower_, needle[needle_.rarest()], at + needle_.rarest());
        goOn(upper_, upperOf(needle[needle_.rarest()]), at + needle_.rarest());
        const std::size_t letter = std::min(lower_, upper_);
        if (letter == std::string_view::npos || letter > escape_) {
            return escape_;
        }
        at = letter - needle_.rarest();
        const std::string_view here = block_.substr(at, needle.size());
        if (std::ranges::equal(needle, here, isSame)) {
            return at;
        }
        ++at;
    }
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
            const std::size_t length = analysis::escapeLength(shown.substr(i));
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
