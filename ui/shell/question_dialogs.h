// SPDX-License-Identifier: Apache-2.0
// Shows the questions of logins as dialogs over the window. The window stays alive below them. What the user
// had kept in the desktop's keychain is tried once before he is asked; what did not fit is taken out of it.
#pragma once

#include <QDialog>
#include <QHash>
#include <QPointer>
#include <QSet>
#include <memory>
#include <string>
#include <vector>

#include "core/remote/credentials.h"
#include "ui/session/keychain.h"
#include "ui/session/user_questions.h"

class QCheckBox;
class QFormLayout;
class QLineEdit;
class QVBoxLayout;

namespace dlperf::ui {

// A passphrase, a password, or whatever else a host asks for while somebody logs in.
class LoginDialog final : public QDialog {
    Q_OBJECT

public:
    // `noKeychain`: why nothing can be kept in the keychain; else empty.
    LoginDialog(const remote::PromptRequest& request, const QString& noKeychain, QWidget* parent);

    [[nodiscard]] std::vector<std::string> texts() const;  // as many as prompts
    [[nodiscard]] bool isToBeKept() const;                 // in the keychain, because the user says so

private:
    void addKeepBox(QVBoxLayout& column, const QString& noKeychain);
    void addPrompt(QFormLayout& form, const remote::Prompt& prompt);

    std::vector<QLineEdit*> fields_;
    QCheckBox* keep_ = nullptr;  // none for answers that are good for once
};

// A host that nobody here has met before: is it the right one?
class HostKeyDialog final : public QDialog {
    Q_OBJECT

public:
    HostKeyDialog(const remote::HostKeyRequest& question, QWidget* parent);

    [[nodiscard]] remote::HostKeyDecision answer() const { return answer_; }

private:
    remote::HostKeyDecision answer_ = remote::HostKeyDecision::Refuse;
};

class QuestionDialogs final : public QObject {
    Q_OBJECT

public:
    QuestionDialogs(UserQuestions& questions, QWidget& window,
                    std::unique_ptr<Keychain> keychain = desktopKeychain());

private:
    void askTexts(int question, const remote::PromptRequest& request);
    void takeKept(int question, const remote::PromptRequest& request, const Keychain::Answer& kept);
    void showTexts(int question, const remote::PromptRequest& request, const QString& noKeychain);
    void askHostKey(int question, const remote::HostKeyRequest& asked);
    void show(int question, QDialog* dialog);

    UserQuestions& questions_;
    QWidget& window_;
    std::unique_ptr<Keychain> keychain_;
    QString noKeychain_;  // why, after the last answer
    QSet<int> waiting_;   // questions that wait for the keychain
    QHash<int, QPointer<QDialog>> open_;
};

}  // namespace dlperf::ui
