// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/legend_list.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/mapped.h"
#include "core/report/report.h"
#include "ui/charts/legend_bar.h"
#include "ui/charts/series_look.h"
#include "ui/models/columns_model.h"
#include "ui/theme/fonts.h"
#include "ui/theme/localized.h"
#include "ui/widgets/table_header.h"

namespace dlperf::ui {
namespace {

constexpr int listWidth = 290;          // px at 100 %
constexpr int leastWidth = 260;         // px at 100 %
constexpr int widestSeriesTitle = 150;  // px at 100 %, beside its key and its figure
constexpr int seriesHeight = 26;        // px at 100 %
constexpr int keyRole = Qt::UserRole;
constexpr int rawRole = Qt::UserRole + 1;

}  // namespace

struct LegendRow {
    report::Series series;
    QString title;  // as much of it as there is room for
    SeriesStyle look;
    std::optional<double> value;
};

class LegendModel final : public ColumnsModel<LegendRow> {
    Q_DECLARE_TR_FUNCTIONS(dlperf::ui::LegendList)

public:
    enum Column { Name, Value };

    LegendModel(const LegendBar& legend, QObject* parent) : ColumnsModel(parent), legend_(legend) {
        describe({}, {});
    }

    void setComparison(const report::Comparison& comparison) {
        beginResetModel();
        rows_.clear();
        const auto looks = seriesLooks(currentTheme(), legend_.series());
        const QFontMetrics metrics(textFont(size::secondary));
        const QStringList titles =
            shownTitles(mapped(legend_.series(), &report::Series::title), [&](const QString& title) {
                return metrics.horizontalAdvance(title) <= scaled(widestSeriesTitle);
            });
        const std::size_t at = report::scalingTopology(comparison);
        for (std::size_t i = 0; i < legend_.series().size(); ++i) {
            const auto& cells = comparison.series[i].cells;
            rows_.push_back({legend_.series()[i], titles[static_cast<qsizetype>(i)], looks[i],
                             at < cells.size() ? cells[at].fold.median : std::nullopt});
        }
        const bool any = !comparison.series.empty() && at < comparison.topologies.size();
        describe(any ? QString::fromStdString(toString(comparison.topologies[at])) : QString(),
                 any ? localized(comparison.series.front().unit) : QString());
        endResetModel();
    }

    void showLooks() {
        const auto looks = seriesLooks(currentTheme(), legend_.series());
        for (std::size_t i = 0; i < std::min(looks.size(), rows_.size()); ++i) {
            rows_[i].look = looks[i];
        }
        if (!rows_.empty()) {
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        }
    }

    QVariant data(const QModelIndex& index, int role) const override {
        if (!index.isValid() || index.row() >= rowCount()) {
            return {};
        }
        const LegendRow& row = rows_[static_cast<std::size_t>(index.row())];
        const bool isShown = !legend_.hidden().contains(row.series.key);
        switch (role) {
            case keyRole:
                return QString::fromStdString(row.series.key);
            case rawRole:
            case Qt::AccessibleTextRole:
                return index.column() == Name ? QVariant(localized(row.series.title))
                       : role == rawRole      ? QVariant(row.value.value_or(-1))
                                              : ColumnsModel::data(index, role);
            case Qt::DecorationRole:
                return index.column() == Name ? QVariant(legendPicture(row.look, isShown)) : QVariant();
            case Qt::ForegroundRole:
                return isShown ? QVariant() : QVariant(currentTheme().text3);
            case Qt::FontRole: {
                QFont font = index.column() == Name ? textFont(size::secondary) : monoFont(size::secondary);
                font.setStrikeOut(!isShown && index.column() == Name);
                return font;
            }
            default:
                return ColumnsModel::data(index, role);
        }
    }

protected:
    [[nodiscard]] std::span<const LegendRow> rows() const override { return rows_; }

private:
    void describe(const QString& topology, const QString& unit);

    const LegendBar& legend_;
    std::vector<LegendRow> rows_;
};

void LegendModel::describe(const QString& topology, const QString& unit) {
    ColumnsModel::Column name{tr("Series"), [](const LegendRow& row) { return row.title; }};
    name.tip = [](const LegendRow& row) {
        return tr("Click hides %1, Ctrl+click shows only it").arg(localized(row.series.title));
    };
    const auto figure = [](const LegendRow& row) { return row.value ? figureText(*row.value) : missing; };
    setColumns({name, {topology, figure, true, true, unit}});
}

LegendList::LegendList(LegendBar& legend, QWidget* parent)
    : Panel(parent),
      legend_(legend),
      model_(new LegendModel(legend, this)),
      sorted_(new QSortFilterProxyModel(this)) {
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(rawRole);
    sorted_->setFilterRole(rawRole);  // the whole titles
    sorted_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    build();
    connect(&legend_, &LegendBar::hiddenChanged, model_, &LegendModel::showLooks);
    connect(table_, &QTableView::clicked, this,
            [this](const QModelIndex& index) { legend_.click(keyAt(index)); });
    // The first click of the two has hidden it.
    connect(table_, &QTableView::doubleClicked, this,
            [this](const QModelIndex& index) { legend_.showOnly(keyAt(index)); });
    connect(table_, &QTableView::entered, this,
            [this](const QModelIndex& index) { emit legend_.seriesHovered(keyAt(index)); });
    connect(table_, &QTableView::customContextMenuRequested, this, &LegendList::showMenu);
    auto* space = new QShortcut(QKeySequence(Qt::Key_Space), table_);
    space->setContext(Qt::WidgetShortcut);
    connect(space, &QShortcut::activated, this, [this] { legend_.toggle(keyAt(table_->currentIndex())); });
}

LegendList::~LegendList() = default;

void LegendList::build() {
    QHBoxLayout* head = makeRow(nullptr, {6, 5, 6, 5});
    words_ = makeFilterField(tr("Find series"));
    connect(words_, &QLineEdit::textChanged, sorted_, &QSortFilterProxyModel::setFilterFixedString);
    head->addWidget(words_);
    body()->addLayout(head);
    table_ = makeRowsTable(sorted_, tr("Legend"), seriesHeight);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setIconSize(legendIconSize);
    table_->setTextElideMode(Qt::ElideMiddle);  // what tells series apart stands at the end of their names
    table_->setWordWrap(false);
    table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->setMouseTracking(true);
    table_->viewport()->installEventFilter(this);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    QHeaderView* header = table_->horizontalHeader();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(LegendModel::Name, QHeaderView::Stretch);
    header->setSectionResizeMode(LegendModel::Value, QHeaderView::ResizeToContents);
    table_->setSortingEnabled(true);
    table_->sortByColumn(LegendModel::Value, Qt::DescendingOrder);
    body()->addWidget(table_, 1);
    setMinimumWidth(scaled(leastWidth));
}

void LegendList::focusSearch() {
    words_->setFocus(Qt::ShortcutFocusReason);
    words_->selectAll();
}

void LegendList::setComparison(const report::Comparison& comparison) {
    model_->setComparison(comparison);
}

QString LegendList::keyAt(const QModelIndex& index) const {
    return index.data(keyRole).toString();
}

void LegendList::highlight(const QString& key) {
    const QModelIndexList found =
        key.isEmpty() ? QModelIndexList()
                      : sorted_->match(sorted_->index(0, 0), keyRole, key, 1, Qt::MatchExactly);
    if (found.isEmpty()) {
        table_->clearSelection();
    } else {  // without scrolling: what is under the pointer stays there
        table_->selectionModel()->select(found.front(),
                                         QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    }
}

void LegendList::showMenu(const QPoint& where) {
    const QModelIndex index = table_->indexAt(where);
    if (index.isValid()) {
        emit legend_.menuAsked(keyAt(index), table_->viewport()->mapToGlobal(where));
    }
}

bool LegendList::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_->viewport() && event->type() == QEvent::Leave) {
        emit legend_.seriesHovered({});
    }
    return Panel::eventFilter(watched, event);
}

void LegendList::changeEvent(QEvent* event) {
    Panel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        model_->showLooks();
    }
}

QSize LegendList::sizeHint() const {
    return {scaled(listWidth), Panel::sizeHint().height()};
}

}  // namespace dlperf::ui
