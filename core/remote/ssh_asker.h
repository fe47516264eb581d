// SPDX-License-Identifier: Apache-2.0
// A connection's way to the user: who asks, how long it waits, and what it said while it waited.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <stop_token>

#include "core/remote/ssh_answers.h"
#include "core/remote/ssh_settings.h"

namespace dlperf::remote {

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

class SshAsker {
public:
    // `waiting` hears true when a question may be open and false when it is not any more. Without answers
    // nobody is there, and every question is refused.
    SshAsker(std::string node, std::shared_ptr<SshAnswers> answers, std::stop_token stop,
             std::function<void(bool)> waiting)
        : node_(std::move(node)),
          answers_(std::move(answers)),
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
    [[nodiscard]] HostKeyAnswer hostKey(HostKeyQuestion question);

    // Something that asks the user by itself, an agent for one, is given the time for it.
    template <class Wait>
    auto wait(const Wait& something) {
        asked_ = true;
        waiting_(true);
        auto answer = something(Limits{questionTime, stop_});
        waiting_(false);
        return answer;
    }

    [[nodiscard]] bool canPrompt() const { return answers_ && answers_->canPrompt(); }
    // Something was asked, so a host may have lost its patience meanwhile.
    [[nodiscard]] bool hasAsked() const { return asked_; }

private:
    std::string node_;
    std::shared_ptr<SshAnswers> answers_;
    std::stop_token stop_;
    std::function<void(bool)> waiting_;
    bool asked_ = false;
};

}  // namespace dlperf::remote
