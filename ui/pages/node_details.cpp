// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/node_details.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>
#include <array>
#include <utility>

#include "ui/models/topology_model.h"
#include "ui/pages/node_facts.h"
#include "ui/pages/node_form.h"
#include "ui/pages/page_parts.h"
#include "ui/pages/topology_grid.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/fact_grid.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int aroundTabs = 48;  // px beside tabs, name and button

QString asText(const Facts& facts) {
    QString text;
    for (const auto& [name, value] : facts) {
        text += name + QStringLiteral(": ") + value + QLatin1Char('\n');
    }
    return text;
}

// One kind of link in the legend, in the colours of the grid.
QLabel* makeSwatch(const cluster::LinkCell& cell) {
    QLabel* swatch = makeLabel(QString::fromStdString(cell.text), "caption");
    const LinkStyle style = linkStyle(static_cast<int>(cell.link), cell.nvLinks);
    swatch->setStyleSheet(
        QStringLiteral("QLabel { background: %1; color: %2; border-radius: 3px; padding: 2px 7px; }")
            .arg(style.fill.name(), style.text.name()));
    return swatch;
}

}  // namespace

NodeDetails::NodeDetails(QWidget* parent) : Panel(parent), model_(new TopologyModel(this)) {
    QHBoxLayout* row = addHeader({});
    row->setContentsMargins(6, 0, 12, 0);
    tabs_ = new QTabBar;
    tabs_->setDrawBase(false);
    tabs_->setAccessibleName(tr("Details of the node"));
    for (const QString& title :
         {tr("Overview"), tr("Topology"), tr("Network"), tr("Software"), tr("Settings")}) {
        tabs_->addTab(title);
    }
    row->insertWidget(0, tabs_, 0, Qt::AlignBottom);
    name_ = makeLabel({}, "strong");
    row->addWidget(name_);
    copy_ = makeSmallButton(tr("Copy as text"), QStringLiteral("copy"));
    copy_->setAccessibleName(copy_->text());
    copyWidth_ = copy_->sizeHint().width();
    connect(copy_, &QPushButton::clicked, this, &NodeDetails::copy);
    row->addWidget(copy_);
    stack_ = new QStackedWidget(this);
    overview_ = new FactGrid;
    network_ = new FactGrid;
    software_ = new FactGrid;
    form_ = new NodeForm;
    stack_->addWidget(makeScrolled(overview_));
    stack_->addWidget(buildTopology());
    stack_->addWidget(makeScrolled(network_));
    stack_->addWidget(makeScrolled(software_));
    stack_->addWidget(makeScrolled(form_));
    body()->addWidget(stack_, 1);
    connect(tabs_, &QTabBar::currentChanged, this, [this](int tab) {
        stack_->setCurrentIndex(tab);
        copy_->setVisible(tab != Settings);
    });
}

// The tabs come first: where there is no room for all, the button goes without its word, and the name, which
// the table shows as well, without its place.
void NodeDetails::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    const int needed =
        tabs_->sizeHint().width() + name_->sizeHint().width() + copyWidth_ + scaled(aroundTabs);
    const bool hasNoRoom = width() < needed;
    copy_->setText(hasNoRoom ? QString() : copy_->accessibleName());
    name_->setVisible(!hasNoRoom);
    copy_->setToolTip(hasNoRoom ? copy_->accessibleName() : QString());
}

QWidget* NodeDetails::buildTopology() {
    topology_ = new QStackedWidget(stack_);
    word_ = makeLabel({}, "secondary");
    word_->setWordWrap(true);
    word_->setAlignment(Qt::AlignCenter);
    word_->setMargin(24);
    topology_->addWidget(word_);
    auto* host = new QWidget(topology_);
    QVBoxLayout* column = makeColumn(host, {0, 8, 0, 0}, 8);
    grid_ = new TopologyGrid(*model_);
    column->addWidget(grid_, 1);
    column->addWidget(buildLegend(host));
    column->addWidget(makeSeparator());
    QHBoxLayout* foot = makeRow(nullptr, {14, 2, 14, 10});
    foot->addWidget(makeIcon(QStringLiteral("info"), "info"));
    pair_ = makeLabel({}, "secondary");
    foot->addWidget(pair_, 1);
    column->addLayout(foot);
    connect(grid_, &TopologyGrid::pairChosen, this, &NodeDetails::sayPair);
    topology_->addWidget(host);
    return topology_;
}

QWidget* NodeDetails::buildLegend(QWidget* parent) {
    const std::array<cluster::LinkCell, 7> kinds{{{cluster::Link::NvLink, 2, "NV2"},
                                                  {cluster::Link::NvLink, 1, "NV1"},
                                                  {cluster::Link::Pix, 0, "PIX"},
                                                  {cluster::Link::Pxb, 0, "PXB"},
                                                  {cluster::Link::Phb, 0, "PHB"},
                                                  {cluster::Link::Node, 0, "NODE"},
                                                  {cluster::Link::Sys, 0, "SYS"}}};
    auto* legend = new QWidget(parent);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    legend->setSizePolicy(policy);
    auto* flow = new FlowLayout(legend, 12, 4);
    flow->setContentsMargins(14, 0, 14, 0);
    for (const cluster::LinkCell& kind : kinds) {
        auto* entry = new QWidget(legend);
        QHBoxLayout* row = makeRow(entry, {}, 6);
        row->addWidget(makeSwatch(kind));
        row->addWidget(makeLabel(linkWords(kind), "secondary"));
        flow->addWidget(entry);
    }
    return legend;
}

void NodeDetails::showNode(const NodeEntry& entry, bool removable) {
    entry_ = entry;
    name_->setText(QString::fromStdString(entry.node.name));
    const QString word = entry.state == NodeState::NotReached
                             ? tr("The node was not reached; the check says why.")
                             : tr("Not known before the first check.");
    overview_->setFacts(overviewFacts(entry), word);
    network_->setFacts(networkFacts(entry), word);
    software_->setFacts(softwareFacts(entry), word);
    form_->showNode(entry.node, removable);
    showTopology(entry, word);
}

void NodeDetails::showTopology(const NodeEntry& entry, const QString& word) {
    const bool known = entry.facts && entry.facts->topology;
    topology_->setCurrentIndex(known ? 1 : 0);
    if (known && !std::exchange(topologySeen_, true)) {
        showTab(Topology);  // what people come for; from then on they choose
    }
    if (known) {
        const int row = grid_->currentIndex().row();
        const int column = grid_->currentIndex().column();
        model_->setMatrix(*entry.facts->topology);
        const QModelIndex last = model_->index(row, column);
        grid_->setCurrentIndex(last.isValid() ? last : model_->index(0, model_->deviceCount() > 1 ? 1 : 0));
    } else {
        word_->setText(entry.facts ? tr("No NVIDIA GPUs were found on this node, so there is no topology to "
                                        "show.\nHere a device is a CPU process.")
                                   : word);
    }
}

void NodeDetails::sayPair(int row, int column) {
    const QString sentence = linkSentence(model_->matrix(), row, column);
    pair_->setText(sentence.isEmpty() ? tr("Choose a pair to see how it is connected.") : sentence);
}

void NodeDetails::showTab(Tab tab) {
    tabs_->setCurrentIndex(tab);
}

void NodeDetails::copy() {
    QString text;
    switch (tabs_->currentIndex()) {
        case Overview:
            text = asText(overviewFacts(entry_));
            break;
        case Network:
            text = asText(networkFacts(entry_));
            break;
        case Software:
            text = asText(softwareFacts(entry_));
            break;
        default:
            text = QString::fromStdString(toText(model_->matrix()));
            break;
    }
    QGuiApplication::clipboard()->setText(text);
}

}  // namespace dlperf::ui
