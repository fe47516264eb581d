// SPDX-License-Identifier: Apache-2.0
#include "ui/models/pivot_model.h"

#include <QPainter>
#include <QPixmap>
#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "ui/session/plan_draft.h"
#include "ui/theme/fonts.h"
#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"
#include "ui/theme/series_style.h"
#include "ui/theme/tips.h"

namespace dlperf::ui {
namespace {

constexpr int signSize = 12;  // px

QPixmap signOf(const report::PivotHeading& heading) {
    QPixmap sign(signSize, signSize);
    sign.fill(Qt::transparent);
    QPainter painter(&sign);
    painter.setRenderHint(QPainter::Antialiasing);
    drawMarker(
        painter, QPointF(signSize / 2.0, signSize / 2.0),
        seriesStyle(currentTheme(), heading.isByPosition ? std::string() : heading.framework, heading.fill),
        currentTheme().header);
    return sign;
}

// A topology in words besides.
QString groupWords(report::PivotField field, const std::string& text) {
    const auto topology = field == report::PivotField::Topology ? parseTopology(text) : std::nullopt;
    return topology ? QStringLiteral("   ") + topologyWords(*topology) : QString();
}

}  // namespace

QString localizedHeading(report::PivotHeading heading, const std::vector<report::PivotField>& fields) {
    for (std::size_t i = 0; i < fields.size() && i < heading.texts.size(); ++i) {
        if (fields[i] != report::PivotField::Campaign) {
            heading.texts[i] = windowTranslation()(heading.texts[i]);
        }
    }
    const bool isEmpty = std::ranges::all_of(heading.texts, &std::string::empty);
    const std::string text = report::headingText(heading);
    return isEmpty ? localized(text) : QString::fromStdString(text);
}

void PivotModel::setPivot(report::Pivot pivot) {
    beginResetModel();
    given_ = std::move(pivot);
    layOut();
    endResetModel();
}

bool PivotModel::tellsLead() const {
    return pivot_.columns.size() > 1 && !pivot_.bestToNext.empty();
}

// The rows of each group sorted, then a line for each group and row.
void PivotModel::layOut() {
    pivot_ = given_;
    std::vector<std::size_t> rows(given_.rows.size());
    std::iota(rows.begin(), rows.end(), 0);
    const auto groupOf = [&](std::size_t row) {
        return isGrouped() ? given_.rows[row].texts.front() : std::string();
    };
    for (auto begin = rows.begin(); begin != rows.end();) {
        const auto end =
            std::find_if(begin, rows.end(), [&](std::size_t row) { return groupOf(row) != groupOf(*begin); });
        if (sortedBy_ >= 0) {
            std::stable_sort(begin, end, [&](std::size_t a, std::size_t b) {
                const auto one = sortKey(a, sortedBy_);
                const auto other = sortKey(b, sortedBy_);
                if (!one || !other) {
                    return one.has_value() && !other;  // what has no figure stands last
                }
                return order_ == Qt::AscendingOrder ? *one < *other : *one > *other;
            });
        }
        begin = end;
    }
    pivot_.rows = mapped(rows, [&](std::size_t row) { return given_.rows[row]; });
    pivot_.cells = mapped(rows, [&](std::size_t row) { return given_.cells[row]; });
    if (!given_.bestToNext.empty()) {
        pivot_.bestToNext = mapped(rows, [&](std::size_t row) { return given_.bestToNext[row]; });
    }
    lines_.clear();
    for (std::size_t row = 0; row < pivot_.rows.size(); ++row) {
        if (isGrouped() &&
            (row == 0 || pivot_.rows[row].texts.front() != pivot_.rows[row - 1].texts.front())) {
            lines_.push_back({false, row});
        }
        lines_.push_back({true, row});
    }
}

// Of the given pivot. The order of the headings is that of the rows themselves.
std::optional<double> PivotModel::sortKey(std::size_t row, int column) const {
    const auto place = static_cast<std::size_t>(column);
    if (column == 0) {
        return static_cast<double>(row);
    }
    if (place <= given_.columns.size()) {
        const report::PivotCell& cell = given_.cells[row][place - 1];
        return cell.difference ? cell.difference : cell.figure;
    }
    return given_.bestToNext[row];
}

void PivotModel::sort(int column, Qt::SortOrder order) {
    const bool isThere = column < columnCount();
    beginResetModel();
    sortedBy_ = isThere ? column : -1;
    order_ = order;
    layOut();
    endResetModel();
}

int PivotModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

int PivotModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 1 + static_cast<int>(pivot_.columns.size()) + (tellsLead() ? 1 : 0);
}

const report::PivotCell* PivotModel::cellAt(const QModelIndex& index) const {
    if (!index.isValid() || index.column() < 1 || index.column() > static_cast<int>(pivot_.columns.size()) ||
        isGroup(index.row())) {
        return nullptr;
    }
    const Line& line = lines_[static_cast<std::size_t>(index.row())];
    return &pivot_.cells[line.row][static_cast<std::size_t>(index.column() - 1)];
}

QString PivotModel::columnHeading(int column) const {
    return column < 1 || column > static_cast<int>(pivot_.columns.size())
               ? QString()
               : QString::fromStdString(
                     report::headingText(pivot_.columns[static_cast<std::size_t>(column - 1)]));
}

QString PivotModel::groupText(std::size_t row) const {
    const std::string& text = pivot_.rows[row].texts.front();
    const report::PivotField field = pivot_.layout.rows.front();
    return localizedHeading({.texts = {text}}, {field}) + groupWords(field, text);
}

QString PivotModel::rowText(std::size_t row) const {
    report::PivotHeading heading = pivot_.rows[row];
    std::vector<report::PivotField> fields = pivot_.layout.rows;
    if (isGrouped()) {
        heading.texts.erase(heading.texts.begin());
        fields.erase(fields.begin());
    }
    return localizedHeading(std::move(heading), fields);
}

QVariant PivotModel::cellData(const report::PivotCell& cell, int role) const {
    switch (role) {
        case Qt::DisplayRole:
            return localized(report::cellText(pivot_, cell));
        case Qt::ToolTipRole:
            return plainTip(cell.tip.empty() ? tr("Not measured") : localized(cell.tip));
        case Qt::FontRole:
            return monoFont(size::secondary, cell.isBest ? QFont::Bold : QFont::Normal);
        case HeatRole:
            return cell.heat ? QVariant(*cell.heat) : QVariant();
        case ComparedRole:
            return !pivot_.layout.comparedTo.empty();
        case SharedRole:
            return cell.isShared();
        default:
            return {};
    }
}

QVariant PivotModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const Line& line = lines_[static_cast<std::size_t>(index.row())];
    if (role == GroupRole) {
        return !line.isRow;
    }
    if (role == Qt::TextAlignmentRole) {
        return static_cast<int>((index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    if (const report::PivotCell* cell = cellAt(index)) {
        return cellData(*cell, role);
    }
    const auto lead = line.isRow && index.column() > 0 ? pivot_.bestToNext[line.row] : std::nullopt;
    switch (role) {
        case Qt::DisplayRole:
            return index.column() == 0 ? QVariant(line.isRow ? rowText(line.row) : groupText(line.row))
                   : lead              ? QVariant(percentText(*lead, true))
                                       : QVariant();
        case Qt::FontRole:
            return index.column() > 0 ? monoFont(size::secondary)
                                      : textFont(size::body, line.isRow ? QFont::Normal : QFont::DemiBold);
        default:
            return {};
    }
}

QString PivotModel::rowTitle() const {
    QStringList titles;
    for (const report::PivotField field : pivot_.layout.rows) {
        titles << localized(report::titleOf(field));
    }
    return titles.join(QStringLiteral(" / "));
}

QVariant PivotModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const bool isFigure = section > 0 && section <= static_cast<int>(pivot_.columns.size());
    switch (role) {
        case Qt::DisplayRole:
            if (section == 0) {
                return rowTitle();
            }
            return isFigure ? localizedHeading(pivot_.columns[static_cast<std::size_t>(section - 1)],
                                               pivot_.layout.columns)
                            : tr("Best to next");
        case Qt::TextAlignmentRole:
            return static_cast<int>((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        case SignRole: {
            if (!isFigure) {
                return {};
            }
            const report::PivotHeading& heading = pivot_.columns[static_cast<std::size_t>(section - 1)];
            return heading.framework.empty() ? QVariant() : QVariant(signOf(heading));
        }
        case Qt::ToolTipRole:
            return section > 0 && !isFigure ? QVariant(tr("How far the best of the row is ahead of the next"))
                                            : QVariant();
        default:
            return {};
    }
}

Qt::ItemFlags PivotModel::flags(const QModelIndex& index) const {
    return index.isValid() && isGroup(index.row()) ? Qt::ItemIsEnabled : QAbstractTableModel::flags(index);
}

}  // namespace dlperf::ui
