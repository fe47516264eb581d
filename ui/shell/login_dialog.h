// SPDX-License-Identifier: Apache-2.0
// A passphrase, a password, or whatever else a host asks for while somebody logs in.
#pragma once

#include <QDialog>
#include <string>
#include <vector>

#include "core/remote/ssh_questions.h"

class QFormLayout;
class QLineEdit;

namespace dlperf::ui {

class LoginDialog final : public QDialog {
    Q_OBJECT

public:
    LoginDialog(const remote::PromptRound& round, QWidget* parent);

    [[nodiscard]] std::vector<std::string> texts() const;  // as many as prompts

private:
    void addPrompt(QFormLayout& form, const remote::Prompt& prompt);

    std::vector<QLineEdit*> fields_;
};

}  // namespace dlperf::ui
