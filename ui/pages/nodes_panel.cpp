// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/nodes_panel.h"

#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "ui/models/copy_table.h"
#include "ui/models/nodes_model.h"
#include "ui/theme/fonts.h"
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
      table_(makeRowsTable(shown_, tr("Nodes"), nodeRowHeight)) {
    buildHeader();
    shown_->setSourceModel(model_);
    shown_->setSortRole(NodesModel::rawRole);
    shown_->setFilterKeyColumn(-1);
    shown_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    connect(filter_, &QLineEdit::textChanged, shown_, &QSortFilterProxyModel::setFilterFixedString);
    table_->setObjectName(QStringLiteral("nodes"));
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);  // as the file has them
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &NodesPanel::selectionChanged);
    connect(table_, &QTableView::activated, this, &NodesPanel::activated);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    // At the node, whether the mouse or a key asked for it.
    connect(table_, &QTableView::customContextMenuRequested, this, [this](const QPoint& where) {
        const QRect row = table_->visualRect(table_->currentIndex());
        emit menuAsked(table_->viewport()->mapToGlobal(
            row.top() <= where.y() && where.y() <= row.bottom() ? where : row.center()));
    });
    new QShortcut(Qt::Key_Delete, table_, this, &NodesPanel::removeAsked, Qt::WidgetShortcut);
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
    std::array<int, NodesModel::LastCheck> before{};
    int needed = 0;
    for (int column = 0; column < NodesModel::LastCheck; ++column) {
        before[static_cast<std::size_t>(column)] = table_->columnWidth(column);
        table_->resizeColumnToContents(column);
        needed += table_->columnWidth(column);
    }
    table_->setColumnHidden(NodesModel::LastCheck, false);  // a hidden one's hint is 0
    const QHeaderView& header = *table_->horizontalHeader();
    const int last =  // Qt stretches it from the default size
        std::max(header.sectionSizeHint(NodesModel::LastCheck), header.defaultSectionSize());
    const int room = table_->viewport()->width();
    const int between = std::clamp((room - needed - last) / NodesModel::LastCheck, 0, columnGap);
    int used = 0;
    for (int column = 0; column < NodesModel::LastCheck; ++column) {
        const int had = isFitted_ ? before[static_cast<std::size_t>(column)] : 0;
        table_->setColumnWidth(column, std::max(had, table_->columnWidth(column) + between));
        used += table_->columnWidth(column);
    }
    table_->setColumnHidden(NodesModel::LastCheck, used + last > room);
    isFitted_ = isFitted_ || isVisible();
}

void NodesPanel::showLastCheck(const QDateTime& asked) {
    lastCheck_->setText(asked.isValid() ? tr("Last check %1").arg(asked.toString(QStringLiteral("HH:mm:ss")))
                                        : QString());
}

void NodesPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    isFitted_ = false;
    fitColumns();
}

void NodesPanel::copyTable() const {
    const report::Table table =
        shownTable(*shown_, firstOf(NodesModel::ColumnCount), firstOf(shown_->rowCount()));
    copyText(QString::fromStdString(report::toMarkdown(table)));
}

}  // namespace dlperf::ui
