// SPDX-License-Identifier: Apache-2.0
// What the user has answered, kept in memory for all nodes until the process ends: nobody is asked twice for
// the same passphrase or password, and one who has refused is not asked again before he retries.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <set>

#include "core/remote/known_hosts.h"
#include "core/remote/ssh_questions.h"

namespace dlperf::remote {

class SshAnswers {
public:
    explicit SshAnswers(Questions questions) : questions_(std::move(questions)) {}

    // One answer to one prompt, remembered under `id`. `wrong` is the answer that was tried and did not do:
    // it is forgotten, and the user asked anew. Nothing where he refuses.
    [[nodiscard]] std::optional<std::string> secret(const std::string& id, const PromptRound& round,
                                                    const std::optional<std::string>& wrong,
                                                    const Limits& limits);
    // Answers that are good for once (codes of a second factor). Only a refusal is remembered.
    [[nodiscard]] std::optional<std::vector<std::string>> once(const std::string& id,
                                                               const PromptRound& round,
                                                               const Limits& limits);
    [[nodiscard]] HostKeyAnswer hostKey(const HostKeyQuestion& question, const Limits& limits);

    // The user retries: what he refused is asked again.
    void forgetRefusals();
    // Whether somebody can be asked for secrets at all.
    [[nodiscard]] bool canPrompt() const { return static_cast<bool>(questions_.prompts); }

private:
    class Turn;

    void refuse(const std::string& id, const Limits& limits);

    const Questions questions_;
    std::mutex mutex_;
    std::condition_variable_any free_;
    // Under the mutex.
    bool asking_ = false;
    std::map<std::string, std::string> secrets_;
    std::set<std::string> refused_;
    std::set<std::string> trusted_;  // host keys, for this process only
};

}  // namespace dlperf::remote
