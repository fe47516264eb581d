// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/cluster_page.h"

#include <QHBoxLayout>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>
#include <utility>

#include "core/cluster/host_lists.h"
#include "ui/models/nodes_model.h"
#include "ui/pages/checks_panel.h"
#include "ui/pages/measured_panel.h"
#include "ui/pages/node_details.h"
#include "ui/pages/node_form.h"
#include "ui/pages/nodes_panel.h"
#include "ui/session/background.h"
#include "ui/session/session.h"
#include "ui/theme/fonts.h"
#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int answerMilliseconds = 50;
constexpr int stackedBelow = 1060;  // px of the page, at 100 %
constexpr int leastPanel = 260;     // px, where the page scrolls

// Stays until its host can be one, with what is wrong below.
class HostDialog final : public QInputDialog {
public:
    using QInputDialog::QInputDialog;

    void done(int result) override {
        const std::string host = textValue().trimmed().toStdString();
        const auto node = host.empty() ? Result<cluster::Node>() : cluster::withHost({}, host);
        if (result == Rejected || node) {
            QInputDialog::done(result);
            return;
        }
        question_ = question_.isEmpty() ? labelText() : question_;
        Error error = node.error();
        error.where.clear();  // it is the only field
        setLabelText(question_ + QStringLiteral("\n\n") + localized(describe(error)));
    }

private:
    QString question_;
};

}  // namespace

ClusterPage::ClusterPage(Session& session, QWidget* parent)
    : Page(tr("Cluster"), {620, 560}, parent), session_(session), nodes_(session.nodes()) {
    buildHeader();
    buildBody();
    connect(&details_->form(), &NodeForm::saved, this, &ClusterPage::saveNode);
    connect(&details_->form(), &NodeForm::removed, this, &ClusterPage::removeNode);
    connect(banner_, &Banner::actionTriggered, this, &ClusterPage::act);
    connect(banner_, &Banner::closed, this, [this] {
        question_ = {};
        askForList();  // something else may have been said in its place
    });
    connect(&nodes_, &NodeList::listChanged, this, &ClusterPage::showAll);
    connect(&nodes_, &NodeList::entryChanged, this, [this](std::size_t index) {
        if (table_->selected() == index) {
            showSelected();
        }
        answered_.start();
    });
    connect(&nodes_, &NodeList::changedElsewhere, this, &ClusterPage::showChangedElsewhere);
    connect(&nodes_, &NodeList::betweenChanged, this, &ClusterPage::showSelected);
    connect(&nodes_, &NodeList::waitingChanged, this, &ClusterPage::showWaiting);
    new QShortcut(QKeySequence::Find, this, table_, &NodesPanel::focusFilter, Qt::WidgetWithChildrenShortcut);
    // Hundreds of nodes answer at about the same time: the table is fitted once for all of them.
    answered_.setSingleShot(true);
    answered_.setInterval(answerMilliseconds);
    connect(&answered_, &QTimer::timeout, this, [this] {
        table_->fitColumns();
        setSubtitle(summaryOf(nodes_));
    });
    showAll();
}

void ClusterPage::buildHeader() {
    addAction(makeImport());
    addAction(makeExport());
    add_ = makeButton(tr("Add node"), QStringLiteral("plus"));
    connect(add_, &QPushButton::clicked, this, &ClusterPage::askForHost);
    addAction(add_);
    slurm_ = makeButton(tr("Slurm …"), QStringLiteral("settings"));
    slurm_->setToolTip(tr("Partition, limits and nodes of the jobs"));
    connect(slurm_, &QPushButton::clicked, this, &ClusterPage::chooseSlurm);
    addAction(slurm_);
    checkAll_ = makeButton(tr("Check all"), QStringLiteral("refresh"), "primary");
    checkAll_->setShortcut(QKeySequence(Qt::Key_F5));
    connect(checkAll_, &QPushButton::clicked, this, &ClusterPage::primaryAction);
    addAction(checkAll_);
}

void ClusterPage::buildBody() {
    QVBoxLayout* column = roomyBody();
    banner_ = new Banner;
    column->addWidget(banner_);
    said_ = new UndoBanner(this);
    column->addWidget(said_);
    QWidget* host = column->parentWidget();
    table_ = new NodesPanel(nodes_, host);
    connect(table_, &NodesPanel::selectionChanged, this, &ClusterPage::showSelected);
    connect(table_, &NodesPanel::activated, this, [this] { details_->showTab(NodeDetails::Settings); });
    connect(table_, &NodesPanel::removeAsked, this, &ClusterPage::removeNode);
    connect(table_, &NodesPanel::menuAsked, this, &ClusterPage::showNodeMenu);
    column->addWidget(table_);
    panels_ = makeRow(nullptr, {}, 10);
    details_ = new NodeDetails(host);
    details_->measured().follow(session_);
    panels_->addWidget(details_, 58);
    checks_ = new ChecksPanel(host);
    connect(checks_, &ChecksPanel::checkRequested, this, &ClusterPage::checkNode);
    panels_->addWidget(checks_, 42);
    column->addLayout(panels_, 1);
}

// One below the other where both together are too wide; the page scrolls then.
void ClusterPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    const bool narrow = width() < scaled(stackedBelow);
    panels_->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    details_->setMinimumHeight(narrow ? scaled(leastPanel) : 0);
    checks_->setMinimumHeight(narrow ? scaled(leastPanel) : 0);
}

void ClusterPage::showAll() {
    add_->setVisible(!nodes_.slurm());
    slurm_->setVisible(nodes_.slurm().has_value());
    checkAll_->setToolTip(nodes_.slurm()
                              ? tr("Asks all nodes in a Slurm job of their own (F5)")
                              : tr("Asks every node what it is and whether it is fit to run (F5)"));
    table_->fitRows();
    setSubtitle(summaryOf(nodes_));
    if (!table_->selected() && !nodes_.entries().empty()) {
        table_->select(0);
    }
    table_->fitColumns();
    showSelected();
    askForList();
}

void ClusterPage::showSelected() {
    const auto index = table_->selected();
    details_->setEnabled(index.has_value());
    if (!index) {
        checks_->showNothing();
        return;
    }
    keepTyped(nodes_.entries()[*index].node);
    const NodeEntry& entry = nodes_.entries()[*index];
    details_->showNode(entry, nodes_.entries().size() > 1);
    table_->showLastCheck(entry.asked);
    checks_->showNode(entry, nodes_.entries(), nodes_.between());
}

void ClusterPage::checkNode() {
    if (const auto index = table_->selected()) {
        nodes_.check(*index);
    }
}

void ClusterPage::showNodeMenu(const QPoint& where) {
    const auto index = table_->selected();
    if (!index) {
        return;
    }
    const NodeEntry& entry = nodes_.entries()[*index];
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(entry.node.seat ? tr("Check all") : tr("Check"), this, &ClusterPage::checkNode)
        ->setEnabled(entry.state != NodeState::Checking);
    menu->addAction(tr("Settings"), this, [this] { details_->showTab(NodeDetails::Settings); });
    menu->addSeparator();
    menu->addAction(tr("Copy name"), this,
                    [name = entry.node.name] { copyText(QString::fromStdString(name)); });
    if (const std::string& host = entry.node.host; !host.empty()) {
        menu->addAction(tr("Copy host"), this, [host] { copyText(QString::fromStdString(host)); });
    }
    if (!entry.node.seat) {
        menu->addSeparator();
        QAction* remove = menu->addAction(tr("Remove node"), this, &ClusterPage::removeNode);
        remove->setEnabled(nodes_.entries().size() > 1);
    }
    menu->popup(where);
}

void ClusterPage::askForHost() {
    auto* ask = new HostDialog(this);
    ask->setAttribute(Qt::WA_DeleteOnClose);
    ask->setWindowTitle(tr("Add node"));
    ask->setLabelText(
        tr("Host: user@host:port, or an alias of ~/.ssh/config. Empty: this machine once more."));
    connect(ask, &QInputDialog::textValueSelected, this,
            [this](const QString& host) { addNode(host.trimmed().toStdString()); });
    ask->open();
}

void ClusterPage::addNode(const std::string& host) {
    cluster::Node node;
    node.local = host.empty();
    if (!host.empty()) {
        const auto there = cluster::withHost(node, host);
        if (!there) {
            tell(Failure(there.error()));
            return;
        }
        node = *there;
    }
    node.name = nodes_.freeName(node.local ? "this" : node.host);
    if (node.local) {
        node.workDir = "~/dlperf-" + node.name;  // nodes that are one machine each need their own
    }
    if (!tell(nodes_.add(node))) {
        return;
    }
    forgetSaid();
    table_->clearFilter();
    table_->select(nodes_.entries().size() - 1);
    details_->showTab(NodeDetails::Settings);
    details_->form().editName();
}

void ClusterPage::saveNode(const cluster::Node& node) {
    const auto index = table_->selected();
    if (!index) {
        return;
    }
    const auto saved = nodes_.replace(*index, node);
    details_->form().showProblem(saved ? nullptr : &saved.error());
    if (saved) {
        forgetSaid();
        table_->select(*index);
    }
}

// Another node is chosen while this one's settings are not saved: what was typed is kept, or said.
void ClusterPage::keepTyped(const cluster::Node& next) {
    const auto typed = details_->form().unsaved();
    if (typed && typed->name != next.name) {
        details_->form().forgetTyped();
        tell(replaceNode(typed->name, typed->node));
    }
}

Result<void> ClusterPage::saveTyped() {
    const auto typed = details_->form().unsaved();
    return typed ? replaceNode(typed->name, typed->node) : Result<void>();
}

void ClusterPage::forgetTyped() {
    details_->form().forgetTyped();
}

Result<void> ClusterPage::replaceNode(const std::string& name, const Result<cluster::Node>& node) {
    const auto& entries = nodes_.entries();
    const auto entry =
        std::ranges::find_if(entries, [&](const NodeEntry& one) { return one.node.name == name; });
    if (entry == entries.end()) {
        return {};  // it is not in the list any more
    }
    return node ? nodes_.replace(static_cast<std::size_t>(entry - entries.begin()), *node)
                : Result<void>(Failure(node.error()));
}

bool ClusterPage::tell(const Result<void>& done) {
    if (!done) {
        question_ = {.kind = Question::Problem};
        banner_->showError(done.error());
    }
    return done.has_value();
}

// What is changed now is not taken back by an undo of what came before, and that failed no more.
void ClusterPage::forgetSaid() {
    said_->forgetShared();
    if (question_.kind == Question::Problem) {
        question_ = {};
        banner_->hide();
    }
}

// An undo would take back the other's change with this one.
void ClusterPage::showChangedElsewhere(const QString& aside) {
    said_->forgetShared();
    question_ = {};
    const QString what = tr("Another window or program had changed the node list, too.");
    if (aside.isEmpty()) {
        banner_->showMessage("info", what, tr("Both changes are kept."));
    } else {
        banner_->showMessage("warn", what,
                             tr("Its list stands in %1: import that file to use it instead.").arg(aside));
    }
    askForList();
}

void ClusterPage::removeNode() {
    const auto index = table_->selected();
    if (!index || nodes_.entries().size() < 2 || nodes_.entries()[*index].node.seat) {
        return;
    }
    cluster::Cluster next = nodes_.written();
    const QString name = QString::fromStdString(next.nodes[*index].name);
    next.nodes.erase(next.nodes.begin() + static_cast<std::ptrdiff_t>(*index));
    replaceList(next, tr("%1 was removed from the list.").arg(name), nodes_.isAccepted());
    table_->select(std::min(*index, nodes_.entries().size() - 1));
}

// A check may wait for hours in the queue.
void ClusterPage::showWaiting() {
    if (!nodes_.waiting().isEmpty()) {
        question_ = {.kind = Question::CancelCheck};
        banner_->showMessage("info", tr("The check waits in Slurm's queue."), nodes_.waiting(), {},
                             tr("Cancel the check"));
    } else if (question_.kind == Question::CancelCheck) {
        question_ = {};
        banner_->hide();
    }
}

// A workspace from elsewhere brings its list: nothing of it runs before somebody has looked.
void ClusterPage::askForList() {
    if (nodes_.isRead() && !nodes_.isAccepted()) {
        question_ = {.kind = Question::Accept};
        banner_->showMessage("warn", tr("The node list of this workspace runs commands of its own."),
                             commandsOf(nodes_.written()), {}, tr("Use these nodes"));
        banner_->setClosable(false);
    }
}

void ClusterPage::act() {
    if (!nodes_.isRead()) {
        return;
    }
    banner_->hide();
    const Question question = std::exchange(question_, {});
    switch (question.kind) {
        case Question::Accept:
            nodes_.accept();
            break;
        case Question::Use:
            trust(question.bytes);
            replaceList(
                question.cluster,
                tr("The list \"%1\" is used now.").arg(QString::fromStdString(question.cluster.name)));
            break;
        case Question::CancelCheck:
            nodes_.cancelCheck();
            break;
        case Question::None:
        case Question::Problem:
            break;
    }
}

int ClusterPage::failedNodes(const NodeList& nodes) {
    return static_cast<int>(std::ranges::count_if(nodes.entries(), [](const NodeEntry& entry) {
        return entry.state == NodeState::NotReached || entry.count(cluster::Verdict::Failed) > 0;
    }));
}

QString ClusterPage::summaryOf(const NodeList& nodes) {
    const auto& entries = nodes.entries();
    if (entries.size() == 1 && entries.front().node.local) {
        const QString devices = devicesText(entries.front());
        return devices.isEmpty() ? tr("this machine") : tr("this machine, %1").arg(devices);
    }
    const int devices =
        std::accumulate(entries.begin(), entries.end(), 0, [](int sum, const NodeEntry& entry) {
            return sum + (entry.facts ? entry.facts->devices(entry.node) : entry.node.devices.value_or(0));
        });
    if (nodes.slurm()) {
        return tr("%1, up to %2 nodes with %3 devices from Slurm")
            .arg(localized(nodes.name()))
            .arg(entries.size())
            .arg(numberLocale().toString(devices));
    }
    return tr("%1, %2 nodes with %3 devices")
        .arg(localized(nodes.name()))
        .arg(entries.size())
        .arg(numberLocale().toString(devices));
}

void ClusterPage::enter() {
    details_->measured().read();
    table_->focusTable();
}

}  // namespace dlperf::ui
