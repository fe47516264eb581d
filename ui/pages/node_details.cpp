// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/node_details.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/cluster/host_lists.h"
#include "ui/pages/measured_panel.h"
#include "ui/pages/node_form.h"
#include "ui/theme/fonts.h"
#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"
#include "ui/theme/theme.h"

namespace dlperf::ui {
namespace {

constexpr int spared = 10;      // px of a tab, where they stand closer
constexpr int aroundTabs = 48;  // px beside tabs, name and button

QString asText(const Facts& facts) {
    QString text;
    for (const auto& [name, value] : facts) {
        text += name + QStringLiteral(": ") + value + QLatin1Char('\n');
    }
    return text;
}

QLabel* makeSwatch(const cluster::LinkCell& cell) {
    QLabel* swatch = makeLabel(QString::fromStdString(cell.text), "caption");
    const LinkStyle style = linkStyle(static_cast<int>(cell.link), cell.nvLinks);
    swatch->setStyleSheet(
        QStringLiteral("QLabel { background: %1; color: %2; border-radius: 3px; padding: 2px 7px; }")
            .arg(style.fill.name(), style.text.name()));
    return swatch;
}

// The context of the texts, for translators.
struct NodeFactText {
    Q_DECLARE_TR_FUNCTIONS(dlperf::ui::NodeFacts)
};

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

QString lines(const std::vector<std::string>& values) {
    return text(join(values, "\n"));
}

QString gpuLines(const cluster::NodeFacts& facts, int devices) {
    if (facts.gpus.empty()) {
        return NodeFactText::tr("none found; %1 CPU processes stand for devices").arg(devices);
    }
    QStringList list;
    for (std::size_t i = 0; i < facts.gpus.size(); ++i) {
        const cluster::GpuFacts& gpu = facts.gpus[i];
        list << NodeFactText::tr("%1: %2, %3, up to %4")
                    .arg(i)
                    .arg(text(gpu.name), text(gpu.memory), text(gpu.clock));
    }
    return list.join(QLatin1Char('\n'));
}

QString speedText(int megabits) {
    return megabits >= 1000 ? NodeFactText::tr("%1 Gbit/s").arg(megabits / 1000)
           : megabits > 0   ? NodeFactText::tr("%1 Mbit/s").arg(megabits)
                            : QString();
}

QString stateText(const NodeEntry& entry) {
    const QString time = entry.asked.toString(QStringLiteral("HH:mm:ss"));
    switch (entry.state) {
        case NodeState::Checking:
            return NodeFactText::tr("being asked");
        case NodeState::Checked:
            return NodeFactText::tr("answered at %1").arg(time);
        case NodeState::NotReached:
            return NodeFactText::tr("not reached at %1: %2").arg(time, localized(entry.error.what));
        case NodeState::NotChecked:
            break;
    }
    return NodeFactText::tr("not checked yet");
}

QString addressOf(const NodeEntry& entry, const cluster::Route& route) {
    if (entry.node.seat) {
        return entry.jobHost;
    }
    return text(route.place.empty() ? cluster::hostText(entry.node) : route.place);
}

QString wayText(const NodeEntry& entry) {
    const std::string way = entry.facts ? entry.facts->route.way : std::string();
    QString words = entry.node.local ? NodeFactText::tr("this machine") : NodeFactText::tr("over SSH");
    if (way == "libssh2") {
        words = NodeFactText::tr("over SSH, by libssh2");
    } else if (entry.node.seat) {
        words = way.empty() ? NodeFactText::tr("in a Slurm job") : NodeFactText::tr("in %1").arg(text(way));
    } else if (!way.empty()) {
        words = NodeFactText::tr("over SSH, by the ssh program with connection sharing");
    }
    if (!entry.node.image.empty()) {
        return NodeFactText::tr("%1, in a container of %2").arg(words, text(entry.node.image));
    }
    return entry.node.container.empty() ? words
                                        : NodeFactText::tr("%1, in its container by %2")
                                              .arg(words, text(join(entry.node.container, " ")));
}

}  // namespace

NodeDetails::NodeDetails(QWidget* parent) : Panel(parent), model_(new TopologyModel(this)) {
    QHBoxLayout* row = addHeader({});
    row->setContentsMargins(6, 0, 12, 0);
    tabs_ = new QTabBar;
    tabs_->setDrawBase(false);
    tabs_->setAccessibleName(tr("Details of the node"));
    for (const QString& title :
         {tr("Overview"), tr("Topology"), tr("Measured"), tr("Network"), tr("Software"), tr("Settings")}) {
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
    measured_ = new MeasuredPanel;
    network_ = new FactGrid;
    software_ = new FactGrid;
    form_ = new NodeForm;
    stack_->addWidget(makeScrolled(overview_));
    stack_->addWidget(buildTopology());
    stack_->addWidget(measured_);
    stack_->addWidget(makeScrolled(network_));
    stack_->addWidget(makeScrolled(software_));
    stack_->addWidget(makeScrolled(form_));
    body()->addWidget(stack_, 1);
    connect(tabs_, &QTabBar::currentChanged, this, [this](int tab) {
        stack_->setCurrentIndex(tab);
        copy_->setVisible(tab != Settings);
    });
}

// Where there is no room for all, the button's word and the name (which the table shows as well) go.
void NodeDetails::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    const int tabs =
        tabs_->sizeHint().width() + (tabs_->property("dense").toBool() ? spared * tabs_->count() : 0);
    const int needed = tabs + name_->sizeHint().width() + copyWidth_ + scaled(aroundTabs);
    const bool hasNoRoom = width() < needed;
    if (tabs_->property("dense").toBool() != hasNoRoom) {
        tabs_->setProperty("dense", hasNoRoom);
        restyle(tabs_);
    }
    copy_->setText(hasNoRoom ? QString() : copy_->accessibleName());
    name_->setVisible(!hasNoRoom);
    copy_->setToolTip(hasNoRoom ? copy_->accessibleName() : QString());
}

QWidget* NodeDetails::buildTopology() {
    topology_ = new QStackedWidget(stack_);
    word_ = makeText({}, "secondary");
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
    legend->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Minimum);
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
    measured_->showNode(entry.jobHost.isEmpty() ? entry.node.name : entry.jobHost.toStdString());
    network_->setFacts(networkFacts(entry), word);
    software_->setFacts(softwareFacts(entry), word);
    form_->showNode(entry.node, removable);
    form_->offer(entry.facts.value_or(cluster::NodeFacts()));
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
        case Measured:
            text = measured_->text();
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
    copyText(text);
}

FactGrid::FactGrid(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
    grid_->setContentsMargins(14, 12, 14, 12);
    grid_->setHorizontalSpacing(24);
    grid_->setVerticalSpacing(8);
    grid_->setColumnStretch(1, 1);
}

// The same facts again leave a selection alone.
void FactGrid::setFacts(const Facts& facts, const QString& word) {
    if (facts == shown_ && word == word_) {
        return;
    }
    shown_ = facts;
    word_ = word;
    emptyLayout(grid_);
    int row = 0;
    for (const auto& [name, value] : facts) {
        if (value.isEmpty()) {
            continue;
        }
        grid_->addWidget(makeLabel(name, "secondary"), row, 0, Qt::AlignTop);
        QLabel* text = makeText(value, "mono");
        text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        text->setFocusPolicy(Qt::ClickFocus);  // not a Tab stop for each
        grid_->addWidget(text, row++, 1);
    }
    if (facts.empty()) {
        grid_->addWidget(makeText(word, "secondary"), row++, 0, 1, 2);
    }
    // The room that is left stands below the facts, not between them.
    const int rows = std::max(grid_->rowCount(), row + 1);
    for (int i = 0; i < rows; ++i) {
        grid_->setRowStretch(i, i == row ? 1 : 0);
    }
}

Facts connectionFacts(const NodeEntry& entry) {
    const cluster::Route route = entry.facts ? entry.facts->route : cluster::Route{};
    return {{NodeFactText::tr("Connection"), stateText(entry)},
            {NodeFactText::tr("Reached"), wayText(entry)},
            {NodeFactText::tr("Address"), addressOf(entry, route)},
            {NodeFactText::tr("Through"), text(route.through)},
            {NodeFactText::tr("Login"), text(route.login)},
            {NodeFactText::tr("Host key"), text(route.hostKey)}};
}

Facts overviewFacts(const NodeEntry& entry) {
    Facts rows = connectionFacts(entry);
    if (!entry.facts) {
        return rows;
    }
    const cluster::NodeFacts& facts = *entry.facts;
    const QString free = facts.freeBytes ? bytesText(static_cast<double>(*facts.freeBytes)) : QString();
    QString processor = NodeFactText::tr("%1, %2 cores").arg(text(facts.processor)).arg(facts.cores);
    if (facts.numaNodes > 1) {
        processor += NodeFactText::tr(", %1 NUMA nodes").arg(facts.numaNodes);
    }
    const Facts found{{NodeFactText::tr("Host"), text(facts.host)},
                      {NodeFactText::tr("Processor"), processor},
                      {NodeFactText::tr("Memory"), bytesText(static_cast<double>(facts.memoryBytes))},
                      {NodeFactText::tr("GPUs"), gpuLines(facts, facts.devices(entry.node))},
                      {NodeFactText::tr("System"),
                       NodeFactText::tr("%1, Linux %2").arg(text(facts.system), text(facts.kernel))},
                      {NodeFactText::tr("Work folder"), text(facts.workDir)},
                      {NodeFactText::tr("Free there"), free},
                      {NodeFactText::tr("Data folder"), text(entry.node.dataDir)}};
    rows.insert(rows.end(), found.begin(), found.end());
    return rows;
}

Facts networkFacts(const NodeEntry& entry) {
    if (!entry.facts) {
        return {};
    }
    Facts rows;
    for (const cluster::InterfaceFacts& interface : entry.facts->interfaces) {
        QStringList words;
        for (const QString& word : {interface.up ? NodeFactText::tr("up") : NodeFactText::tr("down"),
                                    interface.isVirtual ? NodeFactText::tr("virtual") : QString(),
                                    speedText(interface.speed), text(interface.addresses)}) {
            if (!word.isEmpty()) {
                words << word;
            }
        }
        rows.emplace_back(text(interface.name), words.join(comma()));
    }
    rows.emplace_back(NodeFactText::tr("InfiniBand"), entry.facts->infiniband.empty()
                                                          ? NodeFactText::tr("none found")
                                                          : lines(entry.facts->infiniband));
    return rows;
}

Facts softwareFacts(const NodeEntry& entry) {
    if (!entry.facts) {
        return {};
    }
    const cluster::NodeFacts& facts = *entry.facts;
    const auto orNone = [](const QString& value) {
        return value.isEmpty() ? NodeFactText::tr("none found") : value;
    };
    return {{NodeFactText::tr("Driver"), orNone(text(facts.driver))},
            {NodeFactText::tr("CUDA"), orNone(text(facts.cuda))},
            {NodeFactText::tr("cuDNN"), orNone(text(facts.cudnn))},
            {NodeFactText::tr("NCCL"), orNone(text(facts.nccl))},
            {NodeFactText::tr("Python packages"), orNone(lines(facts.pythonPackages))}};
}

}  // namespace dlperf::ui
