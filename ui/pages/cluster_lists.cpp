// SPDX-License-Identifier: Apache-2.0
// Cluster's lists of nodes from elsewhere, and where the own one is exported to.
#include <QFileDialog>
#include <QMenu>
#include <QPushButton>

#include "core/cluster/host_lists.h"
#include "ui/pages/cluster_page.h"
#include "ui/pages/node_details.h"
#include "ui/pages/node_form.h"
#include "ui/pages/nodes_panel.h"
#include "ui/pages/slurm_dialog.h"
#include "ui/pages/write_file.h"
#include "ui/session/background.h"
#include "ui/session/session.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {

QPushButton* ClusterPage::makeImport() {
    QPushButton* import = makeButton(tr("Import"), QStringLiteral("import"));
    auto* menu = new QMenu(import);
    menu->addAction(tr("Cluster &file …"), this, &ClusterPage::chooseCluster);
    menu->addAction(tr("&Host file of MPI or Horovod …"), this, &ClusterPage::chooseHostfile);
    menu->addAction(tr("Hosts of the &SSH configuration"), this,
                    [this] { openList([] { return offerOfSsh(); }); });
    menu->addAction(tr("Nodes from Sl&urm …"), this, &ClusterPage::chooseSlurm);
    menu->addAction(tr("&This machine alone"), this, [this] {
        replaceList(cluster::thisMachine(), tr("The list holds this machine alone now."));
    });
    import->setMenu(menu);
    return import;
}

void ClusterPage::chooseCluster() {
    askForFile(this, tr("Open a cluster"), tr("Clusters (*.json);;All files (*)"),
               [this](const std::filesystem::path& file) { openCluster(file); });
}

void ClusterPage::chooseHostfile() {
    askForFile(this, tr("Open a host file"), tr("All files (*)"),
               [this](const std::filesystem::path& file) { openHostfile(file); });
}

void ClusterPage::openHostfile(const std::filesystem::path& file) {
    openList([file] { return offerOfHostfile(file); });
}

void ClusterPage::openList(const std::function<Result<ListOffer>()>& read) {
    session_.background().ask(this, read, [this](const Result<ListOffer>& offer) { takeOffer(offer); });
}

void ClusterPage::takeOffer(const Result<ListOffer>& offer) {
    if (!offer) {
        (void)tell(Failure(offer.error()));
        return;
    }
    question_ = {.kind = Question::Use, .cluster = offer->cluster, .bytes = offer->bytes};
    if (isTrusted(offer->bytes) && nodes_.isRead()) {
        act();
        return;
    }
    banner_->showMessage(
        "warn", tr("The list \"%1\" comes from outside.").arg(QString::fromStdString(offer->cluster.name)),
        commandsOf(offer->cluster), {}, tr("Use these nodes"));
}

void ClusterPage::chooseSlurm() {
    auto* dialog = new SlurmDialog(nodes_.written(), session_.credentials(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        if (const auto cluster = dialog->typed()) {
            // The form shows a part of what a list of Slurm's runs: what is not seen is not agreed to.
            replaceList(*cluster, tr("Nodes come from Slurm now, with the job of each run."),
                        nodes_.isAccepted() || !nodes_.slurm());
        }
    });
    dialog->open();
    dialog->askForPartitions();
}

// Where the list still waits for its user, that question stands, and there is no undo.
void ClusterPage::replaceList(const cluster::Cluster& cluster, const QString& what, bool accepted) {
    if (!nodes_.isRead()) {
        return;
    }
    const auto undo = [this, before = nodes_.written(), wasAccepted = nodes_.isAccepted()] {
        if (nodes_.isRead()) {
            useList(before, wasAccepted);
        }
    };
    useList(cluster, accepted);
    forgetSaid();
    if (accepted) {
        said_->sayShared(what, tr("The runs and folders of other nodes stay."), undo);
    }
}

// What was typed belongs to a node of the list before, though the new one may have its name.
void ClusterPage::useList(const cluster::Cluster& cluster, bool accepted) {
    details_->form().forgetTyped();
    nodes_.use(cluster, accepted);
    table_->select(0);
}

QPushButton* ClusterPage::makeExport() {
    QPushButton* button = makeButton(tr("Export"), QStringLiteral("export"));
    auto* menu = new QMenu(button);
    menu->addAction(tr("Cluster &file …"), this, [this] { chooseExport(false); });
    menu->addAction(tr("&Host file of MPI or Horovod …"), this, [this] { chooseExport(true); });
    button->setMenu(menu);
    return button;
}

void ClusterPage::chooseExport(bool hostfile) {
    const QString file =
        QFileDialog::getSaveFileName(this, hostfile ? tr("Export as a host file") : tr("Export the cluster"),
                                     hostfile ? QStringLiteral("hostfile") : QStringLiteral("cluster.json"),
                                     hostfile ? tr("All files (*)") : tr("Clusters (*.json);;All files (*)"));
    if (file.isEmpty()) {
        return;
    }
    hostfile ? exportHostfile(file.toStdString()) : exportCluster(file.toStdString());
}

void ClusterPage::exportCluster(const std::filesystem::path& file) {
    exportList(file, toJson(nodes_.written()).dump(2) + "\n");
}

void ClusterPage::exportHostfile(const std::filesystem::path& file) {
    exportList(file, hostfileOf(nodes_.cluster()));
}

// For its user alone: the environment of a node may hold what is nobody else's.
void ClusterPage::exportList(const std::filesystem::path& file, const std::string& text) {
    constexpr unsigned ownOnly = 0600;
    question_ = {};
    writeFile(session_.background(), *banner_, QString::fromStdString(file.string()), text,
              tr("The list was exported."), {}, ownOnly);
}

}  // namespace dlperf::ui
