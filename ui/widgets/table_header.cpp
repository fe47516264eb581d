// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/table_header.h"

#include <QPainter>
#include <QPixmap>
#include <QResizeEvent>
#include <utility>

#include "ui/theme/fonts.h"

namespace dlperf::ui {
namespace {

constexpr int arrowWidth = 12;  // px, as the style sheet has it
constexpr int signGap = 7;      // px, between a sign and its title

QString withoutUnit(const QString& title) {
    return title.section(QLatin1String(", "), 0, 0).section(QChar(0xFF08), 0, 0);  // "（" in Chinese
}

class WidthFollower final : public QObject {
public:
    WidthFollower(QTableView& table, std::function<void()> layOut)
        : QObject(&table), layOut_(std::move(layOut)) {
        table.viewport()->installEventFilter(this);
    }

    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Resize) {
            const auto* resized = static_cast<QResizeEvent*>(event);
            if (resized->size().width() != resized->oldSize().width()) {
                QMetaObject::invokeMethod(this, layOut_, Qt::QueuedConnection);
            }
        }
        return false;
    }

private:
    std::function<void()> layOut_;
};

}  // namespace

TableHeader::TableHeader(QWidget* parent, int padding)
    : QHeaderView(Qt::Horizontal, parent), padding_(padding) {
    setSectionsClickable(true);
}

bool TableHeader::isSorted(int column) const {
    return isSortIndicatorShown() && sortIndicatorSection() == column;
}

QString TableHeader::titleOf(int column) const {
    return model()->headerData(column, orientation()).toString();
}

int TableHeader::widthOf(const QString& title, int column) const {
    const QFontMetrics metrics(textFont(size::secondary, QFont::DemiBold));
    return metrics.horizontalAdvance(title) + 2 * padding_ + 1 + (isSorted(column) ? arrowWidth : 0);
}

int TableHeader::steadyWidthFor(int column) const {
    return widthFor(column) + (isSorted(column) ? 0 : arrowWidth);
}

int TableHeader::leastFor(int column) const {
    return widthOf(withoutUnit(titleOf(column)), column);
}

void TableHeader::initStyleOptionForIndex(QStyleOptionHeader* option, int column) const {
    QHeaderView::initStyleOptionForIndex(option, column);
    if (sectionSize(column) < widthFor(column)) {
        option->text = withoutUnit(option->text);
    }
}

// The style takes the arrow's width off the right end, so a section without arrow is drawn that much wider.
void TableHeader::paintSection(QPainter* painter, const QRect& rect, int column) const {
    painter->save();
    painter->setClipRect(rect);
    QHeaderView::paintSection(painter, isSorted(column) ? rect : rect.adjusted(0, 0, arrowWidth, 0), column);
    const auto sign = model()->headerData(column, orientation(), SignRole).value<QPixmap>();
    if (!sign.isNull()) {
        const int title =
            QFontMetrics(textFont(size::secondary, QFont::DemiBold)).horizontalAdvance(titleOf(column));
        const int right = rect.right() - padding_ - title - (isSorted(column) ? arrowWidth : 0) - signGap;
        const int width = qRound(sign.width() / sign.devicePixelRatio());
        painter->drawPixmap(right - width, rect.center().y() - width / 2, sign);
    }
    painter->restore();
}

void setUpRowTable(QTableView* table, const QString& name, int rowHeight) {
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(scaled(rowHeight));
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setStretchLastSection(true);
    table->setShowGrid(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setTabKeyNavigation(false);
    table->setAccessibleName(name);
}

QTableView* makeRowsTable(QAbstractItemModel* model, const QString& name, int rowHeight) {
    auto* table = new QTableView;
    table->setProperty("kind", "rows");
    table->setHorizontalHeader(new TableHeader(table));
    table->setModel(model);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    setUpRowTable(table, name, rowHeight);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    return table;
}

void layOutColumnsBy(QTableView& table, const std::function<void()>& layOut) {
    new WidthFollower(table, layOut);
    QObject::connect(table.horizontalHeader(), &QHeaderView::sortIndicatorChanged, &table, layOut,
                     Qt::QueuedConnection);
}

void selectOnlyRow(QTableView& table, int row) {
    table.selectionModel()->setCurrentIndex(table.model()->index(row, 0),
                                            QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void focusRows(QTableView& table) {
    table.setFocus(Qt::OtherFocusReason);
    if (!table.selectionModel()->hasSelection() && table.model()->rowCount() > 0) {
        selectOnlyRow(table, 0);
    }
}

}  // namespace dlperf::ui
