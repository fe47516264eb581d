// SPDX-License-Identifier: Apache-2.0
#include "ui/session/user_questions.h"

#include <QMetaMethod>
#include <condition_variable>
#include <map>
#include <mutex>
#include <variant>

namespace dlperf::ui {
namespace {

// Refused, texts, or what is to be done with a host's key.
using Answer = std::variant<std::monostate, std::vector<std::string>, remote::HostKeyDecision>;

}  // namespace

// Where threads leave questions and find answers; it lives as long as any of them.
class UserQuestions::Board {
public:
    explicit Board(UserQuestions* owner) : owner_(owner) {}

    // Shows the question with `show(owner, number)` on the window's thread and waits for its answer.
    template <class Show>
    Answer ask(const remote::Limits& limits, Show show) {
        std::unique_lock lock(mutex_);
        if (owner_ == nullptr) {
            return {};
        }
        const int number = ++last_;
        answers_[number] = std::nullopt;
        QMetaObject::invokeMethod(
            owner_, [owner = owner_, show, number] { show(*owner, number); }, Qt::QueuedConnection);
        changed_.wait_for(lock, limits.stop, limits.deadline,
                          [&] { return answers_[number].has_value() || owner_ == nullptr; });
        const std::optional<Answer> answer = std::move(answers_[number]);
        answers_.erase(number);
        if (!answer && owner_ != nullptr) {
            QMetaObject::invokeMethod(
                owner_, [owner = owner_, number] { emit owner->withdrawn(number); }, Qt::QueuedConnection);
        }
        return answer.value_or(Answer());
    }

    void answer(int number, Answer answer) {
        const std::scoped_lock lock(mutex_);
        if (const auto open = answers_.find(number); open != answers_.end()) {
            open->second = std::move(answer);
            changed_.notify_all();
        }
    }

    void close() {
        const std::scoped_lock lock(mutex_);
        owner_ = nullptr;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable_any changed_;
    UserQuestions* owner_;  // null once it is gone
    int last_ = 0;
    std::map<int, std::optional<Answer>> answers_;  // of open questions
};

UserQuestions::UserQuestions(QObject* parent) : QObject(parent), board_(std::make_shared<Board>(this)) {}

UserQuestions::~UserQuestions() {
    board_->close();
}

remote::AuthCallbacks UserQuestions::questions() const {
    const auto askTexts = [board = board_](const remote::PromptRequest& request,
                                           const remote::Limits& limits) {
        const Answer answer = board->ask(limits, [request](UserQuestions& owner, int question) {
            if (owner.isSignalConnected(QMetaMethod::fromSignal(&UserQuestions::textsAsked))) {
                emit owner.textsAsked(question, request);
            } else {
                owner.answer(question, Texts());
            }
        });
        const auto* texts = std::get_if<std::vector<std::string>>(&answer);
        return texts != nullptr ? Texts(*texts) : Texts();
    };
    const auto askHostKey = [board = board_](const remote::HostKeyRequest& asked,
                                             const remote::Limits& limits) {
        const Answer answer = board->ask(limits, [asked](UserQuestions& owner, int question) {
            if (owner.isSignalConnected(QMetaMethod::fromSignal(&UserQuestions::hostKeyAsked))) {
                emit owner.hostKeyAsked(question, asked);
            } else {
                owner.answer(question, remote::HostKeyDecision::Refuse);
            }
        });
        const auto* decision = std::get_if<remote::HostKeyDecision>(&answer);
        return decision != nullptr ? *decision : remote::HostKeyDecision::Refuse;
    };
    return {askTexts, askHostKey};
}

void UserQuestions::answer(int question, const Texts& texts) {
    board_->answer(question, texts ? Answer(*texts) : Answer());
}

void UserQuestions::answer(int question, remote::HostKeyDecision answer) {
    board_->answer(question, answer);
}

}  // namespace dlperf::ui
