// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_asker.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"

namespace dlperf::remote {
namespace {

constexpr std::size_t longestText = 1000;  // bytes of a host's words in a dialog
constexpr std::size_t mostPrompts = 16;

// Remote text for a dialog or a terminal: no control characters (they would move the cursor), and not
// endless.
std::string shown(std::string_view text, bool lines) {
    std::string clean = cleanUtf8(text.substr(0, longestText));
    std::replace_if(
        clean.begin(), clean.end(),
        [&](unsigned char c) { return (c < ' ' && (c != '\n' || !lines)) || c == '\x7f'; }, ' ');
    return std::string(trim(clean));
}

std::string accountOf(const SshSettings& settings) {
    return fmt::format("{}@{}", settings.user, knownHostName(settings.host, settings.port));
}

}  // namespace

std::optional<std::string> SshAsker::passphrase(const std::filesystem::path& key,
                                                const std::optional<std::string>& wrong) {
    if (!answers_) {
        return {};
    }
    const PromptRound round{.node = node_,
                            .title = fmt::format("Passphrase of the key {}", cleanUtf8(key.string())),
                            .instruction = wrong ? "The last one does not fit." : "",
                            .prompts = {{"Passphrase", false}},
                            .id = "key " + key.string(),
                            .again = wrong.has_value()};
    return wait([&](const Limits& limits) { return answers_->secret(round.id, round, wrong, limits); });
}

std::optional<std::string> SshAsker::password(const SshSettings& settings,
                                              const std::optional<std::string>& wrong) {
    if (!answers_) {
        return {};
    }
    const PromptRound round{.node = node_,
                            .title = fmt::format("Password of {}", cleanUtf8(accountOf(settings))),
                            .instruction = wrong ? "The host did not take the last one." : "",
                            .prompts = {{"Password", false}},
                            .id = "password " + accountOf(settings),
                            .again = wrong.has_value()};
    return wait([&](const Limits& limits) { return answers_->secret(round.id, round, wrong, limits); });
}

std::optional<std::vector<std::string>> SshAsker::prompts(const SshSettings& settings, std::string_view name,
                                                          std::string_view instruction,
                                                          std::vector<Prompt> prompts) {
    if (prompts.empty()) {
        return std::vector<std::string>();
    }
    if (!answers_ || prompts.size() > mostPrompts) {
        return {};
    }
    for (Prompt& prompt : prompts) {
        prompt.text = shown(prompt.text, false);
    }
    const std::string said = shown(name, false);
    const PromptRound round{
        .node = node_,
        .title = fmt::format("{} asks{}", cleanUtf8(accountOf(settings)), said.empty() ? "" : ": " + said),
        .instruction = shown(instruction, true),
        .prompts = std::move(prompts),
        .id = {},
        .again = false};
    return wait([&](const Limits& limits) {
        return answers_->once("prompts " + accountOf(settings), round, limits);
    });
}

HostKeyAnswer SshAsker::hostKey(HostKeyQuestion question) {
    if (!answers_) {
        return HostKeyAnswer::Refuse;
    }
    question.node = node_;
    return wait([&](const Limits& limits) { return answers_->hostKey(question, limits); });
}

}  // namespace dlperf::remote
