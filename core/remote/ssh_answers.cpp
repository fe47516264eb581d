// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_answers.h"

#include <utility>

namespace dlperf::remote {

// The right to ask. The memory is locked but for while the question is open; who waits for his turn may find
// his question answered.
class SshAnswers::Turn {
public:
    Turn(SshAnswers& answers, const Limits& limits) : answers_(answers), lock_(answers.mutex_) {
        mine_ =
            answers_.free_.wait_for(lock_, limits.stop, limits.deadline, [&] { return !answers_.asking_; });
        answers_.asking_ = answers_.asking_ || mine_;
    }
    ~Turn() {
        if (mine_) {
            answers_.asking_ = false;
            answers_.free_.notify_all();
        }
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    Turn(Turn&&) = delete;
    Turn& operator=(Turn&&) = delete;

    [[nodiscard]] bool mine() const { return mine_; }

    template <class Ask>
    auto ask(const Ask& question) {
        lock_.unlock();
        auto answer = question();
        lock_.lock();
        return answer;
    }

private:
    SshAnswers& answers_;
    std::unique_lock<std::mutex> lock_;
    bool mine_ = false;
};

SshAnswers::SshAnswers(Questions questions, GivenAnswers given)
    : questions_(std::move(questions)), given_(std::move(given)) {}

std::optional<std::string> SshAnswers::secret(const std::string& id, const PromptRound& round,
                                              const std::optional<std::string>& wrong, const Limits& limits) {
    Turn turn(*this, limits);
    const auto kept = given_.secrets.find(id);
    if (kept != given_.secrets.end() && kept->second != wrong) {
        return kept->second;
    }
    if (!turn.mine() || !canPrompt() || refused_.contains(id)) {
        return {};
    }
    const auto given = turn.ask([&] { return questions_.prompts(round, limits); });
    if (!given || given->size() != 1) {
        refuse(id, limits);
        return {};
    }
    return given_.secrets[id] = given->front();
}

std::optional<std::vector<std::string>> SshAnswers::once(const std::string& id, const PromptRound& round,
                                                         const Limits& limits) {
    Turn turn(*this, limits);
    if (!turn.mine() || !canPrompt() || refused_.contains(id)) {
        return {};
    }
    auto given = turn.ask([&] { return questions_.prompts(round, limits); });
    if (given && given->size() == round.prompts.size()) {
        return given;
    }
    refuse(id, limits);
    return {};
}

HostKeyAnswer SshAnswers::hostKey(const HostKeyQuestion& question, const Limits& limits) {
    const std::string id = "host " + question.host + " " + question.type + " " + question.fingerprint;
    Turn turn(*this, limits);
    if (given_.trusted.contains(id)) {
        return HostKeyAnswer::TrustOnce;
    }
    if (!turn.mine() || !questions_.hostKey || refused_.contains(id)) {
        return HostKeyAnswer::Refuse;
    }
    const HostKeyAnswer answer = turn.ask([&] { return questions_.hostKey(question, limits); });
    if (answer != HostKeyAnswer::Refuse) {
        given_.trusted.insert(id);
    } else {
        refuse(id, limits);
    }
    return answer;
}

// Nobody who answers in time has refused too: he would be asked for ever. A stop is no answer.
void SshAnswers::refuse(const std::string& id, const Limits& limits) {
    if (!limits.stop.stop_requested()) {
        refused_.insert(id);
    }
}

GivenAnswers SshAnswers::given() {
    const std::scoped_lock lock(mutex_);
    return given_;
}

void SshAnswers::forgetRefusals() {
    const std::scoped_lock lock(mutex_);
    refused_.clear();
}

}  // namespace dlperf::remote
