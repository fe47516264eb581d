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

const std::string* Mask::insteadOf(const std::string& word) const {
    const auto known = std::ranges::find(words_, word, &std::pair<std::string, std::string>::first);
    return known == words_.end() ? nullptr : &known->second;
}

void Mask::add(const std::string& word, const std::string& instead) {
    if (isTelling(word) && insteadOf(word) == nullptr) {
        words_.emplace_back(word, instead);
        std::ranges::stable_sort(words_, std::greater<>(), [](const auto& one) { return one.first.size(); });
    }
}

// Nodes of several campaigns are the same where they have the same name.
void Mask::addMachine(const Json& node) {
    const std::string name = textOf(node, "name").empty() ? textOf(node, "host") : textOf(node, "name");
    const std::string* known = insteadOf(name);
    constexpr std::array fields{"name", "host", "address"};
    const bool isTold =
        std::ranges::any_of(fields, [&](const char* field) { return isTelling(textOf(node, field)); });
    nodes_ += known == nullptr && isTold ? 1 : 0;
    const std::string instead = known != nullptr ? *known : "node" + std::to_string(nodes_);
    for (const char* field : fields) {
        add(textOf(node, field), instead);
    }
    add(textOf(node, "user"), account);
}

void Mask::addNode(const std::string& name) {
    addMachine({{"name", name}});
}

void Mask::addCluster(const Json& cluster) {
    if (!cluster.is_object()) {
        return;
    }
    const auto nodes = cluster.find("nodes");
    for (const Json& node : nodes != cluster.end() && nodes->is_array() ? *nodes : Json::array()) {
        addMachine(node);
    }
    const auto slurm = cluster.find("slurm");
    if (slurm != cluster.end() && slurm->is_object() && slurm->contains("login")) {
        addMachine(slurm->at("login"));
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
