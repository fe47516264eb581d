// SPDX-License-Identifier: Apache-2.0
#include "core/remote/credentials.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/remote/known_hosts.h"

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

std::string toJson(const CachedCredentials& credentials) {
    // What is no UTF-8 cannot be handed on: the other program does not know it then.
    return Json{{"secrets", credentials.secrets}, {"trusted", credentials.trusted}}.dump(
        -1, ' ', true, Json::error_handler_t::replace);
}

Result<CachedCredentials> cachedCredentialsFromJson(std::string_view text) {
    const Json json = Json::parse(text, nullptr, false);
    const auto isText = [](const Json& value) { return value.is_string(); };
    const bool good = json.is_object() && json.contains("secrets") && json["secrets"].is_object() &&
                      std::all_of(json["secrets"].begin(), json["secrets"].end(), isText) &&
                      json.contains("trusted") && json["trusted"].is_array() &&
                      std::all_of(json["trusted"].begin(), json["trusted"].end(), isText);
    if (!good) {
        return fail("what stands there are no answers to logins", "standard input",
                    "Leave --answers to the window; on a terminal you are asked.");
    }
    return CachedCredentials{json["secrets"].get<std::map<std::string, std::string>>(),
                             json["trusted"].get<std::set<std::string>>()};
}

// The right to ask. The memory is locked but for while the question is open; who waits for his turn may find
// his question answered.
class CredentialCache::Turn {
public:
    Turn(CredentialCache& cache, const Limits& limits) : cache_(cache), lock_(cache.mutex_) {
        mine_ = cache_.free_.wait_for(lock_, limits.stop, limits.deadline, [&] { return !cache_.asking_; });
        cache_.asking_ = cache_.asking_ || mine_;
    }
    ~Turn() {
        if (mine_) {
            cache_.asking_ = false;
            cache_.free_.notify_all();
        }
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    [[nodiscard]] bool mine() const { return mine_; }

    template <class Ask>
    auto ask(const Ask& question) {
        lock_.unlock();
        auto answer = question();
        lock_.lock();
        return answer;
    }

private:
    CredentialCache& cache_;
    std::unique_lock<std::mutex> lock_;
    bool mine_ = false;
};

CredentialCache::CredentialCache(AuthCallbacks callbacks, CachedCredentials cached)
    : callbacks_(std::move(callbacks)), cached_(std::move(cached)) {}

std::optional<std::string> CredentialCache::secret(const std::string& id, const PromptRequest& request,
                                                   const std::optional<std::string>& wrong,
                                                   const Limits& limits) {
    Turn turn(*this, limits);
    const auto kept = cached_.secrets.find(id);
    if (kept != cached_.secrets.end() && kept->second != wrong) {
        return kept->second;
    }
    if (!turn.mine() || !canPrompt() || refused_.contains(id)) {
        return {};
    }
    const auto given = turn.ask([&] { return callbacks_.prompts(request, limits); });
    if (!given || given->size() != 1) {
        refuse(id, limits);
        return {};
    }
    return cached_.secrets[id] = given->front();
}

std::optional<std::vector<std::string>> CredentialCache::once(const std::string& id,
                                                              const PromptRequest& request,
                                                              const Limits& limits) {
    Turn turn(*this, limits);
    if (!turn.mine() || !canPrompt() || refused_.contains(id)) {
        return {};
    }
    auto given = turn.ask([&] { return callbacks_.prompts(request, limits); });
    if (given && given->size() == request.prompts.size()) {
        return given;
    }
    refuse(id, limits);
    return {};
}

HostKeyDecision CredentialCache::hostKey(const HostKeyRequest& request, const Limits& limits) {
    const std::string id = "host " + request.host + " " + request.type + " " + request.fingerprint;
    Turn turn(*this, limits);
    if (cached_.trusted.contains(id)) {
        return HostKeyDecision::TrustOnce;
    }
    if (!turn.mine() || !callbacks_.hostKey || refused_.contains(id)) {
        return HostKeyDecision::Refuse;
    }
    const HostKeyDecision answer = turn.ask([&] { return callbacks_.hostKey(request, limits); });
    if (answer != HostKeyDecision::Refuse) {
        cached_.trusted.insert(id);
    } else {
        refuse(id, limits);
    }
    return answer;
}

// Nobody who answers in time has refused too: he would be asked for ever. A stop is no answer.
void CredentialCache::refuse(const std::string& id, const Limits& limits) {
    if (!limits.stop.stop_requested()) {
        refused_.insert(id);
    }
}

CachedCredentials CredentialCache::cached() {
    const std::scoped_lock lock(mutex_);
    return cached_;
}

void CredentialCache::forgetRefusals() {
    const std::scoped_lock lock(mutex_);
    refused_.clear();
}

std::optional<std::string> CredentialProvider::passphrase(const std::filesystem::path& key,
                                                          const std::optional<std::string>& wrong) {
    return secret("Passphrase", "of the key " + key.string(), "The last one does not fit.",
                  "key " + key.string(), wrong);
}

std::optional<std::string> CredentialProvider::password(const SshSettings& settings,
                                                        const std::optional<std::string>& wrong) {
    const std::string account = accountOf(settings);
    return secret("Password", "of " + account, "The host did not take the last one.", "password " + account,
                  wrong);
}

std::optional<std::string> CredentialProvider::secret(const std::string& kind, const std::string& owner,
                                                      const char* complaint, std::string id,
                                                      const std::optional<std::string>& wrong) {
    if (!cache_) {
        return {};
    }
    const PromptRequest request{.node = node_,
                                .title = kind + " " + cleanUtf8(owner),
                                .instruction = wrong ? complaint : "",
                                .prompts = {{kind, false}},
                                .id = std::move(id),
                                .again = wrong.has_value()};
    return wait([&](const Limits& limits) { return cache_->secret(request.id, request, wrong, limits); });
}

std::optional<std::vector<std::string>> CredentialProvider::prompts(const SshSettings& settings,
                                                                    std::string_view name,
                                                                    std::string_view instruction,
                                                                    std::vector<Prompt> prompts) {
    if (prompts.empty()) {
        return std::vector<std::string>();
    }
    if (!cache_ || prompts.size() > mostPrompts) {
        return {};
    }
    for (Prompt& prompt : prompts) {
        prompt.text = shown(prompt.text, false);
    }
    const std::string said = shown(name, false);
    const PromptRequest request{
        .node = node_,
        .title = fmt::format("{} asks{}", cleanUtf8(accountOf(settings)), said.empty() ? "" : ": " + said),
        .instruction = shown(instruction, true),
        .prompts = std::move(prompts),
        .id = {},
        .again = false};
    return wait([&](const Limits& limits) {
        return cache_->once("prompts " + accountOf(settings), request, limits);
    });
}

HostKeyDecision CredentialProvider::hostKey(HostKeyRequest request) {
    if (!cache_) {
        return HostKeyDecision::Refuse;
    }
    request.node = node_;
    return wait([&](const Limits& limits) { return cache_->hostKey(request, limits); });
}

}  // namespace dlperf::remote
