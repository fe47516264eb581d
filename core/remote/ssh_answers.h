// SPDX-License-Identifier: Apache-2.0
// What the user has answered, kept in memory for all nodes until the process ends: nobody is asked twice for
// the same passphrase or password, and one who has refused is not asked again before he retries.
#pragma once

#include <condition_variable>
#include <mutex>
#include <set>

#include "core/remote/given_answers.h"
#include "core/remote/known_hosts.h"
#include "core/remote/ssh_questions.h"

namespace dlperf::remote {

class SshAnswers {
public:
    // `given`: answers from before, as if they had been typed here.
    explicit SshAnswers(Questions questions, GivenAnswers given = {});

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

    // All that holds for more than one login.
    [[nodiscard]] GivenAnswers given();
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
    GivenAnswers given_;
    std::set<std::string> refused_;
};

}  // namespace dlperf::remote
