// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/node_picker.h"

#include <QAbstractTableModel>
#include <QAction>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/mapped.h"
#include "ui/models/nodes_model.h"
#include "ui/theme/fonts.h"
#include "ui/theme/numbers.h"
#include "ui/theme/tips.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/table_header.h"

namespace dlperf::ui {
namespace {

constexpr int pickerRowHeight = 26;  // px
constexpr int mostRows = 6;          // visible at once
constexpr int nodeNameWidth = 164;
constexpr int rankWidth = 80;

// All of them in their order need not be named, so that a node that is added later takes part.
NodeNames asPlanned(NodeNames used, const NodeNames& all) {
    return used == all ? NodeNames{} : std::move(used);
}

}  // namespace

NodeNames usedNodes(const NodeNames& chosen, const NodeNames& all) {
    return chosen.empty() ? all : chosen;
}

NodeNames withNode(const NodeNames& chosen, const NodeNames& all, const std::string& node, bool on) {
    NodeNames used = usedNodes(chosen, all);
    std::erase(used, node);
    if (on) {
        const auto place = std::ranges::find(all, node);
        const auto next = std::ranges::find_if(
            used, [&](const std::string& other) { return std::find(place, all.end(), other) != all.end(); });
        used.insert(next, node);
    }
    return used.empty() ? chosen : asPlanned(std::move(used), all);
}

NodeNames withFirst(const NodeNames& chosen, const NodeNames& all, const std::string& node) {
    NodeNames used = usedNodes(chosen, all);
    std::erase(used, node);
    used.insert(used.begin(), node);
    return asPlanned(std::move(used), all);
}

// The nodes to choose from for a plan: used or not, with which rank, and whether they are fit to run.
class NodeChoiceModel final : public QAbstractTableModel {
    Q_DECLARE_TR_FUNCTIONS(dlperf::ui::NodeChoiceModel)

public:
    using QAbstractTableModel::QAbstractTableModel;
    // `chosen` as a plan has it; nodes that the list lacks are rows too, so that they can be taken out.
    void setNodes(const std::vector<NodeEntry>& entries, const NodeNames& chosen) {
        std::vector<Row> rows = mapped(entries, [](const NodeEntry& entry) {
            return Row{entry.node.name, -1, signOf(entry), true};
        });
        const NodeNames names = mapped(rows, &Row::name);
        int rank = 0;
        for (const std::string& name : usedNodes(chosen, names)) {
            auto row = std::ranges::find(rows, name, &Row::name);
            if (row == rows.end()) {
                row = rows.insert(
                    rows.end(), {name, -1, {QStringLiteral("state-fail"), Ink::Fail, tr("Not in the list")}});
            }
            row->rank = rank++;
        }
        // The keyboard's place stays while the same nodes are shown.
        if (std::ranges::equal(rows, rows_, {}, &Row::name, &Row::name)) {
            rows_ = std::move(rows);
            if (!rows_.empty()) {
                emit dataChanged(index(0, 0), index(rowCount() - 1, NodePicker::ColumnCount - 1));
            }
            return;
        }
        beginResetModel();
        rows_ = std::move(rows);
        endResetModel();
    }

    [[nodiscard]] std::string nameOf(int row) const { return rows_[static_cast<std::size_t>(row)].name; }

    [[nodiscard]] NodeNames listed(bool onlyFit = false) const {
        NodeNames names;
        for (const Row& row : rows_) {
            if (row.isListed && !(onlyFit && row.sign.ink == Ink::Fail)) {
                names.push_back(row.name);
            }
        }
        return names;
    }

    [[nodiscard]] int used() const {
        return static_cast<int>(std::ranges::count_if(rows_, [](const Row& row) { return row.rank >= 0; }));
    }

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(rows_.size());
    }

    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : NodePicker::ColumnCount;
    }

    QVariant data(const QModelIndex& index, int role) const override {
        if (!index.isValid()) {
            return {};
        }
        const Row& row = rows_[static_cast<std::size_t>(index.row())];
        if (role == Qt::ToolTipRole) {
            return plainTip(QString::fromStdString(row.name) + QStringLiteral(": ") + row.sign.text);
        }
        if (index.column() == NodePicker::Name) {
            return ofName(row, role);
        }
        if (index.column() == NodePicker::Rank) {
            return role == Qt::DisplayRole ? QVariant(rankText(row)) : QVariant();
        }
        // Its word is in the tip: there is no room for it beside the name.
        return role == Qt::DecorationRole       ? QVariant(icon(row.sign.icon, row.sign.ink))
               : role == Qt::AccessibleTextRole ? QVariant(row.sign.text)
                                                : QVariant();
    }

    bool setData(const QModelIndex& index, const QVariant& value, int role) override {
        if (!index.isValid() || index.column() != NodePicker::Name || role != Qt::CheckStateRole) {
            return false;
        }
        toggled(nameOf(index.row()), value.value<Qt::CheckState>() == Qt::Checked);
        return true;
    }

    Qt::ItemFlags flags(const QModelIndex& index) const override {
        if (!index.isValid()) {
            return {};
        }
        const Qt::ItemFlags usual = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
        return index.column() == NodePicker::Name ? usual | Qt::ItemIsUserCheckable : usual;
    }

    // The user's wish; the row changes once the plan has.
    std::function<void(const std::string& node, bool on)> toggled;

private:
    struct Row {
        std::string name;
        int rank = -1;  // not used
        NodeSign sign;
        bool isListed = false;
    };
    [[nodiscard]] static QString rankText(const Row& row) {
        return row.rank < 0 ? missing : row.rank == 0 ? tr("0, master") : QString::number(row.rank);
    }

    [[nodiscard]] QVariant ofName(const Row& row, int role) const {
        switch (role) {
            case Qt::DisplayRole:
                return QString::fromStdString(row.name);
            case Qt::CheckStateRole:
                return row.rank >= 0 ? Qt::Checked : Qt::Unchecked;
            case Qt::AccessibleTextRole:
                return tr("%1, rank %2, %3")
                    .arg(QString::fromStdString(row.name), rankText(row), row.sign.text);
            default:
                return {};
        }
    }

    std::vector<Row> rows_;
};

NodePicker::NodePicker(QWidget* parent) : QWidget(parent), model_(new NodeChoiceModel(this)) {
    QVBoxLayout* column = makeColumn(this, {}, 6);
    column->addSpacing(12);
    column->addWidget(makeSeparator());
    column->addSpacing(12);
    buildHead();
    buildTable();
    model_->toggled = [this](const std::string& node, bool on) {
        emit chosen(withNode(chosen_, model_->listed(), node, on));
    };
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
        const NodeNames fit = model_->listed(true);
        emit chosen(fit == model_->listed() ? NodeNames{} : fit);
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
    table_->setColumnWidth(Name, scaled(nodeNameWidth));
    table_->setColumnWidth(Rank, scaled(rankWidth));
    table_->setToolTip(tr("Space uses a node or skips it; the menu makes it the master"));
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    table_->addAction(tr("Make it the &master (rank 0)"), this, &NodePicker::makeFirst);
    table_->addAction(tr("&Use it or skip it"), Qt::Key_Space, this, &NodePicker::toggleCurrent)
        ->setShortcutContext(Qt::WidgetShortcut);
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
        table_->setCurrentIndex(model_->index(0, Name));
    }
}

void NodePicker::makeFirst() {
    if (const QModelIndex current = table_->currentIndex(); current.isValid()) {
        emit chosen(withFirst(chosen_, model_->listed(), model_->nameOf(current.row())));
    }
}

void NodePicker::toggleCurrent() {
    const QModelIndex name = table_->currentIndex().siblingAtColumn(Name);
    const bool isUsed = name.data(Qt::CheckStateRole).value<Qt::CheckState>() == Qt::Checked;
    model_->setData(name, isUsed ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
}

}  // namespace dlperf::ui
