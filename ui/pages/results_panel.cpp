// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/results_panel.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QResizeEvent>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <string_view>

#include "ui/models/copy_table.h"
#include "ui/models/figure_order.h"
#include "ui/models/results_model.h"
#include "ui/pages/copy_button.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/numbers.h"
#include "ui/theme/series_style.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/table_header.h"

namespace dlperf::ui {
namespace {

constexpr int leastSpreadBox = 110;  // px
constexpr int leastBaselineBox = 150;
constexpr int widestColumn = 300;
// px: words are cut before figures are scrolled to, and whole in their tips.
constexpr int narrowestFinding = 120;
constexpr int narrowestSeries = 170;
constexpr int narrowestDifference = 76;  // "not distinguishable"; every figure has room
constexpr int roomForSegments = 900;     // px; below, the topologies are a box to choose from

constexpr int resultRowHeight = 29;
constexpr int efficiencyRoom = 42;  // px: what the bar takes of its column
constexpr int cellPadding = 6;
constexpr int spreadBarWidth = 48;
constexpr int efficiencyWidth = efficiencyRoom - cellPadding;
constexpr int resultKeyWidth = 20;
constexpr int firstColumnIndent = 4;  // of the first column: it stands below the panel's title

void paintSpread(QPainter& painter, const QRect& rect, const SpreadBar& bar, const Theme& theme) {
    const double middle = rect.center().x() + 0.5;
    const double y = rect.center().y() + 0.5;
    const double half = spreadBarWidth / 2.0;
    const double scale = bar.widest > 0 ? half * 0.9 / bar.widest : 0;
    painter.setPen(QPen(theme.border, 1));
    painter.drawLine(QPointF(middle - half, y), QPointF(middle + half, y));
    painter.setPen(QPen(theme.text, 1.4));
    const double left = middle + bar.low * scale;
    const double right = middle + bar.high * scale;
    painter.drawLine(QPointF(left, y), QPointF(right, y));
    for (const double end : {left, right}) {
        painter.drawLine(QPointF(end, y - 3), QPointF(end, y + 3));
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text);
    painter.drawEllipse(QPointF(middle, y), 2.5, 2.5);
}

void paintEfficiency(QPainter& painter, QRect rect, double share, const Theme& theme) {
    const QRectF track(rect.left() + cellPadding, rect.center().y() - 2, efficiencyWidth, 6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.press);
    painter.drawRoundedRect(track, 3, 3);
    painter.setBrush(theme.text3);
    painter.drawRoundedRect(QRectF(track.topLeft(), QSizeF(track.width() * std::clamp(share, 0.0, 1.0), 6)),
                            3, 3);
}

// The table's focus is a ring around the chosen row: each cell draws its part of it.
void paintFocus(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                const Theme& theme) {
    const auto* table = qobject_cast<const QTableView*>(option.widget);
    if (table == nullptr || !table->hasFocus() || table->currentIndex().row() != index.row()) {
        return;
    }
    const QHeaderView& header = *table->horizontalHeader();
    const QRect cell = option.rect.adjusted(0, 1, 0, -1);
    const auto isAt = [&](int visual, int step) {  // no column is shown beyond it
        for (visual += step; visual >= 0 && visual < header.count(); visual += step) {
            if (!table->isColumnHidden(header.logicalIndex(visual))) {
                return false;
            }
        }
        return true;
    };
    const int visual = header.visualIndex(index.column());
    painter.setPen(QPen(theme.focus, 2));
    painter.drawLine(cell.topLeft(), cell.topRight());
    painter.drawLine(cell.bottomLeft(), cell.bottomRight());
    if (isAt(visual, -1)) {
        painter.drawLine(cell.topLeft() + QPoint(1, 0), cell.bottomLeft() + QPoint(1, 0));
    }
    if (isAt(visual, 1)) {
        painter.drawLine(cell.topRight(), cell.bottomRight());
    }
}

// A series' key before its name, small bars beside spread and efficiency where there is room.
class ResultsDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Theme& theme = currentTheme();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const bool isPointedAt = index.data(ResultsModel::PointedRole).toBool();
        const QColor ground = selected ? theme.sel : isPointedAt ? theme.hover : theme.panel;
        if (selected || isPointedAt) {
            painter->fillRect(option.rect, ground);
        }
        QRect text = option.rect.adjusted(cellPadding, 0, -cellPadding, 0);
        const QVariant bar = index.data(ResultsModel::BarRole);
        if (index.column() == ResultsModel::SeriesColumn) {
            text.setLeft(text.left() + firstColumnIndent);
            const SeriesStyle style =
                seriesStyle(theme, index.data(ResultsModel::FrameworkRole).toString().toStdString(),
                            index.data(ResultsModel::FillRole).toInt());
            drawKey(*painter, QRectF(text.left(), text.top(), resultKeyWidth, text.height()), style, ground);
            text.setLeft(text.left() + resultKeyWidth + 8);
        } else if (index.column() == ResultsModel::SpreadBarColumn && bar.isValid()) {
            paintSpread(*painter, option.rect, bar.value<SpreadBar>(), theme);
        } else if (index.column() == ResultsModel::EfficiencyColumn && bar.isValid() &&
                   sizeHint(option, index).width() <= option.rect.width()) {
            paintEfficiency(*painter, option.rect, bar.toDouble(), theme);
        }
        QColor ink = theme.text;
        if (const QString finding = index.data().toString();
            index.column() == ResultsModel::FindingColumn && !finding.isEmpty()) {
            painter->drawPixmap(QPoint(text.left(), text.center().y() - 6),
                                iconPixmap(QStringLiteral("state-warn"), theme.warn.text, 14,
                                           painter->device()->devicePixelRatioF()));
            text.setLeft(text.left() + 20);
            ink = theme.warn.text;
        }
        painter->setPen(ink);
        painter->setFont(index.data(Qt::FontRole).value<QFont>());
        // What tells series of one framework apart stands at the end of their names.
        const auto cut = index.column() == ResultsModel::SeriesColumn ? Qt::ElideMiddle : Qt::ElideRight;
        const QString shown = painter->fontMetrics().elidedText(textOf(index), cut, text.width());
        painter->drawText(text, index.data(Qt::TextAlignmentRole).toInt(), shown);
        painter->setPen(QPen(theme.grid, 1));
        painter->setRenderHint(QPainter::Antialiasing, false);
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
        paintFocus(*painter, option, index, theme);
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        const QFontMetrics metrics(index.data(Qt::FontRole).value<QFont>());
        int width = metrics.horizontalAdvance(textOf(index)) + 2 * cellPadding + 1;
        switch (index.column()) {
            case ResultsModel::SeriesColumn:
                width += firstColumnIndent + resultKeyWidth + 8;
                break;
            case ResultsModel::SpreadBarColumn:
                width = spreadBarWidth + cellPadding;
                break;
            case ResultsModel::EfficiencyColumn:
                width += efficiencyRoom;
                break;
            case ResultsModel::FindingColumn:
                width += 20;
                break;
            default:
                break;
        }
        return {width, resultRowHeight};
    }

private:
    static QString textOf(const QModelIndex& index) {
        return index
            .data(index.column() == ResultsModel::SeriesColumn ? int{ResultsModel::ShownTitleRole}
                                                               : int{Qt::DisplayRole})
            .toString();
    }
};

constexpr const char* allTopologies = "all";

// As a stored view names them.
constexpr std::array<std::string_view, ResultsModel::ColumnCount> columnNames = {
    "series",  "topology",      "runs",       "median",     "range",   "spread-bar", "spread",
    "speedup", "speedup-range", "efficiency", "difference", "verdict", "memory",     "finding"};

QTableView* makeTable(QAbstractItemModel* model) {
    auto* table = new QTableView;
    table->setHorizontalHeader(new TableHeader(table, TableHeader::densePadding));
    table->setProperty("kind", "dense");
    table->setModel(model);
    table->setItemDelegate(new ResultsDelegate(table));
    setUpRowTable(table, ResultsPanel::tr("Results"), resultRowHeight);
    table->setAlternatingRowColors(false);
    table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setSortingEnabled(true);
    table->setWordWrap(false);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    table->horizontalHeader()->setMinimumSectionSize(40);
    return table;
}

}  // namespace

ResultsPanel::ResultsPanel(QWidget* parent) : Panel(parent), model_(new ResultsModel(this)) {
    sorted_ = new FigureOrder(this);
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(ResultsModel::RawRole);
    buildHead(*addHeader(tr("Results")));
    table_ = makeTable(sorted_);
    table_->sortByColumn(ResultsModel::MedianColumn, Qt::DescendingOrder);
    body()->addWidget(table_, 1);
    layOutColumnsBy(*table_, [this] { layOut(); });
    copyRows_ = addCopyRows(*table_, [this](const std::vector<int>& rows) { return tableOf(rows); });
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(table_, &QTableView::customContextMenuRequested, this, &ResultsPanel::showMenu);
    buildFoot(*addFooter());
    connect(table_, &QTableView::activated, this, [this] {
        for (const auto& [id, topology] : selectedCases()) {
            emit caseActivated(id, topology);
            return;
        }
    });
    connect(topologies_, &Segments::changed, this, [this] {
        wantedTopology_ = tableView().topology;
        refresh();
        emit topologyChosen();
    });
    connect(baseline_, &SeriesCombo::changed, this, &ResultsPanel::refresh);
    connect(baseline_, &SeriesCombo::changed, this, &ResultsPanel::baselineChanged);
}

void ResultsPanel::buildHead(QHBoxLayout& head) {
    topologies_ = new Segments(tr("Topology"));
    head.insertWidget(1, topologies_);
    baseline_ = new SeriesCombo(tr("Compared to: %1"), tr("fastest"));
    baseline_->setMinimumWidth(scaled(leastBaselineBox));
    baseline_->setAccessibleName(tr("Compared to"));
    baseline_->setToolTip(tr("What the last column of figures is relative to"));
    head.addWidget(baseline_);
    spread_ = new ElidedCombo;
    spread_->setMinimumWidth(scaled(leastSpreadBox));
    spread_->addItems({tr("Spread: min to max"), tr("Spread: 95 % interval")});  // as report::Spread counts
    spread_->setAccessibleName(tr("Spread"));
    spread_->setToolTip(
        tr("Whiskers and table: the lowest and highest repetition, or where the median lies with "
           "95 % confidence (bootstrap, five repetitions or more)"));
    connect(spread_, &QComboBox::currentIndexChanged, this, &ResultsPanel::spreadChanged);
    head.addWidget(spread_);
    head.addWidget(makeCopyButton([this] { return shownRows(); }));
}

void ResultsPanel::buildFoot(QHBoxLayout& foot) {
    shown_ = makeLabel({}, "secondary");
    foot.addWidget(shown_);
    foot.addSpacing(10);
    foot.addWidget(makeLabel(tr("– no figure"), "secondary"));
    foot.addSpacing(10);
    auto* rounding = new ElidedLabel(tr("Rounded as DLPerf does, to 2 decimals"));
    rounding->setProperty("kind", "secondary");
    foot.addWidget(rounding);
    foot.addSpacing(10);
    few_ = makeLabel({}, "secondary");
    few_->setToolTip(tr("From 4 and 4 repetitions on a rank test can tell whether two cases differ"));
    foot.addWidget(few_);
    foot.addStretch(1);
}

void ResultsPanel::setComparison(const report::Comparison& comparison, const std::set<std::string>& hidden) {
    const bool sameTopologies = comparison.topologies == comparison_.topologies;
    comparison_ = comparison;
    hidden_ = hidden;
    baseline_->setSeries(titlesOf(comparison));
    if (!sameTopologies || topologies_->current() < 0) {
        showTopologies();
    }
    refresh();
}

// The one that was chosen stays so; else it is the largest.
void ResultsPanel::showTopologies() {
    QStringList texts{tr("All")};
    for (const Topology& topology : comparison_.topologies) {
        texts << QString::fromStdString(toString(topology));
    }
    const auto wanted = wantedTopology_ == allTopologies
                            ? qsizetype{0}
                            : texts.indexOf(QString::fromStdString(wantedTopology_), 1);
    topologies_->setTexts(texts, static_cast<int>(wanted < 0 ? texts.size() - 1 : wanted));
    topologies_->setVisible(texts.size() > 1);
}

std::optional<Topology> ResultsPanel::chosenTopology() const {
    const auto chosen = parseTopology(wantedTopology_);
    const bool isThere =
        chosen && std::ranges::find(comparison_.topologies, *chosen) != comparison_.topologies.end();
    return isThere ? chosen : std::nullopt;
}

report::TableView ResultsPanel::tableView() const {
    const int chosen = topologies_->current();
    const QHeaderView& header = *table_->horizontalHeader();
    report::TableView view{
        wantedTopology_, std::string(columnNames.at(static_cast<std::size_t>(header.sortIndicatorSection()))),
        header.sortIndicatorOrder() == Qt::DescendingOrder};
    if (chosen == 0) {
        view.topology = allTopologies;
    } else if (chosen > 0 && chosen <= static_cast<int>(comparison_.topologies.size())) {
        view.topology = toString(comparison_.topologies[static_cast<std::size_t>(chosen - 1)]);
    }
    return view;
}

void ResultsPanel::setTableView(const report::TableView& view) {
    wantedTopology_ = view.topology;
    showTopologies();
    const auto* const name = std::ranges::find(columnNames, std::string_view(view.sortedBy));
    const bool isKnown = !view.sortedBy.empty() && name != columnNames.end();
    table_->sortByColumn(isKnown ? static_cast<int>(name - columnNames.begin()) : ResultsModel::MedianColumn,
                         view.descending ? Qt::DescendingOrder : Qt::AscendingOrder);
    refresh();
}

void ResultsPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    topologies_->setMost(width() < scaled(roomForSegments) ? 0 : Segments::mostInARow);
    layOut();
}

void ResultsPanel::refresh() {
    const int chosen = topologies_->current();
    std::optional<Topology> topology;
    if (chosen > 0 && chosen <= static_cast<int>(comparison_.topologies.size())) {
        topology = comparison_.topologies[static_cast<std::size_t>(chosen - 1)];
    }
    const auto chosenCases = selectedCases();
    const auto current = caseOf(table_->currentIndex());
    model_->setComparison(comparison_, hidden_, topology, baseline_->chosen().toStdString());
    select(chosenCases, current);
    layOut();
    if (table_->hasFocus()) {
        focusTable();
    }
    few_->setText(model_->tooFew() > 0 ? tr("Too few runs to judge a difference: %1").arg(model_->tooFew())
                                       : QString());
    const auto all = static_cast<int>(comparison_.series.size());
    const auto hidden = static_cast<int>(
        std::ranges::count_if(comparison_.series, [&](const auto& one) { return hidden_.contains(one.id); }));
    shown_->setText(all == 0 ? tr("No series yet")
                    : hidden > 0
                        ? tr("%1 of %2 series shown, %3 hidden").arg(all - hidden).arg(all).arg(hidden)
                        : tr("%1 series shown").arg(all));
}

// Steady: with room for every column's sort arrow.
std::map<int, int> ResultsPanel::neededWidths(bool steady) const {
    const auto* header = static_cast<const TableHeader*>(table_->horizontalHeader());
    const QAbstractItemView* view = table_;  // the table hides this function
    std::map<int, int> widths;
    for (int column = 0; column < ResultsModel::ColumnCount; ++column) {
        if (!table_->isColumnHidden(column)) {
            const int title = steady ? header->steadyWidthFor(column) : header->widthFor(column);
            const int needed = std::max(view->sizeHintForColumn(column), title);
            // The header makes no section narrower than its least.
            widths[column] = column == ResultsModel::SpreadBarColumn
                                 ? view->sizeHintForColumn(column)
                                 : std::clamp(needed, header->minimumSectionSize(), widestColumn);
        }
    }
    return widths;
}

// Drops small bars, then cuts names and drops the unit before a figure has to be scrolled to.
void ResultsPanel::tighten(std::map<int, int>& widths) {
    const auto* header = static_cast<const TableHeader*>(table_->horizontalHeader());
    const QAbstractItemView* view = table_;
    int excess = -table_->viewport()->width();
    for (const auto& [column, width] : widths) {
        excess += width;
    }
    const auto yield = [&](int column, int least) {
        const int given = std::clamp(widths[column] - least, 0, std::max(excess, 0));
        widths[column] -= given;
        excess -= given;
    };
    yield(ResultsModel::FindingColumn, scaled(narrowestFinding));
    if (excess > 0 && widths.contains(ResultsModel::SpreadBarColumn)) {
        table_->setColumnHidden(ResultsModel::SpreadBarColumn, true);
        excess -= widths.extract(ResultsModel::SpreadBarColumn).mapped();
    }
    const int efficiency = widths[ResultsModel::EfficiencyColumn] - efficiencyRoom;
    yield(ResultsModel::EfficiencyColumn,
          std::max(efficiency, header->leastFor(ResultsModel::EfficiencyColumn)));
    yield(ResultsModel::SeriesColumn, scaled(narrowestSeries));
    yield(ResultsModel::MedianColumn, std::max(view->sizeHintForColumn(ResultsModel::MedianColumn),
                                               header->leastFor(ResultsModel::MedianColumn)));
    yield(ResultsModel::DifferenceColumn,
          std::max(scaled(narrowestDifference), header->leastFor(ResultsModel::DifferenceColumn)));
}

// Parts that all titles have are left out before any title is cut.
void ResultsPanel::layOut() {
    QHeaderView& header = *table_->horizontalHeader();
    // First of all: a section hidden beside a stretched one keeps its width, and a stretched one is cut.
    header.setStretchLastSection(false);
    model_->shortenTitles(false);
    std::map<int, int> widths = fittingWidths();
    const QAbstractItemView* view = table_;
    if (view->sizeHintForColumn(ResultsModel::SeriesColumn) > widths[ResultsModel::SeriesColumn]) {
        model_->shortenTitles(true);
        widths = fittingWidths();
    }
    for (const auto& [column, width] : widths) {
        header.resizeSection(column, width);
    }
    header.setStretchLastSection(header.length() <= table_->viewport()->width());
}

std::map<int, int> ResultsPanel::fittingWidths() {
    table_->setColumnHidden(ResultsModel::TopologyColumn, topologies_->current() > 0);
    table_->setColumnHidden(ResultsModel::SpreadBarColumn, !model_->hasSpread());
    table_->setColumnHidden(ResultsModel::SpeedupRangeColumn, !model_->hasSpeedupRange());
    table_->setColumnHidden(ResultsModel::MemoryColumn, !model_->hasMemory());
    table_->setColumnHidden(ResultsModel::VerdictColumn, true);  // there is no room for it
    std::map<int, int> widths = neededWidths(true);
    int all = 0;
    for (const auto& [column, width] : widths) {
        all += width;
    }
    const int room = table_->viewport()->width() - all;
    if (room < 0) {
        widths = neededWidths(false);
        tighten(widths);
    } else {  // a name is not cut beside it
        const QAbstractItemView* view = table_;
        int& name = widths[ResultsModel::SeriesColumn];
        name += std::clamp(view->sizeHintForColumn(ResultsModel::SeriesColumn) - name, 0, room);
    }
    return widths;
}

std::vector<int> ResultsPanel::visibleColumns() const {
    std::vector<int> columns;
    for (int column = 0; column < ResultsModel::ColumnCount; ++column) {
        const bool shown = !table_->isColumnHidden(column) && column != ResultsModel::SpreadBarColumn;
        if (shown || (column == ResultsModel::VerdictColumn && model_->hasVerdict())) {
            columns.push_back(column);
        }
    }
    return columns;
}

report::Table ResultsPanel::shownRows() const {
    return tableOf(firstOf(sorted_->rowCount()));
}

report::Table ResultsPanel::tableOf(const std::vector<int>& rows) const {
    return shownTable(*sorted_, visibleColumns(), rows, ResultsModel::NumberRole);
}

std::string ResultsPanel::baseline() const {
    return baseline_->chosen().toStdString();
}

void ResultsPanel::setBaseline(const std::string& seriesId) {
    baseline_->choose(QString::fromStdString(seriesId));
}

report::Spread ResultsPanel::spread() const {
    return static_cast<report::Spread>(spread_->currentIndex());
}

void ResultsPanel::setSpread(report::Spread spread) {
    spread_->setCurrentIndex(static_cast<int>(spread));
}

std::vector<std::pair<std::string, Topology>> ResultsPanel::selectedCases() const {
    std::vector<Case> cases;
    for (const QModelIndex& row : table_->selectionModel()->selectedRows()) {
        if (auto one = caseOf(row)) {
            cases.push_back(*std::move(one));
        }
    }
    return cases;
}

std::optional<ResultsPanel::Case> ResultsPanel::caseOf(const QModelIndex& index) {
    const QModelIndex name = index.siblingAtColumn(ResultsModel::TopologyColumn);
    const auto topology = parseTopology(name.data().toString().toStdString());
    return topology
               ? std::optional(Case(name.data(ResultsModel::KeyRole).toString().toStdString(), *topology))
               : std::nullopt;
}

// As far as they are there; without scrolling, as nobody asks for it.
void ResultsPanel::select(const std::vector<Case>& cases, const std::optional<Case>& current) {
    const std::set<Case> wanted(cases.begin(), cases.end());
    QItemSelection rows;
    table_->setAutoScroll(false);
    for (int row = 0; row < sorted_->rowCount() && (current || !wanted.empty()); ++row) {
        const QModelIndex index = sorted_->index(row, 0);
        const auto here = caseOf(index);
        if (here && here == current) {
            table_->selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
        }
        if (here && wanted.contains(*here)) {
            rows.select(index, index);
        }
    }
    table_->setAutoScroll(true);
    table_->selectionModel()->select(rows, QItemSelectionModel::Select | QItemSelectionModel::Rows);
}

void ResultsPanel::showMenu(const QPoint& where) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    emit menuAsked(*menu);
    menu->addSeparator();
    menu->addAction(copyRows_);
    menu->popup(table_->viewport()->mapToGlobal(where));
}

void ResultsPanel::focusTable() {
    focusRows(*table_);
}

QString ResultsPanel::selectedSeries() const {
    return table_->selectionModel()->hasSelection()
               ? table_->currentIndex().data(ResultsModel::KeyRole).toString()
               : QString();
}

void ResultsPanel::highlight(const QString& seriesKey) {
    model_->pointAt(seriesKey);
    const auto first = seriesKey.isEmpty() ? QModelIndexList()
                                           : sorted_->match(sorted_->index(0, 0), ResultsModel::KeyRole,
                                                            seriesKey, 1, Qt::MatchExactly);
    if (!first.isEmpty()) {
        table_->scrollTo(first.front());
    }
}

}  // namespace dlperf::ui
