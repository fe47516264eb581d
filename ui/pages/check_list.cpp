// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/check_list.h"

#include <QLabel>
#include <QVBoxLayout>

#include "ui/pages/check_row.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {

CheckList::CheckList(QWidget* parent) : QWidget(parent), column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(0, 0, 0, 0);
}

void CheckList::setChecks(const std::vector<cluster::Check>& checks,
                          const std::vector<cluster::Check>& between) {
    emptyLayout(column_);
    column_->setSpacing(0);
    for (const cluster::Check& check : checks) {
        column_->addWidget(new CheckRow(check, this));
    }
    if (!between.empty()) {
        QLabel* heading = makeLabel(tr("Between the nodes"), "strong");
        heading->setContentsMargins(12, 14, 12, 6);
        column_->addWidget(heading);
    }
    for (const cluster::Check& check : between) {
        column_->addWidget(new CheckRow(check, this));
    }
    column_->addStretch(1);
}

void CheckList::setWord(const QString& title, const QString& text) {
    emptyLayout(column_);
    column_->setSpacing(4);
    column_->addStretch(1);
    column_->addWidget(makeLabel(title, "strong"), 0, Qt::AlignHCenter);
    QLabel* words = makeLabel(text, "secondary");
    words->setWordWrap(true);
    words->setAlignment(Qt::AlignHCenter);
    words->setContentsMargins(24, 0, 24, 0);
    column_->addWidget(words);
    column_->addStretch(2);
}

}  // namespace dlperf::ui
