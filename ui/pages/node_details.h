// SPDX-License-Identifier: Apache-2.0
// The chosen node in tabs: overview, topology, what was measured, network, software, settings.
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <QTableView>
#include <QWidget>
#include <utility>
#include <vector>

#include "core/cluster/topology_matrix.h"
#include "ui/session/node_list.h"
#include "ui/widgets/parts.h"

class QGridLayout;
class QStackedWidget;
class QTabBar;

namespace dlperf::ui {

class MeasuredPanel;
class NodeForm;

[[nodiscard]] QString linkWords(const cluster::LinkCell& cell);
[[nodiscard]] QString linkSentence(const cluster::TopologyMatrix& matrix, int row, int column);

// A node's topology matrix as a table: devices by devices, then the CPU cores of each.
class TopologyModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role { LinkRole = Qt::UserRole, NvLinksRole };  // int of cluster::Link; how many

    using QAbstractTableModel::QAbstractTableModel;
    void setMatrix(const cluster::TopologyMatrix& matrix);
    [[nodiscard]] const cluster::TopologyMatrix& matrix() const { return matrix_; }
    [[nodiscard]] int deviceCount() const { return static_cast<int>(matrix_.devices.size()); }
    [[nodiscard]] int firstAdapter() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    cluster::TopologyMatrix matrix_;
};

class TopologyGrid final : public QTableView {
    Q_OBJECT

public:
    explicit TopologyGrid(TopologyModel& model, QWidget* parent = nullptr);

signals:
    // Row and column of the chosen pair; the same twice, or past the devices, where none is chosen.
    void pairChosen(int row, int column);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void changeEvent(QEvent* event) override;

private:
    void layOut();

    TopologyModel& model_;
};

using Facts = std::vector<std::pair<QString, QString>>;

// Facts as two columns: what, and how it is; the right one can be selected and copied.
class FactGrid final : public QWidget {
public:
    explicit FactGrid(QWidget* parent = nullptr);
    void setFacts(const Facts& facts, const QString& word);

private:
    Facts shown_;
    QString word_;
    QGridLayout* grid_;
};

class NodeDetails final : public Panel {
    Q_OBJECT

public:
    enum Tab { Overview, Topology, Measured, Network, Software, Settings, TabCount };

    explicit NodeDetails(QWidget* parent = nullptr);

    void showNode(const NodeEntry& entry, bool removable);
    void showTab(Tab tab);
    NodeForm& form() { return *form_; }
    MeasuredPanel& measured() { return *measured_; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QWidget* buildTopology();
    [[nodiscard]] QWidget* buildLegend(QWidget* parent);
    void showTopology(const NodeEntry& entry, const QString& word);
    void sayPair(int row, int column);
    void copy();

    QTabBar* tabs_;
    QStackedWidget* stack_;
    QLabel* name_;
    QPushButton* copy_;
    int copyWidth_ = 0;  // px, with its word
    FactGrid* overview_;
    MeasuredPanel* measured_;
    FactGrid* network_;
    FactGrid* software_;
    NodeForm* form_;
    TopologyModel* model_;
    TopologyGrid* grid_;
    QStackedWidget* topology_;  // a word, or the grid
    QLabel* word_;
    QLabel* pair_;
    NodeEntry entry_;
    bool topologySeen_ = false;
};

// Whether, by which way and as whom the node is reached; without a check what its settings say.
[[nodiscard]] Facts connectionFacts(const NodeEntry& entry);
[[nodiscard]] Facts overviewFacts(const NodeEntry& entry);
[[nodiscard]] Facts networkFacts(const NodeEntry& entry);
[[nodiscard]] Facts softwareFacts(const NodeEntry& entry);

}  // namespace dlperf::ui
