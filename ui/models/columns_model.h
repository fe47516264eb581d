// SPDX-License-Identifier: Apache-2.0
// A table whose columns are described as data: a model lists them once and gives its rows.
#pragma once

#include <QAbstractTableModel>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "ui/theme/fonts.h"
#include "ui/theme/tips.h"

namespace dlperf::ui {

template <class Row>
class ColumnsModel : public QAbstractTableModel {
public:
    struct Column {
        QString title = {};
        std::function<QString(const Row&)> text = nullptr;
        bool right = false;  // as figures stand, else left
        bool mono = false;
        QString meaning = {};                                  // the tip of the title
        std::function<QString(const Row&)> tip = nullptr;      // of a cell
        std::function<QVariant(const Row&)> number = nullptr;  // that the cell shows; none: it shows none
        std::function<QVariant(const Row&)> order = nullptr;   // what sorts; none: the number
    };

    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(rows().size());
    }

    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(columns_.size());
    }

    QVariant data(const QModelIndex& index, int role) const override {
        if (!index.isValid() || static_cast<std::size_t>(index.row()) >= rows().size()) {
            return {};
        }
        const Row& row = rows()[static_cast<std::size_t>(index.row())];
        const Column& column = columnAt(index.column());
        switch (role) {
            case Qt::DisplayRole:
                return column.text ? QVariant(column.text(row)) : QVariant();
            case Qt::ToolTipRole:
                return column.tip ? QVariant(plainTip(column.tip(row))) : QVariant();
            case Qt::TextAlignmentRole:
                return alignment(column);
            case Qt::FontRole:
                return column.mono ? monoFont() : textFont();
            default:
                return {};
        }
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
            return {};
        }
        const Column& column = columnAt(section);
        switch (role) {
            case Qt::DisplayRole:
                return column.title;
            case Qt::TextAlignmentRole:
                return alignment(column);
            case Qt::ToolTipRole:
                return column.meaning;
            default:
                return {};
        }
    }

protected:
    [[nodiscard]] virtual std::span<const Row> rows() const = 0;
    void setColumns(std::vector<Column> columns) { columns_ = std::move(columns); }
    [[nodiscard]] const Column& columnAt(int column) const {
        return columns_[static_cast<std::size_t>(column)];
    }

private:
    [[nodiscard]] static int alignment(const Column& column) {
        return static_cast<int>((column.right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }

    std::vector<Column> columns_;
};

}  // namespace dlperf::ui
