// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/question_dialogs.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/theme/localized.h"
#include "ui/theme/theme.h"
#include "ui/theme/tips.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

// The desktop may be asking its user to unlock the keychain, or hang.
constexpr int keychainTimeout = 20'000;  // ms
constexpr int hostKeyDialogWidth = 520;
constexpr int loginDialogWidth = 440;

}  // namespace

LoginDialog::LoginDialog(const remote::PromptRequest& request, const QString& noKeychain, QWidget* parent)
    : QDialog(parent) {
    setWindowTitle(tr("Log in to %1").arg(QString::fromStdString(request.node)));
    QVBoxLayout* column = makeDialogColumn(this);
    column->addWidget(makeText(localized(request.title), "strong"));
    if (!request.instruction.empty()) {
        column->addWidget(makeText(localized(request.instruction)));
    }
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(dialogSpacing);
    form->setVerticalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    for (const remote::Prompt& prompt : request.prompts) {
        addPrompt(*form, prompt);
    }
    column->addLayout(form);
    if (!request.id.empty()) {
        addKeepBox(*column, noKeychain);
    }
    column->addWidget(
        makeText(request.id.empty()
                     ? tr("Never written down: kept in memory until the window is closed and the runs "
                          "that it starts have ended.")
                     : tr("Written down nowhere else: kept in memory until the window is closed and the "
                          "runs that it starts have ended."),
                 "caption"));
    QDialogButtonBox* buttons = makeDialogButtons(QDialogButtonBox::Cancel, this);
    buttons->addButton(makeButton(tr("Log in"), {}, "primary"), QDialogButtonBox::AcceptRole);
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
                          : plainTip(tr("There is no keychain: %1").arg(noKeychain)));
    column.addWidget(keep_);
}

bool LoginDialog::isToBeKept() const {
    return keep_ != nullptr && keep_->isEnabled() && keep_->isChecked();
}

void LoginDialog::addPrompt(QFormLayout& form, const remote::Prompt& prompt) {
    auto* field = new QLineEdit(this);
    field->setEchoMode(prompt.echo ? QLineEdit::Normal : QLineEdit::Password);
    QLabel* label = makeText(localized(prompt.text));
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

HostKeyDialog::HostKeyDialog(const remote::HostKeyRequest& question, QWidget* parent) : QDialog(parent) {
    const QString host = QString::fromStdString(question.host);
    setWindowTitle(tr("Is this %1?").arg(QString::fromStdString(question.node)));
    QVBoxLayout* column = makeDialogColumn(this);
    column->addWidget(makeText(tr("%1 is not among your known hosts").arg(host), "strong"));
    column->addWidget(makeText(tr("It shows a key of the type %1 with this fingerprint:")
                                   .arg(QString::fromStdString(question.type))));
    auto* fingerprint = makeLabel(QString::fromStdString(question.fingerprint), "codebox");
    fingerprint->setAccessibleName(tr("Fingerprint"));
    fingerprint->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    column->addWidget(fingerprint);
    column->addWidget(makeText(tr("Compare it with what the machine itself says, for example by "
                                  "ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub there. If they differ, "
                                  "somebody else may be listening."),
                               "secondary"));
    column->addWidget(
        makeText(tr("Remembered in %1.").arg(QString::fromStdString(question.file.string())), "caption"));
    auto* buttons = new QDialogButtonBox(this);
    const auto add = [&](const QString& text, const char* kind, QDialogButtonBox::ButtonRole role,
                         remote::HostKeyDecision answer) {
        QPushButton* button = makeButton(text, {}, kind);
        buttons->addButton(button, role);
        connect(button, &QPushButton::clicked, this, [this, answer] {
            answer_ = answer;
            accept();
        });
        return button;
    };
    add(tr("Trust and &remember"), "primary", QDialogButtonBox::YesRole,
        remote::HostKeyDecision::TrustAndStore);
    add(tr("Trust &once"), nullptr, QDialogButtonBox::ActionRole, remote::HostKeyDecision::TrustOnce);
    QPushButton* refuse =
        add(tr("Do &not connect"), nullptr, QDialogButtonBox::RejectRole, remote::HostKeyDecision::Refuse);
    refuse->setDefault(true);  // Enter alone trusts nobody
    refuse->setFocus();
    column->addWidget(buttons);
    setScaledWidth(this, hostKeyDialogWidth);
}

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

void QuestionDialogs::askTexts(int question, const remote::PromptRequest& request) {
    if (request.id.empty()) {  // good for once
        showTexts(question, request, {});
        return;
    }
    if (request.again) {
        keychain_->forget(request.id);
        showTexts(question, request, noKeychain_);
        return;
    }
    waiting_.insert(question);
    QTimer::singleShot(keychainTimeout, this, [this, question, request] {
        takeKept(question, request, {{}, tr("The keychain does not answer.")});
    });
    keychain_->read(this, request.id, [this, question, request](const Keychain::Answer& kept) {
        takeKept(question, request, kept);
    });
}

// A question that was withdrawn meanwhile, or is shown already, is not shown again.
void QuestionDialogs::takeKept(int question, const remote::PromptRequest& request,
                               const Keychain::Answer& kept) {
    if (!waiting_.remove(question)) {
        return;
    }
    noKeychain_ = kept.unavailable;
    if (kept.secret) {
        questions_.answer(question, UserQuestions::Texts({*kept.secret}));
    } else {
        showTexts(question, request, kept.unavailable);
    }
}

void QuestionDialogs::showTexts(int question, const remote::PromptRequest& request,
                                const QString& noKeychain) {
    auto* dialog = new LoginDialog(request, noKeychain, &window_);
    connect(dialog, &QDialog::finished, this, [this, question, dialog, id = request.id](int result) {
        const bool given = result == QDialog::Accepted;
        questions_.answer(question, given ? UserQuestions::Texts(dialog->texts()) : UserQuestions::Texts());
        if (given && dialog->isToBeKept()) {
            keychain_->keep(this, id, dialog->texts().front(),
                            [this](const Keychain::Answer& kept) { noKeychain_ = kept.unavailable; });
        }
    });
    show(question, dialog);
}

void QuestionDialogs::askHostKey(int question, const remote::HostKeyRequest& asked) {
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
