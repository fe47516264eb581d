// SPDX-License-Identifier: Apache-2.0
// What logins ask of the user, brought from the threads that ask to the window, and the answers back. A
// thread waits as long as its limits allow; a window that closes refuses everything.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/remote/credentials.h"

namespace dlperf::ui {

class UserQuestions final : public QObject {
    Q_OBJECT

public:
    using Texts = std::optional<std::vector<std::string>>;  // nothing: refused

    explicit UserQuestions(QObject* parent = nullptr);
    ~UserQuestions() override;
    UserQuestions(const UserQuestions&) = delete;
    UserQuestions& operator=(const UserQuestions&) = delete;

    // For other threads. Without a listener every question is refused at once.
    [[nodiscard]] remote::AuthCallbacks questions() const;

    void answer(int question, const Texts& texts);
    void answer(int question, remote::HostKeyDecision answer);

signals:
    void textsAsked(int question, const dlperf::remote::PromptRequest& request);
    void hostKeyAsked(int question, const dlperf::remote::HostKeyRequest& asked);
    void withdrawn(int question);  // nobody waits for it any more

private:
    class Board;
    std::shared_ptr<Board> board_;
};

}  // namespace dlperf::ui
