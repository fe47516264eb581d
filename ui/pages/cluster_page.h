// SPDX-License-Identifier: Apache-2.0
// Cluster: the nodes, whether they are fit to run, and what to do where they are not.
#pragma once

#include <QTimer>
#include <filesystem>
#include <optional>

#include "core/cluster/cluster.h"
#include "ui/session/node_list.h"
#include "ui/shell/page.h"

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace dlperf::ui {

class Banner;
class CheckList;
class NodeDetails;
class NodesModel;
class Panel;
class Session;

class ClusterPage final : public Page {
    Q_OBJECT

public:
    explicit ClusterPage(Session& session, QWidget* parent = nullptr);

    void enter() override;
    void primaryAction() override;
    // "4 nodes, 32 devices": for the header, and for the status bar, which needs no page for it.
    [[nodiscard]] static QString summaryOf(const NodeList& nodes);
    // Nodes that cannot run.
    [[nodiscard]] static int failedNodes(const NodeList& nodes);

    // A file dialog; a list from there is shown and asked about before it is used.
    void chooseCluster();
    void openCluster(const std::filesystem::path& file);

private:
    struct Offer {
        cluster::Cluster cluster;
        std::string bytes;  // of the file, as it was read
    };
    // What the banner's button does.
    struct Question {
        enum Kind { None, Accept, Use, Undo } kind = None;
        cluster::Cluster cluster;  // to use, or as it was
        std::string bytes;         // of the file it came from
    };
    void buildHeader();
    [[nodiscard]] QWidget* buildNodes();
    [[nodiscard]] QWidget* buildChecks();
    void takeOffer(const Result<Offer>& offer);
    void askForList();
    void act();
    void replaceList(const cluster::Cluster& cluster, const QString& what);
    void keepTyped(const cluster::Node& next);
    bool tell(const Result<void>& done);
    void forgetUndo();
    void addNode();
    void saveNode(const cluster::Node& node);
    void removeNode();
    void showAll();
    void fitColumns();
    void showSelected();
    void showChecks(const NodeEntry& entry);
    void select(std::size_t index);
    [[nodiscard]] std::optional<std::size_t> selected() const;
    void copyTable();

    Session& session_;
    NodeList& nodes_;
    NodesModel* model_;
    QSortFilterProxyModel* shown_;
    QTimer answered_;
    Question question_;
    Banner* banner_;
    QLineEdit* filter_;
    QTableView* table_;
    QLabel* lastCheck_;
    NodeDetails* details_;
    Panel* checksPanel_;
    QHBoxLayout* counts_;
    QPushButton* checkOne_;
    QPushButton* checkAll_;
    CheckList* checks_;
};

}  // namespace dlperf::ui
