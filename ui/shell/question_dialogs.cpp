// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/question_dialogs.h"

#include "ui/shell/host_key_dialog.h"
#include "ui/shell/login_dialog.h"

namespace dlperf::ui {

QuestionDialogs::QuestionDialogs(UserQuestions& questions, QWidget& window)
    : QObject(&window), questions_(questions), window_(window) {
    connect(&questions_, &UserQuestions::textsAsked, this, &QuestionDialogs::askTexts);
    connect(&questions_, &UserQuestions::hostKeyAsked, this, &QuestionDialogs::askHostKey);
    connect(&questions_, &UserQuestions::withdrawn, this, [this](int question) {
        if (const QPointer<QDialog> dialog = open_.take(question)) {
            dialog->reject();
        }
    });
}

void QuestionDialogs::askTexts(int question, const remote::PromptRound& round) {
    auto* dialog = new LoginDialog(round, &window_);
    connect(dialog, &QDialog::finished, this, [this, question, dialog](int result) {
        questions_.answer(question, result == QDialog::Accepted ? UserQuestions::Texts(dialog->texts())
                                                                : UserQuestions::Texts());
    });
    show(question, dialog);
}

void QuestionDialogs::askHostKey(int question, const remote::HostKeyQuestion& asked) {
    auto* dialog = new HostKeyDialog(asked, &window_);
    connect(dialog, &QDialog::finished, this,
            [this, question, dialog] { questions_.answer(question, dialog->answer()); });
    show(question, dialog);
}

void QuestionDialogs::show(int question, QDialog* dialog) {
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    open_.insert(question, dialog);
    connect(dialog, &QDialog::finished, this, [this, question] { open_.remove(question); });
    dialog->open();
}

}  // namespace dlperf::ui
