// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/segments.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QStandardItemModel>
#include <QToolButton>

#include "ui/widgets/parts.h"

namespace dlperf::ui {

Segments::Segments(const QString& name, const QStringList& texts, QWidget* parent)
    : QWidget(parent), row_(makeRow(this, {}, 0)), group_(new QButtonGroup(this)) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    group_->setExclusive(true);
    connect(group_, &QButtonGroup::idClicked, this, &Segments::changed);
    setAccessibleName(name);
    box_ = new QComboBox;
    box_->setAccessibleName(name);
    box_->setProperty("size", "small");
    box_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    row_->addWidget(box_);
    connect(box_, &QComboBox::currentIndexChanged, this, &Segments::changed);
    setTexts(texts, 0);
}

void Segments::setTexts(const QStringList& texts, int current) {
    texts_ = texts;
    const bool many = texts.size() > most_;
    box_->setVisible(many);
    if (many) {
        const QSignalBlocker quiet(box_);
        box_->clear();
        box_->addItems(texts);
    }
    setButtons(many ? QStringList() : texts);
    setCurrent(current);
    showAvailable();
}

void Segments::setMost(int most) {
    if (most != most_) {
        most_ = most;
        setTexts(QStringList(texts_), current());
    }
}

void Segments::setButtons(const QStringList& texts) {
    for (QAbstractButton* button : group_->buttons()) {
        group_->removeButton(button);
        delete button;
    }
    for (int i = 0; i < texts.size(); ++i) {
        auto* button = new QToolButton;
        button->setProperty("kind", "segment");
        if (i == 0) {
            button->setProperty("edge", "first");
        }
        if (i == texts.size() - 1) {
            button->setProperty("edge", "last");
        }
        button->setText(texts[i]);
        button->setCheckable(true);
        button->setFocusPolicy(Qt::StrongFocus);
        group_->addButton(button, i);
        row_->addWidget(button);
    }
}

int Segments::current() const {
    return group_->buttons().isEmpty() ? box_->currentIndex() : group_->checkedId();
}

void Segments::setCurrent(int index) {
    const QSignalBlocker quiet(box_);
    box_->setCurrentIndex(index);
    if (QAbstractButton* button = group_->button(index)) {
        button->setChecked(true);
    }
}

void Segments::choose(int index) {
    if (index != current() && !whyNot(index)) {
        setCurrent(index);
        emit changed(index);
    }
}

std::optional<QString> Segments::whyNot(int index) const {
    const auto reason = unavailable_.find(index);
    return reason == unavailable_.end() ? std::nullopt : std::optional(reason->second);
}

void Segments::setAvailable(int index, bool available, const QString& reason) {
    if (available) {
        unavailable_.erase(index);
    } else {
        unavailable_[index] = reason;
    }
    showAvailable();
}

void Segments::showAvailable() {
    const auto* entries = qobject_cast<QStandardItemModel*>(box_->model());
    for (int index = 0; index < static_cast<int>(texts_.size()); ++index) {
        const auto reason = unavailable_.find(index);
        const bool available = reason == unavailable_.end();
        const QString tip = available ? QString() : reason->second;
        if (QAbstractButton* button = group_->button(index)) {
            button->setEnabled(available);
            button->setToolTip(tip);
        } else if (QStandardItem* entry = entries == nullptr ? nullptr : entries->item(index)) {
            entry->setEnabled(available);
            entry->setToolTip(tip);
        }
    }
}

}  // namespace dlperf::ui
