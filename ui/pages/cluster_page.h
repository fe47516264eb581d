// SPDX-License-Identifier: Apache-2.0
// Cluster: the nodes, whether they are fit to run, and what to do where they are not.
#pragma once

#include <QTimer>
#include <filesystem>
#include <functional>

#include "core/cluster/cluster.h"
#include "ui/session/node_list.h"
#include "ui/widgets/page.h"

class QPushButton;

namespace dlperf::ui {

class Banner;
class ChecksPanel;
class NodeDetails;
class NodesPanel;
class Session;
class UndoBanner;

class ClusterPage final : public Page {
    Q_OBJECT

public:
    explicit ClusterPage(Session& session, QWidget* parent = nullptr);

    void enter() override;
    void primaryAction() override { nodes_.checkAll(); }
    // "4 nodes, 32 devices": for the header, and for the status bar, which needs no page for it.
    [[nodiscard]] static QString summaryOf(const NodeList& nodes);
    [[nodiscard]] static int failedNodes(const NodeList& nodes);

    // The settings of a node that are typed and not saved: saved, unless they are none a node can have.
    [[nodiscard]] Result<void> saveTyped();
    void forgetTyped();

    // A file dialog; a list from there is shown and asked about before it is used.
    void chooseCluster();
    void openCluster(const std::filesystem::path& file) {
        openList([file] { return readListOffer(file); });
    }
    void chooseHostfile();
    void openHostfile(const std::filesystem::path& file);
    void chooseSlurm();
    void chooseExport(bool hostfile);
    void exportCluster(const std::filesystem::path& file);
    void exportHostfile(const std::filesystem::path& file);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Question {
        enum Kind { None, Problem, Accept, Use, CancelCheck } kind = None;
        cluster::Cluster cluster{};  // to use
        std::string bytes{};         // of the file it came from
    };
    void buildHeader();
    void buildBody();
    void openList(const std::function<Result<ListOffer>()>& read);
    void exportList(const std::filesystem::path& file, const std::string& text);
    [[nodiscard]] QPushButton* makeImport();
    [[nodiscard]] QPushButton* makeExport();
    void takeOffer(const Result<ListOffer>& offer);
    void askForList();
    void showWaiting();
    void act();
    void replaceList(const cluster::Cluster& cluster, const QString& what, bool accepted = true);
    void useList(const cluster::Cluster& cluster, bool accepted);
    void keepTyped(const cluster::Node& next);
    [[nodiscard]] Result<void> replaceNode(const std::string& name, const Result<cluster::Node>& node);
    bool tell(const Result<void>& done);
    void forgetSaid();
    void showChangedElsewhere(const QString& aside);
    void checkNode();
    void showNodeMenu(const QPoint& where);
    void askForHost();
    void addNode(const std::string& host);  // empty: this machine
    void saveNode(const cluster::Node& node);
    void removeNode();
    void showAll();
    void showSelected();

    Session& session_;
    NodeList& nodes_;
    QTimer answered_;
    Question question_;
    Banner* banner_;
    UndoBanner* said_;  // what was just done
    NodesPanel* table_;
    QBoxLayout* panels_;  // the two below the table
    NodeDetails* details_;
    ChecksPanel* checks_;
    QPushButton* add_;
    QPushButton* slurm_;
    QPushButton* checkAll_;
};

}  // namespace dlperf::ui
