// SPDX-License-Identifier: Apache-2.0
// Shows what logins ask as dialogs over the window. The window stays alive below them. What the user had kept
// in the desktop's keychain is tried once before he is asked; what did not fit is taken out of it.
#pragma once

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QSet>
#include <memory>

#include "ui/session/keychain.h"
#include "ui/session/user_questions.h"

class QDialog;
class QWidget;

namespace dlperf::ui {

class QuestionDialogs final : public QObject {
    Q_OBJECT

public:
    QuestionDialogs(UserQuestions& questions, QWidget& window,
                    std::unique_ptr<Keychain> keychain = desktopKeychain());

private:
    void askTexts(int question, const remote::PromptRound& round);
    void takeKept(int question, const remote::PromptRound& round, const Keychain::Answer& kept);
    void showTexts(int question, const remote::PromptRound& round, const QString& noKeychain);
    void askHostKey(int question, const remote::HostKeyQuestion& asked);
    void show(int question, QDialog* dialog);

    UserQuestions& questions_;
    QWidget& window_;
    std::unique_ptr<Keychain> keychain_;
    QString noKeychain_;  // why, as the last answer said
    QSet<int> waiting_;   // questions that the keychain is asked about
    QHash<int, QPointer<QDialog>> open_;
};

}  // namespace dlperf::ui
