// SPDX-License-Identifier: Apache-2.0
// A passphrase, a password, or whatever else a host asks for while somebody logs in.
#pragma once

#include <QDialog>
#include <string>
#include <vector>

#include "core/remote/ssh_questions.h"

class QCheckBox;
class QFormLayout;
class QLineEdit;
class QVBoxLayout;

namespace dlperf::ui {

class LoginDialog final : public QDialog {
    Q_OBJECT

public:
    // `noKeychain`: why nothing can be kept in the desktop's keychain; empty: it can, if the round has an id.
    LoginDialog(const remote::PromptRound& round, const QString& noKeychain, QWidget* parent);

    [[nodiscard]] std::vector<std::string> texts() const;  // as many as prompts
    [[nodiscard]] bool isToBeKept() const;                 // in the keychain, because the user says so

private:
    void addKeepBox(QVBoxLayout& column, const QString& noKeychain);
    void addPrompt(QFormLayout& form, const remote::Prompt& prompt);

    std::vector<QLineEdit*> fields_;
    QCheckBox* keep_ = nullptr;  // none for answers that are good for once
};

}  // namespace dlperf::ui
