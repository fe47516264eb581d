// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/segments.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

namespace dlperf::ui {

Segments::Segments(const QStringList& texts, QWidget* parent)
    : QWidget(parent), row_(new QHBoxLayout(this)), group_(new QButtonGroup(this)) {
    row_->setContentsMargins(0, 0, 0, 0);
    row_->setSpacing(0);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    group_->setExclusive(true);
    connect(group_, &QButtonGroup::idClicked, this, &Segments::changed);
    setTexts(texts, 0);
}

void Segments::setTexts(const QStringList& texts, int current) {
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
    setCurrent(current);
}

int Segments::current() const {
    return group_->checkedId();
}

void Segments::setCurrent(int index) {
    if (QAbstractButton* button = group_->button(index)) {
        button->setChecked(true);
    }
}

void Segments::setAvailable(int index, bool available, const QString& reason) {
    if (QAbstractButton* button = group_->button(index)) {
        button->setEnabled(available);
        button->setToolTip(available ? QString() : reason);
    }
}

}  // namespace dlperf::ui
