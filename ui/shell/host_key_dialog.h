// SPDX-License-Identifier: Apache-2.0
// A host that nobody here has met before: is it the right one?
#pragma once

#include <QDialog>

#include "core/remote/ssh_questions.h"

namespace dlperf::ui {

class HostKeyDialog final : public QDialog {
    Q_OBJECT

public:
    HostKeyDialog(const remote::HostKeyQuestion& question, QWidget* parent);

    [[nodiscard]] remote::HostKeyAnswer answer() const { return answer_; }

private:
    remote::HostKeyAnswer answer_ = remote::HostKeyAnswer::Refuse;
};

}  // namespace dlperf::ui
