// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/login_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/look.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int loginDialogWidth = 440;

}  // namespace

LoginDialog::LoginDialog(const remote::PromptRound& round, const QString& noKeychain, QWidget* parent)
    : QDialog(parent) {
    setWindowTitle(tr("Log in to %1").arg(QString::fromStdString(round.node)));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(dialogMargin, dialogMargin, dialogMargin, dialogMargin);
    column->setSpacing(dialogSpacing);
    auto* title = makeLabel(QString::fromStdString(round.title), "strong");
    title->setWordWrap(true);
    column->addWidget(title);
    if (!round.instruction.empty()) {
        auto* instruction = makeLabel(QString::fromStdString(round.instruction));
        instruction->setWordWrap(true);
        column->addWidget(instruction);
    }
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(dialogSpacing);
    form->setVerticalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    for (const remote::Prompt& prompt : round.prompts) {
        addPrompt(*form, prompt);
    }
    column->addLayout(form);
    if (!round.id.empty()) {
        addKeepBox(*column, noKeychain);
    }
    auto* kept = makeLabel(
        round.id.empty() ? tr("Never written down: kept in memory until the window is closed and the runs "
                              "that it starts have ended.")
                         : tr("Written down nowhere else: kept in memory until the window is closed and the "
                              "runs that it starts have ended."),
        "caption");
    kept->setWordWrap(true);
    column->addWidget(kept);
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(makeButton(tr("Log in"), {}, "primary"), QDialogButtonBox::AcceptRole);
    buttons->addButton(QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    setScaledWidth(this, loginDialogWidth);
    if (!fields_.empty()) {
        fields_.front()->setFocus();
    }
}

void LoginDialog::addKeepBox(QVBoxLayout& column, const QString& noKeychain) {
    keep_ = new QCheckBox(tr("&Remember in the keychain"), this);
    keep_->setEnabled(noKeychain.isEmpty());
    keep_->setToolTip(noKeychain.isEmpty()
                          ? tr("The desktop's keychain keeps it until it is deleted there, or does not fit.")
                          : tr("There is no keychain: %1").arg(noKeychain.toHtmlEscaped()));
    column.addWidget(keep_);
}

bool LoginDialog::isToBeKept() const {
    return keep_ != nullptr && keep_->isEnabled() && keep_->isChecked();
}

void LoginDialog::addPrompt(QFormLayout& form, const remote::Prompt& prompt) {
    auto* field = new QLineEdit(this);
    field->setEchoMode(prompt.echo ? QLineEdit::Normal : QLineEdit::Password);
    auto* label = makeLabel(QString::fromStdString(prompt.text));
    label->setWordWrap(true);
    label->setBuddy(field);
    field->setAccessibleName(label->text());
    form.addRow(label, field);
    fields_.push_back(field);
}

std::vector<std::string> LoginDialog::texts() const {
    std::vector<std::string> texts;
    std::ranges::transform(fields_, std::back_inserter(texts),
                           [](const QLineEdit* field) { return field->text().toStdString(); });
    return texts;
}

}  // namespace dlperf::ui
