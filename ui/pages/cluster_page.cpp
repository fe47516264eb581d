// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/cluster_page.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "ui/session/session.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/numbers.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int rowHeight = 30;

enum Column { Status, Name, Address, Devices, Cores, Memory, System };

}  // namespace

ClusterPage::ClusterPage(Session& session, QWidget* parent)
    : Page(tr("Cluster"), {700, 420}, parent), session_(session) {
    setSubtitle(tr("this machine"));
    QPushButton* again = makeButton(tr("Look again"), QStringLiteral("refresh"));
    again->setShortcut(QKeySequence(Qt::Key_F5));
    connect(again, &QPushButton::clicked, this, &ClusterPage::read);
    addAction(again);
    launch_ = makeButton(tr("Launch a plan"), QStringLiteral("launch"), "primary");
    connect(launch_, &QPushButton::clicked, this, &ClusterPage::launchRequested);
    addAction(launch_);
    QVBoxLayout* column = roomyBody();
    column->addWidget(buildNodes());
    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    row->addWidget(buildFacts(), 58);
    row->addWidget(buildNext(), 42);
    column->addLayout(row);
    column->addStretch(1);
    read();
}

QWidget* ClusterPage::buildNodes() {
    auto* panel = new Panel;
    panel->addHeader(tr("Nodes"));
    nodes_ = new QTableWidget(1, System + 1);
    nodes_->setHorizontalHeaderLabels({tr("Status"), tr("Name"), tr("Address"), tr("Devices"),
                                       tr("CPU cores"), tr("Memory"), tr("System")});
    nodes_->verticalHeader()->hide();
    nodes_->verticalHeader()->setDefaultSectionSize(rowHeight);
    nodes_->horizontalHeader()->setHighlightSections(false);
    nodes_->horizontalHeader()->setStretchLastSection(true);
    nodes_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    nodes_->setShowGrid(false);
    nodes_->setSelectionBehavior(QAbstractItemView::SelectRows);
    nodes_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    nodes_->setTabKeyNavigation(false);
    nodes_->setFixedHeight(rowHeight + 30);
    nodes_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    nodes_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    nodes_->setAccessibleName(tr("Nodes"));
    panel->body()->addWidget(nodes_);
    return panel;
}

QWidget* ClusterPage::buildFacts() {
    factsPanel_ = new Panel;
    factsPanel_->addHeader(tr("This machine"));
    auto* host = new QWidget;
    facts_ = new QGridLayout(host);
    facts_->setContentsMargins(14, 12, 14, 12);
    facts_->setHorizontalSpacing(24);
    facts_->setVerticalSpacing(10);
    facts_->setColumnStretch(1, 1);
    factsPanel_->body()->addWidget(host);
    factsPanel_->body()->addStretch(1);
    return factsPanel_;
}

QWidget* ClusterPage::buildNext() {
    auto* panel = new Panel;
    panel->addHeader(tr("What runs here"));
    auto* column = new QVBoxLayout;
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(12);
    const auto add = [&](const QString& iconName, const QString& title, const QString& text) {
        auto* row = new QHBoxLayout;
        row->setSpacing(10);
        row->addWidget(makeIcon(iconName, "info"), 0, Qt::AlignTop);
        auto* words = new QVBoxLayout;
        words->setSpacing(2);
        words->addWidget(makeLabel(title, "strong"));
        QLabel* body = makeLabel(text, "secondary");
        body->setWordWrap(true);
        words->addWidget(body);
        row->addLayout(words, 1);
        column->addLayout(row);
    };
    add(QStringLiteral("laptop"), tr("Plans run on this machine"),
        tr("Each device is a GPU, or without GPUs one CPU process. Nothing is installed, and runs go on when "
           "this window is closed."));
    add(QStringLiteral("terminal"), tr("Trainers of your own"),
        tr("A recipe is a folder with a short script. Plans name recipes; Launch shows the exact script and "
           "environment before anything starts."));
    add(QStringLiteral("info"), tr("More machines come with the next version"),
        tr("Nodes over SSH, their checks before a launch and the topology of their GPUs are not part of this "
           "version. Plans already know topologies such as 2n8g; Launch says which of them need more "
           "nodes."));
    panel->body()->addLayout(column);
    panel->body()->addStretch(1);
    return panel;
}

void ClusterPage::read() {
    session_.machineBackground().ask(
        this, [root = session_.workspace().root()] { return readMachineFacts(root); },
        [this](const MachineFacts& facts) { show(facts); });
}

void ClusterPage::addFact(int row, const QString& name, const QString& value) {
    facts_->addWidget(makeLabel(name, "secondary"), row, 0, Qt::AlignTop);
    QLabel* text = makeLabel(value, "mono");
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    facts_->addWidget(text, row, 1);
}

void ClusterPage::show(const MachineFacts& facts) {
    const QStringList cells{tr("Ready"),        tr("this machine"),           tr("local"),
                            devicesText(facts), QString::number(facts.cores), bytesText(facts.memoryBytes),
                            facts.system};
    for (int i = 0; i < cells.size(); ++i) {
        auto* item = new QTableWidgetItem(cells[i]);
        if (i != Status && i != Name && i != System) {
            item->setFont(monoFont());
        }
        nodes_->setItem(0, i, item);
    }
    nodes_->item(0, Status)->setIcon(icon(QStringLiteral("state-ok"), Ink::Ok));
    nodes_->item(0, Name)->setFont(textFont(size::body, QFont::DemiBold));
    nodes_->resizeColumnsToContents();
    for (int i = 0; i < System; ++i) {
        nodes_->setColumnWidth(i, nodes_->columnWidth(i) + 40);
    }
    while (QLayoutItem* old = facts_->takeAt(0)) {
        delete old->widget();
        delete old;
    }
    factsPanel_->setTitle(tr("This machine"), facts.host);
    addFact(0, tr("Processor"), tr("%1, %2 cores").arg(facts.processor).arg(facts.cores));
    addFact(1, tr("Memory"), bytesText(facts.memoryBytes));
    addFact(2, tr("GPUs"),
            facts.gpus.isEmpty() ? tr("none found; %1 CPU processes stand for devices").arg(facts.devices)
                                 : facts.gpus.join(QLatin1Char('\n')));
    if (!facts.driver.isEmpty()) {
        addFact(3, tr("Driver"), facts.driver);
    }
    addFact(4, tr("System"), tr("%1, Linux %2").arg(facts.system, facts.kernel));
    addFact(5, tr("Workspace"), QString::fromStdString(session_.workspace().root().string()));
    addFact(6, tr("Free there"), bytesText(facts.freeDiskBytes));
    addFact(7, tr("Bundled trainer"),
            facts.worker ? tr("dlperf-worker, ResNet50 v1.5") : tr("dlperf-worker is not built"));
    machine_ = tr("This machine, %1").arg(devicesText(facts));
    setSubtitle(tr("this machine, %1").arg(devicesText(facts)));
    emit session_.statusChanged();
}

QString ClusterPage::machine() const {
    return machine_.isEmpty() ? tr("This machine") : machine_;
}

void ClusterPage::enter() {
    launch_->setFocus(Qt::OtherFocusReason);
}

}  // namespace dlperf::ui
