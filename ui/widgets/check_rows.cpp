// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/check_rows.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/widgets/parts.h"

namespace dlperf::ui {

CheckRows::CheckRows(QWidget* parent) : QWidget(parent), column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(4);
}

void CheckRows::setRows(const std::vector<Row>& rows) {
    const bool same =
        std::ranges::equal(made_, rows, [](const Made& made, const Row& row) { return made.key == row.key; });
    if (!same) {
        build(rows);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        made_[i].box->setText(rows[i].title);
        made_[i].box->setChecked(rows[i].on);
        made_[i].count->setText(rows[i].count);
    }
}

void CheckRows::build(const std::vector<Row>& rows) {
    for (const Made& made : made_) {
        delete made.box->parentWidget();
    }
    made_.clear();
    for (const Row& row : rows) {
        auto* host = new QWidget(this);
        auto* layout = new QHBoxLayout(host);
        layout->setContentsMargins(0, 0, 0, 0);
        auto* box = new QCheckBox;
        connect(box, &QCheckBox::clicked, this, [this, key = row.key](bool on) { emit toggled(key, on); });
        layout->addWidget(box, 1);
        QLabel* count = makeLabel({}, "count");
        layout->addWidget(count);
        column_->addWidget(host);
        made_.push_back({row.key, box, count});
    }
}

}  // namespace dlperf::ui
