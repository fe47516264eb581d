// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/cluster_page.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/file.h"
#include "core/base/text.h"
#include "ui/models/copy_table.h"
#include "ui/models/nodes_model.h"
#include "ui/pages/check_list.h"
#include "ui/pages/node_details.h"
#include "ui/pages/node_form.h"
#include "ui/session/background.h"
#include "ui/session/session.h"
#include "ui/session/trust.h"
#include "ui/theme/fonts.h"
#include "ui/theme/numbers.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_layout.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/scrolled.h"

namespace dlperf::ui {
namespace {

constexpr int rowHeight = 30;
constexpr int headerHeight = 28;
constexpr int columnGap = 24;
constexpr int mostShown = 400;  // characters of a command in the question
constexpr int answerMilliseconds = 50;
constexpr int rowsShown = 4;   // at least, before the table scrolls
constexpr int rowsBefore = 8;  // at most: the details need the room
constexpr int filterWidth = 220;
constexpr int noNumbers = -1;  // a role that the model has nothing under: texts as shown

// What a list of nodes would run, in a sentence: for the question before its first use.
QString commandsOf(const cluster::Cluster& cluster) {
    int setups = 0;
    int containers = 0;
    int remote = 0;
    for (const cluster::Node& node : cluster.nodes) {
        setups += node.setup.empty() ? 0 : 1;
        containers += node.container.empty() ? 0 : 1;
        remote += node.local ? 0 : 1;
    }
    QString text =
        ClusterPage::tr("%1 nodes; %2 run a setup of their own, %3 a command to enter a container.")
            .arg(cluster.nodes.size())
            .arg(setups)
            .arg(containers);
    const auto first = std::ranges::find_if(cluster.nodes, [](const cluster::Node& node) {
        return !node.setup.empty() || !node.container.empty();
    });
    if (first != cluster.nodes.end()) {
        const std::string command =
            join(first->container, " ") + (first->container.empty() ? "" : "\n") + first->setup;
        text +=
            ClusterPage::tr("\nThe first of them, %1:\n%2")
                .arg(QString::fromStdString(first->name), QString::fromStdString(command).left(mostShown));
    }
    if (remote > 0) {
        text += QLatin1Char(' ') +
                ClusterPage::tr("%1 are reached over SSH, which this version cannot do yet.").arg(remote);
    }
    return text;
}

}  // namespace

ClusterPage::ClusterPage(Session& session, QWidget* parent)
    : Page(tr("Cluster"), {900, 560}, parent), session_(session), nodes_(session.nodes()) {
    buildHeader();
    QVBoxLayout* column = roomyBody();
    banner_ = new Banner;
    column->addWidget(banner_);
    column->addWidget(buildNodes());
    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    details_ = new NodeDetails;
    row->addWidget(details_, 58);
    row->addWidget(buildChecks(), 42);
    column->addLayout(row, 1);
    connect(&details_->form(), &NodeForm::saved, this, &ClusterPage::saveNode);
    connect(&details_->form(), &NodeForm::removed, this, &ClusterPage::removeNode);
    connect(banner_, &Banner::actionTriggered, this, &ClusterPage::act);
    connect(banner_, &Banner::closed, this, [this] { question_ = {}; });
    connect(&nodes_, &NodeList::listChanged, this, &ClusterPage::showAll);
    connect(&nodes_, &NodeList::entryChanged, this, [this](std::size_t index) {
        if (selected() == index) {
            showSelected();
        }
        answered_.start();
    });
    // Hundreds of nodes answer at about the same time: the table is fitted once for all of them.
    answered_.setSingleShot(true);
    answered_.setInterval(answerMilliseconds);
    connect(&answered_, &QTimer::timeout, this, [this] {
        fitColumns();
        setSubtitle(summaryOf(nodes_));
    });
    showAll();
}

void ClusterPage::buildHeader() {
    QPushButton* import = makeButton(tr("Import"), QStringLiteral("import"));
    import->setProperty("menu", "true");
    auto* menu = new QMenu(import);
    menu->addAction(tr("Cluster &file …"), this, &ClusterPage::chooseCluster);
    menu->addAction(tr("&This machine alone"), this, [this] {
        replaceList(cluster::thisMachine(), tr("The list holds this machine alone now."));
    });
    import->setMenu(menu);
    addAction(import);
    QPushButton* add = makeButton(tr("Add node"), QStringLiteral("plus"));
    connect(add, &QPushButton::clicked, this, &ClusterPage::addNode);
    addAction(add);
    checkAll_ = makeButton(tr("Check all"), QStringLiteral("refresh"), "primary");
    checkAll_->setShortcut(QKeySequence(Qt::Key_F5));
    checkAll_->setToolTip(tr("Asks every node what it is and whether it is fit to run (F5)"));
    connect(checkAll_, &QPushButton::clicked, this, &ClusterPage::primaryAction);
    addAction(checkAll_);
}

QWidget* ClusterPage::buildNodes() {
    auto* panel = new Panel;
    QHBoxLayout* head = panel->addHeader(tr("Nodes"));
    filter_ = new QLineEdit;
    filter_->setProperty("size", "small");
    filter_->setPlaceholderText(tr("Filter nodes"));
    filter_->setAccessibleName(tr("Filter nodes"));
    filter_->setClearButtonEnabled(true);
    filter_->setFixedWidth(filterWidth);
    head->insertWidget(1, filter_);
    lastCheck_ = makeLabel({}, "secondary");
    head->addWidget(lastCheck_);
    QPushButton* copy = makeSmallButton(tr("Copy table"), QStringLiteral("copy"));
    connect(copy, &QPushButton::clicked, this, &ClusterPage::copyTable);
    head->addWidget(copy);
    model_ = new NodesModel(nodes_, this);
    shown_ = new QSortFilterProxyModel(this);
    shown_->setSourceModel(model_);
    shown_->setSortRole(NodesModel::rawRole);
    shown_->setFilterKeyColumn(-1);
    shown_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    connect(filter_, &QLineEdit::textChanged, shown_, &QSortFilterProxyModel::setFilterFixedString);
    table_ = new QTableView;
    table_->setObjectName(QStringLiteral("nodes"));
    table_->setProperty("kind", "rows");
    table_->setModel(shown_);
    setUpRowTable(table_, tr("Nodes"), rowHeight);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);  // as the file has them
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &ClusterPage::showSelected);
    auto* find = new QShortcut(QKeySequence::Find, this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, filter_, [this] { filter_->setFocus(Qt::ShortcutFocusReason); });
    panel->body()->addWidget(table_);
    return panel;
}

QWidget* ClusterPage::buildChecks() {
    checksPanel_ = new Panel;
    QHBoxLayout* head = checksPanel_->addHeader(tr("Preflight checks"));
    counts_ = new QHBoxLayout;
    counts_->setSpacing(6);
    head->insertLayout(1, counts_);
    checkOne_ = makeSmallButton({}, QStringLiteral("refresh"));
    connect(checkOne_, &QPushButton::clicked, this, [this] {
        if (const auto index = selected()) {
            nodes_.check(*index);
        }
    });
    head->addWidget(checkOne_);
    checks_ = new CheckList;
    checksPanel_->body()->addWidget(makeScrolled(checks_, ScrollBars::VerticalOnly), 1);
    return checksPanel_;
}

void ClusterPage::primaryAction() {
    nodes_.checkAll();
}

std::optional<std::size_t> ClusterPage::selected() const {
    const QModelIndex current = shown_->mapToSource(table_->currentIndex());
    const bool valid = current.isValid() && static_cast<std::size_t>(current.row()) < nodes_.entries().size();
    return valid ? std::optional(static_cast<std::size_t>(current.row())) : std::nullopt;
}

void ClusterPage::select(std::size_t index) {
    table_->setCurrentIndex(shown_->mapFromSource(model_->index(static_cast<int>(index), 0)));
}

void ClusterPage::showAll() {
    const auto rows = std::clamp(static_cast<int>(nodes_.entries().size()), rowsShown, rowsBefore);
    table_->setFixedHeight(scaled(rowHeight) * rows + scaled(headerHeight) + 2);
    setSubtitle(summaryOf(nodes_));
    if (!selected() && !nodes_.entries().empty()) {
        select(0);
    }
    fitColumns();
    showSelected();
    askForList();
}

// What a probe finds may be wider than what stood there; columns never get narrower under the pointer.
void ClusterPage::fitColumns() {
    for (int column = 0; column < NodesModel::LastCheck; ++column) {
        const int before = table_->columnWidth(column);
        table_->resizeColumnToContents(column);
        table_->setColumnWidth(column, std::max(before, table_->columnWidth(column) + columnGap));
    }
}

void ClusterPage::showSelected() {
    const auto index = selected();
    checkOne_->setVisible(index.has_value());
    details_->setEnabled(index.has_value());
    if (!index) {
        checks_->setWord(tr("No node is chosen"), tr("The filter leaves none, or none is selected."));
        return;
    }
    keepTyped(nodes_.entries()[*index].node);
    const NodeEntry& entry = nodes_.entries()[*index];
    details_->showNode(entry, nodes_.entries().size() > 1);
    checkOne_->setText(tr("Check %1").arg(QString::fromStdString(entry.node.name)));
    checkOne_->setEnabled(entry.state != NodeState::Checking);
    lastCheck_->setText(entry.asked.isValid()
                            ? tr("Last check %1").arg(entry.asked.toString(QStringLiteral("HH:mm:ss")))
                            : QString());
    showChecks(entry);
}

void ClusterPage::showChecks(const NodeEntry& entry) {
    emptyLayout(counts_);
    const auto addCount = [this](int count, const QString& text, const char* state) {
        if (count > 0) {
            QLabel* tag = makeLabel(text.arg(count), "statetag");
            setState(tag, state);
            tag->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
            counts_->addWidget(tag);
        }
    };
    addCount(entry.count(cluster::Verdict::Failed), tr("%1 failed"), "fail");
    addCount(entry.count(cluster::Verdict::Warning), tr("%1 to look at"), "warn");
    addCount(entry.count(cluster::Verdict::Passed), tr("%1 passed"), "ok");
    if (entry.state == NodeState::NotReached) {
        const cluster::Check check{"Node",
                                   cluster::Verdict::Failed,
                                   "not reached",
                                   entry.error.what,
                                   entry.error.where,
                                   entry.error.remedy,
                                   {}};
        checks_->setChecks({check});
    } else if (entry.checks.empty()) {
        checks_->setWord(entry.state == NodeState::Checking ? tr("Checking …") : tr("Not checked yet"),
                         tr("A check asks the node a few questions and changes nothing on it."));
    } else {
        checks_->setChecks(entry.checks);
    }
}

void ClusterPage::addNode() {
    cluster::Node node;
    node.name = nodes_.freeName();
    node.local = true;
    node.workDir = "~/dlperf-" + node.name;  // nodes that are one machine each need their own
    if (!tell(nodes_.add(node))) {
        return;
    }
    forgetUndo();
    filter_->clear();
    select(nodes_.entries().size() - 1);
    details_->showTab(NodeDetails::Settings);
    details_->form().editName();
}

void ClusterPage::saveNode(const cluster::Node& node) {
    const auto index = selected();
    if (!index) {
        return;
    }
    const auto saved = nodes_.replace(*index, node);
    details_->form().showProblem(saved ? nullptr : &saved.error());
    if (saved) {
        forgetUndo();
        select(*index);
    }
}

// Another node is chosen while this one's settings are not saved: what was typed is kept, or said.
void ClusterPage::keepTyped(const cluster::Node& next) {
    const auto typed = details_->form().unsaved();
    if (!typed || typed->name == next.name) {
        return;
    }
    const auto& entries = nodes_.entries();
    const auto entry =
        std::ranges::find_if(entries, [&](const NodeEntry& one) { return one.node.name == typed->name; });
    if (entry == entries.end()) {
        return;
    }
    const auto index = static_cast<std::size_t>(entry - entries.begin());
    details_->form().forgetTyped();
    tell(typed->node ? nodes_.replace(index, *typed->node) : Result<void>(Failure(typed->node.error())));
}

bool ClusterPage::tell(const Result<void>& done) {
    if (!done) {
        question_ = {};
        banner_->setClosable(true);
        banner_->showError(done.error());
    }
    return done.has_value();
}

// What is changed now is not taken back by an undo of what came before.
void ClusterPage::forgetUndo() {
    if (question_.kind == Question::Undo) {
        question_ = {};
        banner_->hide();
    }
}

void ClusterPage::replaceList(const cluster::Cluster& cluster, const QString& what) {
    if (!nodes_.isRead()) {
        return;
    }
    question_ = {Question::Undo, nodes_.written(), {}};
    nodes_.use(cluster);
    select(0);
    banner_->setClosable(true);
    banner_->showMessage("info", what, tr("The runs and folders of other nodes stay."), {}, tr("Undo"));
}

void ClusterPage::removeNode() {
    const auto index = selected();
    if (!index || nodes_.entries().size() < 2) {
        return;
    }
    cluster::Cluster next = nodes_.written();
    const QString name = QString::fromStdString(next.nodes[*index].name);
    next.nodes.erase(next.nodes.begin() + static_cast<std::ptrdiff_t>(*index));
    details_->form().forgetTyped();
    replaceList(next, tr("%1 was removed from the list.").arg(name));
    select(std::min(*index, nodes_.entries().size() - 1));
}

void ClusterPage::chooseCluster() {
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Open a cluster"), {}, tr("Clusters (*.json);;All files (*)"));
    if (!file.isEmpty()) {
        openCluster(file.toStdString());
    }
}

void ClusterPage::openCluster(const std::filesystem::path& file) {
    session_.background().ask(
        this,
        [file]() -> Result<Offer> {
            auto bytes = readFile(file);
            if (!bytes) {
                return Failure(bytes.error());
            }
            const auto json = parseJson(*bytes, file.string());
            if (!json) {
                return Failure(json.error());
            }
            auto cluster = cluster::clusterFromJson(*json, file.string());
            if (!cluster) {
                return Failure(cluster.error());
            }
            return Offer{*std::move(cluster), *std::move(bytes)};
        },
        [this](const Result<Offer>& offer) { takeOffer(offer); });
}

void ClusterPage::takeOffer(const Result<Offer>& offer) {
    banner_->setClosable(true);
    if (!offer) {
        question_ = {};
        banner_->showError(offer.error());
        return;
    }
    question_ = {Question::Use, offer->cluster, offer->bytes};
    if (isTrusted(offer->bytes) && nodes_.isRead()) {
        act();
        return;
    }
    banner_->showMessage(
        "warn", tr("The list \"%1\" comes from outside.").arg(QString::fromStdString(offer->cluster.name)),
        commandsOf(offer->cluster), {}, tr("Use these nodes"));
}

// A workspace from elsewhere brings its list: nothing of it runs before somebody has looked.
void ClusterPage::askForList() {
    if (nodes_.isRead() && !nodes_.isAccepted()) {
        question_ = {Question::Accept, {}, {}};
        banner_->setClosable(false);
        banner_->showMessage("warn", tr("The node list of this workspace runs commands of its own."),
                             commandsOf(nodes_.written()), {}, tr("Use these nodes"));
    }
}

// The banner's button.
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
        case Question::Undo:
            nodes_.use(question.cluster);
            select(0);
            break;
        case Question::None:
            break;
    }
}

void ClusterPage::copyTable() {
    std::vector<int> columns(NodesModel::ColumnCount);
    std::iota(columns.begin(), columns.end(), 0);
    std::vector<int> rows(static_cast<std::size_t>(shown_->rowCount()));
    std::iota(rows.begin(), rows.end(), 0);
    const report::Table table = shownTable(*shown_, columns, rows, noNumbers);
    QGuiApplication::clipboard()->setText(QString::fromStdString(report::toMarkdown(table)));
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
    return tr("%1, %2 nodes with %3 devices")
        .arg(QString::fromStdString(nodes.name()))
        .arg(entries.size())
        .arg(numberLocale().toString(devices));
}

void ClusterPage::enter() {
    table_->setFocus(Qt::OtherFocusReason);
}

}  // namespace dlperf::ui
