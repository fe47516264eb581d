// SPDX-License-Identifier: Apache-2.0
#include "core/publish/mask.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>

namespace dlperf::publish {
namespace {

bool isWordByte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// "localhost" and numbers of one digit are everywhere, and say nothing of anybody.
bool isTelling(const std::string& word) {
    constexpr std::array common{"localhost", "127.0.0.1", "::1", "root", "this", "this machine"};
    return word.size() > 1 && std::ranges::find(common, word) == common.end();
}

std::string replaced(std::string_view text, const std::string& word, const std::string& instead) {
    std::string result;
    std::size_t begin = 0;
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, begin)) {
        const std::size_t end = at + word.size();
        const bool isWhole =
            (at == 0 || !isWordByte(text[at - 1])) && (end == text.size() || !isWordByte(text[end]));
        result += text.substr(begin, at - begin);
        result += isWhole ? instead : word;
        begin = end;
    }
    return result + std::string(text.substr(begin));
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
        add(textOf(node, "user"), "user");
    }
}

std::string Mask::operator()(std::string_view text) const {
    std::string masked(text);
    static const re2::RE2 addresses(
        R"((\binterface=\S+ -?\d+(?: used)?)(?: [0-9A-Fa-f]*[:.][0-9A-Fa-f:.]*(?:/\d+)?)+)");
    re2::RE2::GlobalReplace(&masked, addresses, R"(\1)");
    for (const auto& [word, instead] : words_) {
        masked = replaced(masked, word, instead);
    }
    static const re2::RE2 home(R"((^|[^\w./~-])(?:/home/[\w.-]+|/root)(/|\b))");
    static const re2::RE2 secret(
        R"re((?i)(\b\w*(?:passw(?:or)?d|token|secret|api_?key|credential)\w*["']?\s*[=:]\s*["']?)[^\s"',]+)re");
    re2::RE2::GlobalReplace(&masked, home, R"(\1~\2)");
    re2::RE2::GlobalReplace(&masked, secret, R"(\1masked)");
    return masked;
}

}  // namespace dlperf::publish
