// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/host_key_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/theme/look.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int hostKeyDialogWidth = 520;

QLabel* wrapped(const QString& text, const char* kind = nullptr) {
    auto* label = makeLabel(text, kind);
    label->setWordWrap(true);
    return label;
}

}  // namespace

HostKeyDialog::HostKeyDialog(const remote::HostKeyQuestion& question, QWidget* parent) : QDialog(parent) {
    const QString host = QString::fromStdString(question.host);
    setWindowTitle(tr("Is this %1?").arg(QString::fromStdString(question.node)));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(dialogMargin, dialogMargin, dialogMargin, dialogMargin);
    column->setSpacing(dialogSpacing);
    column->addWidget(wrapped(tr("%1 is not among your known hosts").arg(host), "strong"));
    column->addWidget(wrapped(tr("It shows a key of the type %1 with this fingerprint:")
                                  .arg(QString::fromStdString(question.type))));
    auto* fingerprint = makeLabel(QString::fromStdString(question.fingerprint), "codebox");
    fingerprint->setAccessibleName(tr("Fingerprint"));
    fingerprint->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    column->addWidget(fingerprint);
    column->addWidget(wrapped(tr("Compare it with what the machine itself says, for example by "
                                 "ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub there. If they differ, "
                                 "somebody else may be listening."),
                              "secondary"));
    column->addWidget(
        wrapped(tr("Remembered in %1.").arg(QString::fromStdString(question.file.string())), "caption"));
    auto* buttons = new QDialogButtonBox(this);
    const auto add = [&](const QString& text, const char* kind, QDialogButtonBox::ButtonRole role,
                         remote::HostKeyAnswer answer) {
        QPushButton* button = makeButton(text, {}, kind);
        button->setAutoDefault(false);  // Enter alone trusts nobody
        buttons->addButton(button, role);
        connect(button, &QPushButton::clicked, this, [this, answer] {
            answer_ = answer;
            accept();
        });
        return button;
    };
    add(tr("Trust and &remember"), "primary", QDialogButtonBox::YesRole,
        remote::HostKeyAnswer::TrustAndStore);
    add(tr("Trust &once"), nullptr, QDialogButtonBox::ActionRole, remote::HostKeyAnswer::TrustOnce);
    QPushButton* refuse =
        add(tr("Do &not connect"), nullptr, QDialogButtonBox::RejectRole, remote::HostKeyAnswer::Refuse);
    refuse->setDefault(true);
    refuse->setFocus();
    column->addWidget(buttons);
    setScaledWidth(this, hostKeyDialogWidth);
}

}  // namespace dlperf::ui
