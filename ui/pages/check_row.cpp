// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/check_row.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "ui/widgets/elided.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int bodyIndent = 36;  // below the title, not the icon

// Icon and colour of a verdict.
std::pair<QString, const char*> signOf(cluster::Verdict verdict) {
    switch (verdict) {
        case cluster::Verdict::Passed:
            return {QStringLiteral("state-ok"), "ok"};
        case cluster::Verdict::Warning:
            return {QStringLiteral("state-warn"), "warn"};
        case cluster::Verdict::Failed:
            return {QStringLiteral("state-fail"), "fail"};
    }
    return {};
}

QString wordOf(cluster::Verdict verdict) {
    switch (verdict) {
        case cluster::Verdict::Passed:
            return CheckRow::tr("passed");
        case cluster::Verdict::Warning:
            return CheckRow::tr("warning");
        case cluster::Verdict::Failed:
            return CheckRow::tr("failed");
    }
    return {};
}

QLabel* makeWords(const std::string& text, const char* kind) {
    QLabel* label = makeLabel(QString::fromStdString(text), kind);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}  // namespace

CheckRow::CheckRow(const cluster::Check& check, QWidget* parent) : QFrame(parent) {
    setProperty("kind", "checkrow");
    setProperty("state", check.verdict == cluster::Verdict::Passed ? "" : signOf(check.verdict).second);
    setAccessibleName(tr("%1: %2, %3")
                          .arg(QString::fromStdString(check.title), wordOf(check.verdict),
                               QString::fromStdString(check.summary)));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildHead(check));
    if (!check.explanation.empty()) {
        setFocusPolicy(Qt::StrongFocus);
        body_ = buildBody(check);
        column->addWidget(body_);
    }
}

QWidget* CheckRow::buildHead(const cluster::Check& check) {
    const auto [iconName, state] = signOf(check.verdict);
    auto* head = new QWidget(this);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(12, 7, 12, 7);
    row->setSpacing(8);
    row->addWidget(makeIcon(iconName, state));
    row->addWidget(
        makeLabel(QString::fromStdString(check.title), check.explanation.empty() ? nullptr : "strong"));
    auto* summary = new ElidedLabel(QString::fromStdString(check.summary));
    summary->setProperty("kind", "secondary");
    summary->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row->addWidget(summary, 1);
    return head;
}

QWidget* CheckRow::buildBody(const cluster::Check& check) {
    auto* body = new QWidget(this);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(bodyIndent, 0, 12, 10);
    column->setSpacing(6);
    column->addWidget(makeWords(check.explanation, nullptr));
    if (!check.evidence.empty()) {
        column->addWidget(makeWords(check.evidence, "codebox"));
    }
    column->addWidget(makeWords(check.remedy, "section"));
    if (!check.command.empty()) {
        auto* row = new QHBoxLayout;
        row->setSpacing(6);
        row->addWidget(makeWords(check.command, "codebox"), 1);
        QPushButton* copy = makeSmallButton(tr("Copy"), QStringLiteral("copy"));
        copy->setAccessibleName(tr("Copy the remedy of %1").arg(QString::fromStdString(check.title)));
        connect(copy, &QPushButton::clicked, this, [text = QString::fromStdString(check.command)] {
            QGuiApplication::clipboard()->setText(text);
        });
        row->addWidget(copy, 0, Qt::AlignTop);
        column->addLayout(row);
    }
    return body;
}

void CheckRow::toggle() {
    if (body_ != nullptr) {
        body_->setVisible(body_->isHidden());
    }
}

void CheckRow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        toggle();
    } else {
        QFrame::keyPressEvent(event);
    }
}

void CheckRow::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && childAt(event->pos()) != nullptr &&
        (body_ == nullptr || !body_->geometry().contains(event->pos()))) {
        toggle();
    }
}

}  // namespace dlperf::ui
