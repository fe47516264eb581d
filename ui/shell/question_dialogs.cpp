// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/question_dialogs.h"

#include <QTimer>
#include <utility>

#include "ui/shell/host_key_dialog.h"
#include "ui/shell/login_dialog.h"

namespace dlperf::ui {
namespace {

// A keychain that says nothing for so long is not waited for: the desktop may be asking its user to unlock
// it, or hang.
constexpr int patience = 20'000;  // ms

}  // namespace

QuestionDialogs::QuestionDialogs(UserQuestions& questions, QWidget& window,
                                 std::unique_ptr<Keychain> keychain)
    : QObject(&window), questions_(questions), window_(window), keychain_(std::move(keychain)) {
    connect(&questions_, &UserQuestions::textsAsked, this, &QuestionDialogs::askTexts);
    connect(&questions_, &UserQuestions::hostKeyAsked, this, &QuestionDialogs::askHostKey);
    connect(&questions_, &UserQuestions::withdrawn, this, [this](int question) {
        waiting_.remove(question);
        if (const QPointer<QDialog> dialog = open_.take(question)) {
            dialog->reject();
        }
    });
}

void QuestionDialogs::askTexts(int question, const remote::PromptRound& round) {
    if (round.id.empty()) {  // good for once
        showTexts(question, round, {});
        return;
    }
    if (round.again) {
        keychain_->forget(round.id);
        showTexts(question, round, noKeychain_);
        return;
    }
    waiting_.insert(question);
    QTimer::singleShot(patience, this, [this, question, round] {
        takeKept(question, round, {{}, tr("The keychain does not answer.")});
    });
    keychain_->read(this, round.id, [this, question, round](const Keychain::Answer& kept) {
        takeKept(question, round, kept);
    });
}

// A question that was withdrawn meanwhile, or is shown already, is not shown again.
void QuestionDialogs::takeKept(int question, const remote::PromptRound& round, const Keychain::Answer& kept) {
    if (!waiting_.remove(question)) {
        return;
    }
    noKeychain_ = kept.unavailable;
    if (kept.secret) {
        questions_.answer(question, UserQuestions::Texts({*kept.secret}));
    } else {
        showTexts(question, round, kept.unavailable);
    }
}

void QuestionDialogs::showTexts(int question, const remote::PromptRound& round, const QString& noKeychain) {
    auto* dialog = new LoginDialog(round, noKeychain, &window_);
    connect(dialog, &QDialog::finished, this, [this, question, dialog, id = round.id](int result) {
        const bool given = result == QDialog::Accepted;
        questions_.answer(question, given ? UserQuestions::Texts(dialog->texts()) : UserQuestions::Texts());
        if (given && dialog->isToBeKept()) {
            keychain_->keep(this, id, dialog->texts().front(),
                            [this](const Keychain::Answer& kept) { noKeychain_ = kept.unavailable; });
        }
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
