// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/chip_row.h"
#include "ui/theme/tips.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int usualFieldWidth = 110;
constexpr int tickSize = 12;

}  // namespace

ChipRow::ChipRow(const QString& name, const QString& hint, Judge judge, QWidget* parent)
    : QWidget(parent), name_(name), hint_(hint), judge_(std::move(judge)) {
    QVBoxLayout* column = makeColumn(this, {}, 4);
    host_ = new QWidget(this);
    flow_ = new FlowLayout(host_, 8, 6);
    column->addWidget(host_);
    if (judge_) {
        buildOther();
        problem_ = makeLabel({}, "caption");
        setState(problem_, "fail");
        problem_->setWordWrap(true);
        problem_->hide();
        column->addWidget(problem_);
    }
}

void ChipRow::buildOther() {
    other_ = makeChip(tr("Other"), false);
    other_->setCheckable(false);
    other_->setIcon(icon(QStringLiteral("plus")));
    other_->setIconSize(QSize(tickSize, tickSize));
    other_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    other_->setProperty("dashed", "true");
    other_->setAccessibleName(tr("%1: other").arg(name_));
    other_->installEventFilter(this);
    connect(other_, &QToolButton::clicked, this, &ChipRow::openField);
    flow_->addWidget(other_);
    field_ = new QLineEdit;
    field_->setProperty("size", "small");
    field_->setPlaceholderText(hint_);
    field_->setAccessibleName(tr("%1: other").arg(name_));
    field_->setFixedWidth(scaled(usualFieldWidth));
    field_->installEventFilter(this);
    field_->hide();
    connect(field_, &QLineEdit::textChanged, this, &ChipRow::judgeTyped);
    connect(field_, &QLineEdit::returnPressed, this, &ChipRow::takeTyped);
    flow_->addWidget(field_);
}

void ChipRow::setChips(const std::vector<Chip>& chips) {
    const bool same = std::ranges::equal(chips_, chips, {}, &Chip::key, &Chip::key);
    chips_ = chips;
    if (same) {
        refresh();
    } else {
        build();
    }
}

void ChipRow::build() {
    const auto focused = std::ranges::find_if(buttons_, [](const QToolButton* b) { return b->hasFocus(); });
    const auto place = focused == buttons_.end() ? -1 : focused - buttons_.begin();
    for (QToolButton* button : buttons_) {
        flow_->removeWidget(button);
        button->deleteLater();  // its click may be on the way up
        button->hide();
    }
    buttons_.clear();
    if (other_ != nullptr) {
        flow_->removeWidget(other_);
        flow_->removeWidget(field_);
    }
    for (const Chip& chip : chips_) {
        QToolButton* button = makeChip(chip.text, chip.on);
        button->setIconSize(QSize(tickSize, tickSize));
        button->installEventFilter(this);
        connect(button, &QToolButton::clicked, this,
                [this, key = chip.key](bool on) { emit toggled(key, on); });
        buttons_.push_back(button);
        flow_->addWidget(button);
        button->show();  // at once, to take the focus over
    }
    if (other_ != nullptr) {
        flow_->addWidget(other_);
        flow_->addWidget(field_);
    }
    refresh();
    if (place >= 0 && !buttons_.empty()) {
        buttons_[std::min(static_cast<std::size_t>(place), buttons_.size() - 1)]->setFocus();
    } else if (place >= 0 && other_ != nullptr) {
        other_->setFocus();
    }
}

void ChipRow::setOther(const QString& text, int fieldWidth) {
    other_->setText(text);
    if (fieldWidth > 0) {
        field_->setFixedWidth(scaled(fieldWidth));
    }
}

void ChipRow::focusOther() {
    other_->setFocus(Qt::OtherFocusReason);
}

std::vector<QWidget*> ChipRow::tabStops() const {
    std::vector<QWidget*> stops(buttons_.begin(), buttons_.end());
    if (other_ != nullptr) {
        stops.push_back(other_);
        stops.push_back(field_);
    }
    return stops;
}

void ChipRow::refresh() {
    for (std::size_t i = 0; i < chips_.size(); ++i) {
        const bool ticked = chips_[i].on && ticks_;
        buttons_[i]->setText(chips_[i].text);
        buttons_[i]->setChecked(chips_[i].on);
        buttons_[i]->setIcon(ticked ? icon(QStringLiteral("check"), Ink::Link) : QIcon());
        buttons_[i]->setToolButtonStyle(ticked ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonTextOnly);
        buttons_[i]->setToolTip(plainTip(chips_[i].tip));
        buttons_[i]->setAccessibleName(QStringLiteral("%1: %2").arg(name_, chips_[i].text));
    }
}

void ChipRow::openField() {
    other_->hide();
    field_->clear();
    field_->show();
    field_->setFocus(Qt::OtherFocusReason);
}

void ChipRow::closeField() {
    const bool hadFocus = field_->hasFocus();
    const QSignalBlocker quiet(field_);
    field_->clear();  // first: hiding it takes its focus, which would take the text again
    field_->hide();
    problem_->hide();
    other_->show();
    if (hadFocus) {
        other_->setFocus(Qt::OtherFocusReason);
    }
}

void ChipRow::judgeTyped() {
    const QString text = field_->text().trimmed();
    const QString wrong = text.isEmpty() ? QString() : judge_(text);
    problem_->setText(wrong);
    problem_->setVisible(!wrong.isEmpty());
}

void ChipRow::takeTyped() {
    const QString text = field_->text().trimmed();
    if (!text.isEmpty() && !judge_(text).isEmpty()) {
        return;  // it stays open and says why
    }
    closeField();
    if (!text.isEmpty()) {
        emit typed(text);
    }
}

void ChipRow::moveFocus(QObject* from, int step) {
    std::vector<QWidget*> stops(buttons_.begin(), buttons_.end());
    if (other_ != nullptr && other_->isVisible()) {
        stops.push_back(other_);
    }
    const auto at = std::ranges::find(stops, from);
    if (at != stops.end()) {
        const auto next = (at - stops.begin()) + step;
        if (next >= 0 && next < static_cast<std::ptrdiff_t>(stops.size())) {
            stops[static_cast<std::size_t>(next)]->setFocus(Qt::TabFocusReason);
        }
    }
}

bool ChipRow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusOut && watched == field_) {
        // Its own menu, or another window, is no end of typing.
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        if (reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason && field_->isVisible()) {
            takeTyped();
        }
        return false;
    }
    if (event->type() != QEvent::KeyPress) {
        return QWidget::eventFilter(watched, event);
    }
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (watched == field_) {
        if (key == Qt::Key_Escape) {
            field_->clear();
            closeField();
            return true;
        }
        return false;
    }
    if (key == Qt::Key_Right || key == Qt::Key_Down || key == Qt::Key_Left || key == Qt::Key_Up) {
        moveFocus(watched, key == Qt::Key_Right || key == Qt::Key_Down ? 1 : -1);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace dlperf::ui
