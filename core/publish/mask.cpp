// SPDX-License-Identifier: Apache-2.0
#include "core/publish/mask.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>

namespace dlperf::publish {
namespace {

constexpr const char* account = "user";  // in the place of anybody's

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isWordByte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_';
}

// "localhost" and numbers are everywhere, and say nothing of anybody.
bool isTelling(const std::string& word) {
    constexpr std::array common{"localhost", "127.0.0.1", "::1", "root", "this", "this machine"};
    return !std::ranges::all_of(word, isDigit) && word.size() > 1 &&
           std::ranges::find(common, word) == common.end();
}

bool standsAt(std::string_view text, std::size_t at, const std::string& word, bool isAccount) {
    const auto goesOn = [isAccount](char c) { return isWordByte(c) || (isAccount && c == '-'); };
    const std::size_t end = at + word.size();
    return text.substr(at).starts_with(word) && (at == 0 || !goesOn(text[at - 1])) &&
           (end == text.size() || !goesOn(text[end]));
}

}  // namespace

void Mask::add(const std::string& word, const std::string& instead) {
    const bool isKnown = std::ranges::any_of(words_, [&](const auto& known) { return known.first == word; });
    if (isTelling(word) && !isKnown) {
        words_.emplace_back(word, instead);
        std::ranges::stable_sort(words_, std::greater<>(), [](const auto& one) { return one.first.size(); });
    }
}

void Mask::addCluster(const Json& cluster) {
    if (!cluster.is_object() || !cluster.contains("nodes") || !cluster["nodes"].is_array()) {
        return;
    }
    for (const Json& node : cluster["nodes"]) {
        const std::string number = std::to_string(++nodes_);
        for (const char* field : {"name", "host", "address"}) {
            add(textOf(node, field), "node" + number);
        }
        add(textOf(node, "user"), account);
    }
}

// In one pass: what stands in a word's place may be another node's name.
std::string Mask::withoutWords(std::string_view text) const {
    std::array<bool, 256> begins{};
    for (const auto& [word, instead] : words_) {
        begins.at(static_cast<unsigned char>(word.front())) = true;
    }
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const auto found =
            begins.at(static_cast<unsigned char>(text[at]))
                ? std::ranges::find_if(
                      words_,
                      [&](const auto& one) { return standsAt(text, at, one.first, one.second == account); })
                : words_.end();
        if (found == words_.end()) {
            result += text[at++];
        } else {
            result += found->second;
            at += found->first.size();
        }
    }
    return result;
}

std::string Mask::operator()(std::string_view text) const {
    std::string masked(text);
    static const re2::RE2 addresses(
        R"((\binterface=\S+ -?\d+(?: used)?)(?: [0-9A-Fa-f]*[:.][0-9A-Fa-f:.]*(?:/\d+)?)+)");
    re2::RE2::GlobalReplace(&masked, addresses, R"(\1)");
    masked = withoutWords(masked);
    static const re2::RE2 home(R"((^|[^\w./~-])(?:/home/[\w.-]+|/root)(/|\b))");
    static const re2::RE2 secret(
        R"re((?i)(\b\w*(?:passw(?:or)?d|token|secret|api_?key|credential)\w*["']?\s*[=:]\s*["']?)[^\s"',]+)re");
    re2::RE2::GlobalReplace(&masked, home, R"(\1~\2)");
    re2::RE2::GlobalReplace(&masked, secret, R"(\1masked)");
    return masked;
}

}  // namespace dlperf::publish
