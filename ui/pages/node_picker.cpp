// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/node_picker.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/fonts.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/table_header.h"

namespace dlperf::ui {
namespace {

constexpr int pickerRowHeight = 26;  // px
constexpr int mostRows = 6;          // visible at once
constexpr int nodeNameWidth = 164;
constexpr int rankWidth = 80;

}  // namespace

NodePicker::NodePicker(QWidget* parent) : QWidget(parent), model_(new NodeChoiceModel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addSpacing(12);
    column->addWidget(makeSeparator());
    column->addSpacing(12);
    buildHead();
    buildTable();
    connect(model_, &NodeChoiceModel::toggled, this, [this](const std::string& node, bool on) {
        emit chosen(withNode(chosen_, model_->all(), node, on));
    });
}

void NodePicker::buildHead() {
    auto* head = new QHBoxLayout;
    head->addWidget(makeLabel(tr("Nodes"), "section"));
    count_ = makeLabel({}, "caption");
    head->addWidget(count_);
    head->addStretch(1);
    QPushButton* choose = makeSmallButton(tr("Choose"));
    auto* menu = new QMenu(choose);
    menu->addAction(tr("&All nodes"), this, [this] { emit chosen({}); });
    menu->addAction(tr("Those that &fail no check"), this, [this] {
        const NodeNames fit = model_->fit();
        emit chosen(fit == model_->all() ? NodeNames{} : fit);
    });
    menu->addSeparator();
    menu->addAction(tr("Make it the &master (rank 0)"), this, &NodePicker::makeFirst);
    choose->setMenu(menu);
    head->addWidget(choose);
    static_cast<QVBoxLayout*>(layout())->addLayout(head);
}

void NodePicker::buildTable() {
    table_ = new QTableView;
    table_->setModel(model_);
    setUpRowTable(table_, tr("Nodes of the plan"), pickerRowHeight);
    table_->setProperty("kind", "rows");
    table_->horizontalHeader()->hide();
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->setColumnWidth(NodeChoiceModel::Name, scaled(nodeNameWidth));
    table_->setColumnWidth(NodeChoiceModel::Rank, scaled(rankWidth));
    table_->setToolTip(tr("Space uses a node or leaves it out; the menu makes it the master"));
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto* first = new QAction(tr("Make it the &master (rank 0)"), table_);
    connect(first, &QAction::triggered, this, &NodePicker::makeFirst);
    table_->addAction(first);
    auto* toggle = new QAction(tr("&Use it or leave it out"), table_);
    toggle->setShortcut(Qt::Key_Space);
    toggle->setShortcutContext(Qt::WidgetShortcut);
    connect(toggle, &QAction::triggered, this, &NodePicker::toggleCurrent);
    table_->addAction(toggle);
    layout()->addWidget(table_);
}

void NodePicker::setNodes(const std::vector<NodeEntry>& entries, const NodeNames& chosen) {
    chosen_ = chosen;
    model_->setNodes(entries, chosen);
    const int rows = model_->rowCount();
    setVisible(rows > 1);
    count_->setText(model_->used() == rows ? tr("all %1").arg(rows)
                                           : tr("%1 of %2").arg(model_->used()).arg(rows));
    table_->setFixedHeight(std::min(rows, mostRows) * scaled(pickerRowHeight) + 2 * table_->frameWidth());
    if (!table_->currentIndex().isValid() && rows > 0) {
        table_->setCurrentIndex(model_->index(0, NodeChoiceModel::Name));
    }
}

void NodePicker::makeFirst() {
    if (const QModelIndex current = table_->currentIndex(); current.isValid()) {
        emit chosen(withFirst(chosen_, model_->all(), model_->nameOf(current.row())));
    }
}

void NodePicker::toggleCurrent() {
    const QModelIndex name = table_->currentIndex().siblingAtColumn(NodeChoiceModel::Name);
    const bool isUsed = name.data(Qt::CheckStateRole).value<Qt::CheckState>() == Qt::Checked;
    model_->setData(name, isUsed ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
}

}  // namespace dlperf::ui
