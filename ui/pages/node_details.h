// SPDX-License-Identifier: Apache-2.0
// The chosen node in tabs: overview, topology, network, software, settings.
#pragma once

#include "ui/session/node_list.h"
#include "ui/widgets/parts.h"

class QLabel;
class QPushButton;
class QStackedWidget;
class QTabBar;

namespace dlperf::ui {

class FactGrid;
class NodeForm;
class TopologyGrid;
class TopologyModel;

class NodeDetails final : public Panel {
    Q_OBJECT

public:
    enum Tab { Overview, Topology, Network, Software, Settings, TabCount };

    explicit NodeDetails(QWidget* parent = nullptr);

    void showNode(const NodeEntry& entry, bool removable);
    void showTab(Tab tab);
    NodeForm& form() { return *form_; }

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

}  // namespace dlperf::ui
