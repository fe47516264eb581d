// SPDX-License-Identifier: Apache-2.0
// Where logins get passphrases, passwords, codes and the trust in new hosts from: each connection's provider
// asks the cache that all nodes share, and that asks the user.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/remote/ssh_settings.h"
#include "core/remote/transport.h"

namespace dlperf::remote {

struct Prompt {
    std::string text;   // one line; may be the host's words, cleaned and bounded
    bool echo = false;  // what is typed may be seen
};

// Answers that are wanted together: one dialog.
struct PromptRequest {
    std::string node;         // name of the node
    std::string title;        // our words: whose passphrase or password it is
    std::string instruction;  // the host's words, cleaned and bounded; may be empty
    std::vector<Prompt> prompts;
    // Of a passphrase or a password: what it is for, the same each time. Empty: the answers are good for
    // once.
    std::string id{};
    bool again = false;  // the last answer, whoever gave it, did not fit
};

// A host that is not known yet.
struct HostKeyRequest {
    std::string node;
    std::string host;            // as it would stand among the known hosts: "[10.0.0.1]:2222"
    std::string type;            // "ssh-ed25519"
    std::string fingerprint;     // "SHA256:…"
    std::filesystem::path file;  // where it would be stored
};

enum class HostKeyDecision { Refuse, TrustOnce, TrustAndStore };

// They come from a connection's thread, one at a time for all nodes; whoever shows them (a terminal, a
// dialog) may take its time. Either may be empty: then nobody is there to ask. They come back at the deadline
// or when the stop token asks, as if the user had refused.
struct AuthCallbacks {
    // As many answers as prompts; nothing where the user refuses.
    std::function<std::optional<std::vector<std::string>>(const PromptRequest&, const Limits&)> prompts;
    std::function<HostKeyDecision(const HostKeyRequest&, const Limits&)> hostKey;
};

// What the user has answered to logins, for another program of his that works on: the window's runner, which
// has nobody to ask. Secrets in plain text: they go through memory, never into a file.
struct CachedCredentials {
    std::map<std::string, std::string> secrets;  // by what they are for, as CredentialCache names it
    std::set<std::string> trusted;               // host keys, for as long as the programs live

    [[nodiscard]] bool empty() const { return secrets.empty() && trusted.empty(); }
};

[[nodiscard]] std::string toJson(const CachedCredentials& credentials);
// An Input error when it is something else; what was read is not repeated in it.
[[nodiscard]] Result<CachedCredentials> cachedCredentialsFromJson(std::string_view text);

// The user's answers, kept in memory for all nodes until the process ends: nobody is asked twice for the same
// passphrase or password, and one who has refused is not asked again before he retries.
class CredentialCache {
public:
    // `cached`: answers from before, as if they had been typed here.
    explicit CredentialCache(AuthCallbacks callbacks, CachedCredentials cached = {});

    // One answer to one prompt, remembered under `id`. `wrong` is the answer that was tried and did not do:
    // it is forgotten, and the user asked anew. Nothing where he refuses.
    [[nodiscard]] std::optional<std::string> secret(const std::string& id, const PromptRequest& request,
                                                    const std::optional<std::string>& wrong,
                                                    const Limits& limits);
    // Answers that are good for once (codes of a second factor). Only a refusal is remembered.
    [[nodiscard]] std::optional<std::vector<std::string>> once(const std::string& id,
                                                               const PromptRequest& request,
                                                               const Limits& limits);
    [[nodiscard]] HostKeyDecision hostKey(const HostKeyRequest& request, const Limits& limits);

    // All that holds for more than one login.
    [[nodiscard]] CachedCredentials cached();
    // The user retries: what he refused is asked again.
    void forgetRefusals();
    // Whether somebody can be asked for secrets at all.
    [[nodiscard]] bool canPrompt() const { return static_cast<bool>(callbacks_.prompts); }

private:
    class Turn;

    void refuse(const std::string& id, const Limits& limits);

    const AuthCallbacks callbacks_;
    std::mutex mutex_;
    std::condition_variable_any free_;
    // Under the mutex.
    bool asking_ = false;
    CachedCredentials cached_;
    std::set<std::string> refused_;
};

// A user has so long for an answer; then he counts as absent.
inline constexpr Milliseconds questionTime{300'000};

// Callers' deadlines stand still while the user is asked. Its owner guards it with a mutex.
class DeadlinePause {
public:
    using Clock = std::chrono::steady_clock;

    void note(bool questionOpen) {
        open_ = questionOpen;
        ended_ = Clock::now();
    }
    // Until when a call that began then may wait.
    [[nodiscard]] Clock::time_point end(Clock::time_point begin, Milliseconds deadline) const {
        return (open_ ? Clock::now() : std::max(begin, ended_)) + deadline;
    }

private:
    bool open_ = false;
    Clock::time_point ended_;
};

// One connection's way to the user: who asks, how long it waits, and what the host said meanwhile.
class CredentialProvider {
public:
    // `waiting` hears true when a question may be open and false when it is not any more. Without a cache
    // nobody is there, and every question is refused.
    CredentialProvider(std::string node, std::shared_ptr<CredentialCache> cache, std::stop_token stop,
                       std::function<void(bool)> waiting)
        : node_(std::move(node)),
          cache_(std::move(cache)),
          stop_(std::move(stop)),
          waiting_(std::move(waiting)) {}

    [[nodiscard]] std::optional<std::string> passphrase(const std::filesystem::path& key,
                                                        const std::optional<std::string>& wrong);
    [[nodiscard]] std::optional<std::string> password(const SshSettings& settings,
                                                      const std::optional<std::string>& wrong);
    // Prompts of the host, which are remote text: they are cleaned and bounded here. A round without prompts
    // has no answers and is not shown.
    [[nodiscard]] std::optional<std::vector<std::string>> prompts(const SshSettings& settings,
                                                                  std::string_view name,
                                                                  std::string_view instruction,
                                                                  std::vector<Prompt> prompts);
    [[nodiscard]] HostKeyDecision hostKey(HostKeyRequest request);

    // Something that asks the user by itself, an agent for one, is given the time for it.
    template <class Wait>
    auto wait(const Wait& something) {
        asked_ = true;
        waiting_(true);
        auto answer = something(Limits{questionTime, stop_});
        waiting_(false);
        return answer;
    }

    [[nodiscard]] bool canPrompt() const { return cache_ && cache_->canPrompt(); }
    // Something was asked, so a host may have lost its patience meanwhile.
    [[nodiscard]] bool hasAsked() const { return asked_; }

private:
    [[nodiscard]] std::optional<std::string> secret(const std::string& kind, const std::string& owner,
                                                    const char* complaint, std::string id,
                                                    const std::optional<std::string>& wrong);

    std::string node_;
    std::shared_ptr<CredentialCache> cache_;
    std::stop_token stop_;
    std::function<void(bool)> waiting_;
    bool asked_ = false;
};

}  // namespace dlperf::remote
