// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/nodes_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/copy_table.h"
#include "ui/models/nodes_model.h"
#include "ui/pages/page_parts.h"
#include "ui/theme/fonts.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/table_header.h"

namespace dlperf::ui {
namespace {

constexpr int nodeRowHeight = 30;
constexpr int nodesHeaderHeight = 28;
constexpr int columnGap = 24;
constexpr int rowsShown = 4;   // at least, before the table scrolls
constexpr int rowsBefore = 8;  // at most: the details need the room
constexpr int nodesFilterWidth = 220;

}  // namespace

NodesPanel::NodesPanel(NodeList& nodes, QWidget* parent)
    : Panel(parent),
      nodes_(nodes),
      model_(new NodesModel(nodes, this)),
      shown_(new QSortFilterProxyModel(this)),
      table_(new QTableView) {
    buildHeader();
    shown_->setSourceModel(model_);
    shown_->setSortRole(NodesModel::rawRole);
    shown_->setFilterKeyColumn(-1);
    shown_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    connect(filter_, &QLineEdit::textChanged, shown_, &QSortFilterProxyModel::setFilterFixedString);
    table_->setObjectName(QStringLiteral("nodes"));
    table_->setProperty("kind", "rows");
    table_->setHorizontalHeader(new TableHeader(table_));
    table_->setModel(shown_);
    setUpRowTable(table_, tr("Nodes"), nodeRowHeight);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);  // as the file has them
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &NodesPanel::selectionChanged);
    body()->addWidget(table_);
}

void NodesPanel::buildHeader() {
    QHBoxLayout* head = addHeader(tr("Nodes"));
    filter_ = makeFilterField(tr("Filter nodes"));
    filter_->setProperty("size", "small");
    filter_->setFixedWidth(nodesFilterWidth);
    head->insertWidget(1, filter_);
    lastCheck_ = makeLabel({}, "secondary");
    head->addWidget(lastCheck_);
    QPushButton* copy = makeSmallButton(tr("Copy table"), QStringLiteral("copy"));
    connect(copy, &QPushButton::clicked, this, &NodesPanel::copyTable);
    head->addWidget(copy);
}

std::optional<std::size_t> NodesPanel::selected() const {
    const QModelIndex current = shown_->mapToSource(table_->currentIndex());
    const bool valid = current.isValid() && static_cast<std::size_t>(current.row()) < nodes_.entries().size();
    return valid ? std::optional(static_cast<std::size_t>(current.row())) : std::nullopt;
}

void NodesPanel::select(std::size_t index) {
    table_->setCurrentIndex(shown_->mapFromSource(model_->index(static_cast<int>(index), 0)));
}

void NodesPanel::clearFilter() {
    filter_->clear();
}

void NodesPanel::focusFilter() {
    filter_->setFocus(Qt::ShortcutFocusReason);
}

void NodesPanel::focusTable() {
    table_->setFocus(Qt::OtherFocusReason);
}

void NodesPanel::fitRows() {
    const auto rows = std::clamp(static_cast<int>(nodes_.entries().size()), rowsShown, rowsBefore);
    table_->setFixedHeight(scaled(nodeRowHeight) * rows + scaled(nodesHeaderHeight) + 2);
}

void NodesPanel::fitColumns() {
    for (int column = 0; column < NodesModel::LastCheck; ++column) {
        const int before = table_->columnWidth(column);
        table_->resizeColumnToContents(column);
        table_->setColumnWidth(column, std::max(before, table_->columnWidth(column) + columnGap));
    }
}

void NodesPanel::showLastCheck(const QDateTime& asked) {
    lastCheck_->setText(asked.isValid() ? tr("Last check %1").arg(asked.toString(QStringLiteral("HH:mm:ss")))
                                        : QString());
}

void NodesPanel::copyTable() const {
    const report::Table table =
        shownTable(*shown_, firstOf(NodesModel::ColumnCount), firstOf(shown_->rowCount()));
    QGuiApplication::clipboard()->setText(QString::fromStdString(report::toMarkdown(table)));
}

}  // namespace dlperf::ui
