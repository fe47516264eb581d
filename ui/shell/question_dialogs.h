// SPDX-License-Identifier: Apache-2.0
// Shows what logins ask as dialogs over the window. The window stays alive below them.
#pragma once

#include <QHash>
#include <QObject>
#include <QPointer>

#include "ui/session/user_questions.h"

class QDialog;
class QWidget;

namespace dlperf::ui {

class QuestionDialogs final : public QObject {
    Q_OBJECT

public:
    QuestionDialogs(UserQuestions& questions, QWidget& window);

private:
    void askTexts(int question, const remote::PromptRound& round);
    void askHostKey(int question, const remote::HostKeyQuestion& asked);
    void show(int question, QDialog* dialog);

    UserQuestions& questions_;
    QWidget& window_;
    QHash<int, QPointer<QDialog>> open_;
};

}  // namespace dlperf::ui
