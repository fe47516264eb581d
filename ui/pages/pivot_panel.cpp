// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/pivot_panel.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "ui/models/pivot_model.h"
#include "ui/pages/copy_button.h"
#include "ui/theme/fonts.h"
#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"
#include "ui/theme/theme.h"
#include "ui/theme/tips.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/table_header.h"

namespace dlperf::ui {
namespace {

constexpr int pivotRowHeight = 29;
constexpr int pivotPadding = 12;  // px, left and right
constexpr int rowIndent = 14;     // px: rows stand below the heading of their group
constexpr int signRoom = 20;      // px, of a framework's sign before its heading
constexpr int sharedMark = 6;     // px, of the corner of a cell that holds several cases
constexpr double faintest = 0.05;
constexpr double strongest = 0.34;  // of the accent: text on it keeps its contrast

static_assert(static_cast<int>(PivotModel::SignRole) == TableHeader::SignRole);

QColor mixed(const QColor& ground, const QColor& ink, double share) {
    const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return {mix(ground.red(), ink.red()), mix(ground.green(), ink.green()), mix(ground.blue(), ink.blue())};
}

// Blue for the best, or for above what it is compared with, orange for below: colour-blind eyes tell them
// apart.
QColor heatColor(double heat, bool isCompared, const Theme& theme) {
    constexpr double coldest = 0.3;  // a third of the best and less is as pale as can be
    const QColor below(0xE0, 0x8A, 0x3C);
    const double share = isCompared ? std::abs(heat) : std::clamp((heat - coldest) / (1 - coldest), 0.0, 1.0);
    return mixed(theme.panel, isCompared && heat < 0 ? below : theme.accent,
                 faintest + (strongest - faintest) * share);
}

// What bold and the shade say: each has a scope of its own, for the layout ranks and the user shades.
QString marksText(const report::PivotLayout& layout) {
    const bool areOne = report::ranksRows(layout) && layout.shade == report::PivotShade::Row;
    if (areOne && layout.comparedTo.empty()) {
        return PivotPanel::tr("Bold and darkest: best of its row");
    }
    QString bold = report::ranksRows(layout) ? PivotPanel::tr("Bold: best of its row")
                                             : PivotPanel::tr("Bold: best of its column");
    const std::array<QString, 3> shades{PivotPanel::tr("darkest: of its row"),
                                        PivotPanel::tr("darkest: of its column"),
                                        PivotPanel::tr("darkest: of all")};  // as report::PivotShade
    if (layout.shade == report::PivotShade::None) {
        return bold;
    }
    return PivotPanel::tr("%1, %2").arg(bold, layout.comparedTo.empty()
                                                  ? shades.at(static_cast<std::size_t>(layout.shade))
                                                  : PivotPanel::tr("blue: above, orange: below"));
}

class PivotDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Theme& theme = currentTheme();
        painter->save();
        const bool isGroup = index.data(PivotModel::GroupRole).toBool();
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const QVariant heat = index.data(PivotModel::HeatRole);
        painter->fillRect(option.rect, isGroup ? theme.header
                                       : heat.isValid()
                                           ? heatColor(heat.toDouble(),
                                                       index.data(PivotModel::ComparedRole).toBool(), theme)
                                           : theme.panel);
        QRect text = option.rect.adjusted(pivotPadding, 0, -pivotPadding, 0);
        if (index.column() == 0 && !isGroup) {
            text.setLeft(text.left() + rowIndent);
        }
        painter->setPen(index.data().toString() == missing ? theme.text3 : theme.text);
        painter->setFont(index.data(Qt::FontRole).value<QFont>());
        painter->drawText(
            text, index.data(Qt::TextAlignmentRole).toInt(),
            painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, text.width()));
        painter->setPen(QPen(theme.grid, 1));
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
        if (index.data(PivotModel::SharedRole).toBool()) {
            paintSharedMark(*painter, option.rect.topRight() + QPoint(1, 0), theme);
        }
        if (selected) {
            painter->setBrush(Qt::NoBrush);
            painter->setPen(QPen(theme.focus, 2));
            painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
        }
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        const QFontMetrics metrics(index.data(Qt::FontRole).value<QFont>());
        const bool isGroup = index.data(PivotModel::GroupRole).toBool();
        const int text =
            isGroup && index.column() > 0 ? 0 : metrics.horizontalAdvance(index.data().toString());
        return {text + 2 * pivotPadding + 1 + (index.column() == 0 && !isGroup ? rowIndent : 0),
                pivotRowHeight};
    }

private:
    static void paintSharedMark(QPainter& painter, const QPoint& corner, const Theme& theme) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.text2);
        painter.drawPolygon(
            QPolygon({corner, corner - QPoint(sharedMark, 0), corner + QPoint(0, sharedMark)}));
    }
};

}  // namespace

PivotPanel::PivotPanel(QWidget* parent) : Panel(parent), model_(new PivotModel(this)) {
    QHBoxLayout* head = addHeader(tr("Pivot"));
    notes_ = new ElidedLabel;
    notes_->setProperty("kind", "secondary");
    head->insertWidget(1, notes_);
    head->addWidget(makeCopyButton(
        [this] { return shownTable(); },
        [this] { return report::translated(report::pivotFigures(model_->pivot()), windowTranslation()); }));
    buildTable();
    QHBoxLayout* foot = addFooter();
    marks_ = makeLabel({}, "secondary");
    foot->addWidget(marks_);
    foot->addSpacing(10);
    foot->addWidget(makeIcon(QStringLiteral("corner"), "", sharedMark * 2));
    auto* doubleClick = new ElidedLabel(tr("Double-click a cell for its runs"));
    doubleClick->setProperty("kind", "secondary");
    for (QLabel* label : {makeLabel(tr("several cases"), "secondary"),
                          makeLabel(tr("– no figure"), "secondary"), static_cast<QLabel*>(doubleClick)}) {
        foot->addWidget(label);
        foot->addSpacing(10);
    }
    mixed_ = new ElidedLabel;
    mixed_->setProperty("kind", "secondary");
    mixed_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // what the others leave
    foot->addWidget(mixed_, 1);
}

void PivotPanel::buildTable() {
    table_ = new QTableView(this);
    table_->setHorizontalHeader(new TableHeader(table_, pivotPadding));
    table_->setProperty("kind", "pivot");
    table_->setModel(model_);
    table_->setItemDelegate(new PivotDelegate(table_));
    setUpRowTable(table_, tr("Pivot table"), pivotRowHeight);
    table_->setSelectionBehavior(QAbstractItemView::SelectItems);
    table_->setSelectionMode(QAbstractItemView::ContiguousSelection);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->setWordWrap(false);
    QHeaderView& header = *table_->horizontalHeader();
    header.setSortIndicator(-1, Qt::DescendingOrder);  // as the fields order it, until a title is clicked
    header.setSortIndicatorClearable(true);
    header.setStretchLastSection(false);
    header.setMinimumSectionSize(40);
    table_->setSortingEnabled(true);
    body()->addWidget(table_, 1);
    table_->viewport()->installEventFilter(this);
    copy_ = new QAction(tr("Copy"), table_);
    copy_->setShortcut(QKeySequence::Copy);
    copy_->setShortcutContext(Qt::WidgetShortcut);
    connect(copy_, &QAction::triggered, this, &PivotPanel::copySelection);
    table_->addAction(copy_);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(table_, &QTableView::customContextMenuRequested, this, &PivotPanel::showMenu);
    connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
        if (const report::PivotCell* cell = model_->cellAt(index); cell != nullptr && cell->cases > 0) {
            emit cellActivated(cell->seriesId, cell->topology);
        }
    });
    connect(model_, &PivotModel::modelReset, this, &PivotPanel::layOut);
}

void PivotPanel::setPivot(report::Pivot pivot) {
    notes_->setText(localized(report::countsText(pivot)));
    QStringList mixed;
    for (const std::string& one : report::mixtureNotes(pivot)) {
        mixed << localized(one);
    }
    mixed_->setText(mixed.join(QLatin1Char(' ')));
    marks_->setText(marksText(pivot.layout));
    model_->setPivot(std::move(pivot));
}

const report::Pivot& PivotPanel::pivot() const {
    return model_->pivot();
}

report::Table PivotPanel::shownTable() const {
    return report::translated(report::pivotTable(model_->pivot()), windowTranslation());
}

bool PivotPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && watched == table_->viewport()) {
        QMetaObject::invokeMethod(this, &PivotPanel::layOut, Qt::QueuedConnection);
    }
    return QWidget::eventFilter(watched, event);
}

// Columns of figures are of one width, as far as there is room: the eye compares.
void PivotPanel::layOut() {
    table_->clearSpans();
    for (int row = 0; row < model_->rowCount(); ++row) {
        if (model_->isGroup(row) && model_->columnCount() > 1) {
            table_->setSpan(row, 0, 1, model_->columnCount());
        }
    }
    const auto* header = static_cast<const TableHeader*>(table_->horizontalHeader());
    const QAbstractItemView* view = table_;
    int all = 0;
    std::vector<int> widths;
    for (int column = 0; column < model_->columnCount(); ++column) {
        const bool hasSign = model_->headerData(column, Qt::Horizontal, TableHeader::SignRole).isValid();
        widths.push_back(std::max(view->sizeHintForColumn(column),
                                  header->steadyWidthFor(column) + (hasSign ? scaled(signRoom) : 0)));
        all += widths.back();
    }
    const int room = table_->viewport()->width() - all;
    const int share = widths.size() > 1 ? std::max(0, room) / static_cast<int>(widths.size()) : 0;
    for (std::size_t column = 0; column < widths.size(); ++column) {
        table_->setColumnWidth(static_cast<int>(column), widths[column] + std::min(share, scaled(60)));
    }
}

void PivotPanel::copySelection() const {
    const QModelIndexList cells = table_->selectionModel()->selectedIndexes();
    std::set<int> columns;
    std::map<int, std::map<int, QString>> rows;
    for (const QModelIndex& index : cells) {
        columns.insert(index.column());
        rows[index.row()][index.column()] = index.data().toString();
    }
    report::Table table;
    for (const int column : columns) {
        table.columns.push_back(
            {model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().toStdString(),
             column > 0});
    }
    for (const auto& [row, texts] : rows) {
        auto& line = table.rows.emplace_back();
        for (const int column : columns) {
            const auto text = texts.find(column);
            line.push_back(report::textCell(text == texts.end() ? "" : text->second.toStdString()));
        }
    }
    copyCells(table);
}

void PivotPanel::showMenu(const QPoint& where) {
    const QModelIndex index = table_->indexAt(where);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (const report::PivotCell* cell = model_->cellAt(index); cell != nullptr && cell->cases > 0) {
        menu->addAction(tr("Show its runs"), this, [this, id = cell->seriesId, topology = cell->topology] {
            emit cellActivated(id, topology);
        });
    }
    if (const QString heading = model_->columnHeading(index.column()); !heading.isEmpty()) {
        menu->addAction(tr("Compare with %1").arg(heading), this,
                        [this, heading] { emit comparisonAsked(heading); });
    }
    if (!model_->pivot().layout.comparedTo.empty()) {
        menu->addAction(tr("Compare with nothing"), this, [this] { emit comparisonAsked({}); });
    }
    menu->addSeparator();
    menu->addAction(copy_);
    menu->popup(table_->viewport()->mapToGlobal(where));
}

void PivotPanel::focusTable() {
    table_->setFocus(Qt::OtherFocusReason);
    if (!table_->currentIndex().isValid() && model_->rowCount() > 0) {
        const int first = model_->isGroup(0) ? 1 : 0;
        table_->setCurrentIndex(model_->index(first, std::min(1, model_->columnCount() - 1)));
    }
}

}  // namespace dlperf::ui
