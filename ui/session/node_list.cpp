// SPDX-License-Identifier: Apache-2.0
#include "ui/session/node_list.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QSettings>
#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/cluster/host_lists.h"
#include "core/remote/credentials.h"
#include "core/remote/held_nodes.h"
#include "core/remote/preflight.h"
#include "ui/session/background.h"
#include "ui/session/either_stop.h"

namespace dlperf::ui {
namespace {

bool isSame(const cluster::Node& a, const cluster::Node& b) {
    return toJson(cluster::Cluster{{}, {a}}) == toJson(cluster::Cluster{{}, {b}});
}

// Whether jobs that ask for the one get nodes as those that ask for the other.
bool givesSameNodes(const std::optional<cluster::Slurm>& a, const std::optional<cluster::Slurm>& b) {
    if (!a || !b) {
        return !a && !b;
    }
    return a->partition == b->partition && a->constraint == b->constraint && a->gres == b->gres &&
           cluster::hostText(*a->login) == cluster::hostText(*b->login);
}

bool hasAnswered(const NodeEntry& entry) {
    return entry.state == NodeState::Checked || entry.state == NodeState::NotReached;
}

// As a check found it that was not cut short.
NodeState stateBefore(const NodeEntry& entry) {
    return entry.facts ? NodeState::Checked : NodeState::NotChecked;
}

QString keyOf(const std::string& bytes) {
    const QByteArray hash =
        QCryptographicHash::hash(QByteArray::fromStdString(bytes), QCryptographicHash::Sha256).toHex();
    return QStringLiteral("trusted-plans/") + QString::fromLatin1(hash);
}

constexpr int tellMilliseconds = 200;
constexpr int mostShown = 400;           // characters of a command in the question
constexpr std::size_t mostCommands = 4;  // in it

struct Words {
    Q_DECLARE_TR_FUNCTIONS(dlperf::ui::ListOffer)
};

// Variables that are set before our own scripts can run anything: PATH, BASH_ENV, LD_PRELOAD, PYTHONPATH, a
// plug-in of NCCL, a tool of OpenMP. These name devices and networks or count threads, and name no file.
// One that ends with _ stands for all that begin so.
constexpr std::array<std::string_view, 9> harmlessVariables{
    "CUDA_DEVICE_ORDER", "CUDA_VISIBLE_DEVICES", "GLOO_SOCKET_IFNAME", "NCCL_DEBUG",   "NCCL_IB_",
    "NCCL_P2P_",         "NCCL_SOCKET_",         "OMP_NUM_THREADS",    "OMP_PROC_BIND"};

bool isHarmless(std::string_view variable) {
    return std::ranges::any_of(harmlessVariables, [&](std::string_view known) {
        return known.ends_with('_') ? variable.starts_with(known) : variable == known;
    });
}

bool setsVariables(const cluster::Node& node) {
    return std::ranges::any_of(node.env, [](const auto& variable) { return !isHarmless(variable.first); });
}

bool hasCommands(const cluster::Node& node) {
    return !node.setup.empty() || node.inContainer() || setsVariables(node);
}

QString commandOf(const cluster::Node& node) {
    constexpr std::size_t otherParts = 4;
    std::vector<std::string> parts;
    parts.reserve(node.env.size() + otherParts);
    for (const auto& [name, value] : node.env) {
        if (!isHarmless(name)) {
            parts.push_back(std::string(name).append("=").append(value));
        }
    }
    for (const std::string& part :
         {join(node.container, " "), node.image, join(node.imageOptions, " "), node.setup}) {
        if (!part.empty()) {
            parts.push_back(part);
        }
    }
    return QString::fromStdString(join(parts, "\n"));
}

QString shortened(const QString& command) {
    return command.size() <= mostShown ? command
                                       : command.left(mostShown) + QLatin1Char('\n') +
                                             Words::tr("(cut: %1 characters in all)").arg(command.size());
}

// What nodes run that are alike stands there once, below the first of them.
QString shownCommands(const cluster::Cluster& cluster) {
    QString text;
    std::set<QString> shown;
    for (const cluster::Node& node : cluster.nodes) {
        const QString command = hasCommands(node) ? commandOf(node) : QString();
        if (command.isEmpty() || !shown.insert(command).second || shown.size() > mostCommands) {
            continue;
        }
        text += QStringLiteral("\n%1:\n%2").arg(QString::fromStdString(node.name), shortened(command));
    }
    if (shown.size() > mostCommands) {
        text += QLatin1Char('\n') +
                Words::tr("%1 more stand in the list's file.").arg(shown.size() - mostCommands);
    }
    return text.isEmpty() ? text : text + QLatin1Char('\n');
}

}  // namespace

Result<ListOffer> readListOffer(const std::filesystem::path& file) {
    auto bytes = TRY(readFile(file));
    const auto json = TRY(parseJson(bytes, file.string()));
    auto cluster = TRY(cluster::clusterFromJson(json, file.string()));
    return ListOffer{std::move(cluster), std::move(bytes)};
}

namespace {

Result<ListOffer> offerOf(Result<cluster::Cluster> cluster) {
    auto list = TRY(std::move(cluster));
    std::string bytes = toJson(list).dump();
    return ListOffer{std::move(list), std::move(bytes)};
}

}  // namespace

Result<ListOffer> offerOfHostfile(const std::filesystem::path& file) {
    const auto text = readFile(file);
    return text ? offerOf(cluster::clusterFromHostfile(*text, file.string())) : Failure(text.error());
}

Result<ListOffer> offerOfSsh() {
    return offerOf(cluster::clusterFromSsh(expandHome("~/.ssh/config")));
}

bool runsCommands(const cluster::Cluster& cluster) {
    return std::ranges::any_of(cluster.nodes, hasCommands);
}

QString commandsOf(const cluster::Cluster& cluster) {
    const auto count = [&](const auto& holds) { return std::ranges::count_if(cluster.nodes, holds); };
    QString text = Words::tr("%1 nodes; %2 run a setup of their own, %3 a command to enter a container.")
                       .arg(cluster.nodes.size())
                       .arg(count([](const cluster::Node& node) { return !node.setup.empty(); }))
                       .arg(count([](const cluster::Node& node) { return node.inContainer(); }));
    if (const auto changed = count(setsVariables); changed > 0) {
        text += QLatin1Char(' ') + Words::tr("%1 set variables that decide what runs.").arg(changed);
    }
    text += shownCommands(cluster);
    if (const auto remote = count([](const cluster::Node& node) { return !node.local; }); remote > 0) {
        text += QLatin1Char(' ') + Words::tr("%1 are reached over SSH.").arg(remote);
    }
    return text;
}

bool isTrusted(const std::string& bytes) {
    return QSettings().value(keyOf(bytes)).toBool();
}

void trust(const std::string& bytes) {
    QSettings().setValue(keyOf(bytes), true);
}

int NodeEntry::count(cluster::Verdict verdict) const {
    return static_cast<int>(std::ranges::count(checks, verdict, &cluster::Check::verdict));
}

NodeList::NodeList(const std::filesystem::path& workspace, Background& files, Background& machine,
                   std::shared_ptr<remote::CredentialCache> credentials, QObject* parent)
    : QObject(parent),
      file_(workspace / "cluster.json"),
      files_(files),
      machine_(machine),
      credentials_(std::move(credentials)) {
    telling_.setInterval(tellMilliseconds);
    connect(&telling_, &QTimer::timeout, this, &NodeList::showWaiting);
    take(cluster::thisMachine());
}

// A new workspace has none: this machine alone.
Result<ListOffer> NodeList::readList(const std::filesystem::path& file) {
    std::error_code error;
    return std::filesystem::exists(file, error) ? readListOffer(file) : ListOffer{cluster::thisMachine(), {}};
}

void NodeList::start() {
    files_.ask(
        this, [file = file_] { return readList(file); },
        [this](const Result<ListOffer>& list) {
            read_ = true;
            if (list) {
                take(list->cluster);
                bytes_ = list->bytes;
                accepted_ = !runsCommands(list->cluster) || isTrusted(bytes_);
            } else {
                emit problemFound(list.error());
            }
            emit listChanged();
            checkUnlessSlurm();
        });
}

void NodeList::accept() {
    trust(bytes_);
    accepted_ = true;
    emit listChanged();
    checkUnlessSlurm();
}

void NodeList::checkUnlessSlurm() {
    if (!slurm_) {
        checkAll();
    }
}

bool NodeList::isChecked() const {
    if (slurm_) {
        return read_ && !telling_.isActive();
    }
    return read_ && (!accepted_ || (std::ranges::all_of(entries_, hasAnswered) && !isAskingBetween_));
}

void NodeList::take(const cluster::Cluster& cluster) {
    if (slurm_) {
        dropCheckInJob();
    }
    const bool mayBeKnown = givesSameNodes(slurm_, cluster.slurm);
    name_ = cluster.name;
    slurm_ = cluster.slurm;
    std::vector<NodeEntry> entries;
    for (const cluster::Node& node : cluster.nodes) {
        const auto known = std::ranges::find_if(
            entries_, [&](const NodeEntry& entry) { return mayBeKnown && isSame(entry.node, node); });
        entries.push_back(known != entries_.end() ? *known : NodeEntry{node, {}, {}, {}, {}, {}, {}});
        entries.back().node = node;  // its seat may be another one
    }
    entries_ = std::move(entries);
    between_.clear();
    ++round_;
    isAskingBetween_ = false;
}

// What the job would answer is of the list before. It ends soon, and another check may begin then.
void NodeList::dropCheckInJob() {
    checkStop_.request_stop();
    for (NodeEntry& entry : entries_) {
        if (entry.state == NodeState::Checking) {
            entry.state = stateBefore(entry);
        }
    }
}

cluster::Cluster NodeList::written() const {
    cluster::Cluster cluster{name_, {}, slurm_};
    for (const NodeEntry& entry : entries_) {
        cluster.nodes.push_back(entry.node);
    }
    return cluster;
}

cluster::Cluster NodeList::cluster() const {
    cluster::Cluster cluster = written();
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (entries_[i].facts) {
            cluster.nodes[i].devices = entries_[i].facts->devices(cluster.nodes[i]);
        }
    }
    return cluster;
}

void NodeList::checkAll() {
    if (slurm_) {
        checkInJob();
        return;
    }
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        check(i);
    }
}

void NodeList::check(std::size_t index) {
    if (slurm_) {
        checkInJob();
        return;
    }
    NodeEntry& entry = entries_.at(index);
    if (entry.state == NodeState::Checking || !accepted_) {
        return;
    }
    credentials_->forgetRefusals();
    entry.state = NodeState::Checking;
    emit entryChanged(index);
    machine_.ask(
        this,
        [node = entry.node, transports = remote::interactiveTransports(credentials_), last = lastChecks(),
         stop = machine_.stopToken()] { return remote::probeNode(node, last, stop, transports); },
        [this, node = entry.node](const Result<cluster::NodeFacts>& facts) { takeFacts(node, facts); });
}

// The list may have changed since the node was asked.
void NodeList::takeFacts(const cluster::Node& asked, const Result<cluster::NodeFacts>& facts) {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        NodeEntry& entry = entries_[i];
        if (!isSame(entry.node, asked)) {
            continue;
        }
        entry.asked = QDateTime::currentDateTime();
        if (facts) {
            entry.state = NodeState::Checked;
            entry.facts = *facts;
            entry.checks = checkNode(entry.node, *facts);
        } else {
            entry.state = NodeState::NotReached;
            entry.error = facts.error();
            entry.checks.clear();
        }
        emit entryChanged(i);
    }
    askBetween();
}

void NodeList::checkInJob() {
    if (telling_.isActive() || !accepted_) {
        return;
    }
    credentials_->forgetRefusals();
    checkStop_ = {};
    telling_.start();
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        entries_[i].state = NodeState::Checking;
        emit entryChanged(i);
    }
    machine_.ask(
        this,
        [cluster = written(), transports = remote::interactiveTransports(credentials_), told = told_,
         last = lastChecks(), stop = checkStop_.get_token(),
         ending = machine_.stopToken()]() -> Result<remote::Preflight> {
            const EitherStop either(stop, ending);
            const auto tell = [&](const std::string& words) {
                const std::scoped_lock lock(told->mutex);
                told->words = words;
            };
            const auto held = TRY(remote::holdNodes(cluster, transports, tell, either.token()));
            tell({});
            remote::PreflightQuestions questions;
            questions.lastChecks = last;
            return remote::preflight(held.cluster, questions, either.token(), held.transports);
        },
        [this, round = round_](const Result<remote::Preflight>& found) {
            telling_.stop();
            told_->words.clear();
            showWaiting();
            if (round == round_) {
                takeFound(found);
            }
        },
        [this] { telling_.stop(); });
}

void NodeList::showWaiting() {
    QString words;
    {
        const std::scoped_lock lock(told_->mutex);
        words = QString::fromStdString(told_->words);
    }
    if (words != waiting_) {
        waiting_ = words;
        emit waitingChanged();
    }
}

void NodeList::takeFound(const Result<remote::Preflight>& found) {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        NodeEntry& entry = entries_[i];
        if (!found || i >= found->nodes.size()) {  // what was known before still is
            entry.state = stateBefore(entry);
        } else {
            const remote::NodePreflight& node = found->nodes[i];
            entry.asked = QDateTime::currentDateTime();
            entry.jobHost = QString::fromStdString(node.answer.node.name);
            entry.state = node.answer.facts ? NodeState::Checked : NodeState::NotReached;
            entry.facts = node.answer.facts;
            entry.error = node.answer.error;
            entry.checks = node.checks;
        }
        emit entryChanged(i);
    }
    if (found) {
        between_ = found->between;
    } else if (!checkStop_.stop_requested()) {
        emit problemFound(found.error());
    }
    emit betweenChanged();
}

// Connects anew between nodes: each of them has logged in before, so no login asks the user.
void NodeList::askBetween() {
    if (entries_.size() < 2 || !std::ranges::all_of(entries_, hasAnswered)) {
        return;
    }
    std::vector<cluster::NodeAnswer> answers;
    for (const NodeEntry& entry : entries_) {
        answers.push_back(
            {entry.node, entry.state == NodeState::Checked ? entry.facts : std::nullopt, entry.error});
    }
    isAskingBetween_ = true;
    machine_.ask(
        this,
        [answers = std::move(answers), transports = remote::interactiveTransports(credentials_),
         stop = machine_.stopToken()] { return remote::checkBetween(answers, stop, transports); },
        [this, round = ++round_](const std::vector<cluster::Check>& checks) {
            if (round == round_) {
                between_ = checks;
                isAskingBetween_ = false;
                emit betweenChanged();
            }
        },
        [this] { isAskingBetween_ = false; });
}

void NodeList::use(const cluster::Cluster& cluster, bool accepted) {
    const cluster::Cluster before = written();
    accepted_ = accepted;
    take(cluster);
    save(before);
    showTaken();
}

void NodeList::showTaken() {
    emit listChanged();
    for (std::size_t i = 0; i < entries_.size() && !slurm_; ++i) {
        if (entries_[i].state == NodeState::NotChecked) {
            check(i);
        }
    }
}

// As if it had been read from a file: every rule of such a file holds for what is typed, too.
Result<void> NodeList::change(const cluster::Cluster& next) {
    if (!read_) {
        return fail("the node list is still being read", file_.string(), "Try again in a moment.",
                    ErrorKind::Transient);
    }
    const auto checked = TRY(cluster::clusterFromJson(toJson(next), "the node list"));
    use(checked, accepted_);
    return {};
}

Result<void> NodeList::replace(std::size_t index, const cluster::Node& node) {
    cluster::Cluster next = written();
    next.nodes.at(slurm_ ? 0 : index) = node;  // which stands for all that Slurm gives
    return change(next);
}

Result<void> NodeList::add(const cluster::Node& node) {
    cluster::Cluster next = written();
    next.nodes.push_back(node);
    return change(next);
}

std::string NodeList::freeName(const std::string& host) const {
    std::string base;
    for (const char c : host.substr(0, host.find('.'))) {  // an address keeps its first number only
        const bool fits =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
        base += fits ? c : '-';
    }
    base = base.empty() || (base[0] >= '0' && base[0] <= '9') || base[0] == '-' ? "node" + base : base;
    for (std::size_t number = 1;; ++number) {
        std::string name = number == 1 ? base : base + std::to_string(number);
        if (std::ranges::none_of(entries_, [&](const NodeEntry& entry) { return entry.node.name == name; })) {
            return name;
        }
    }
}

void NodeList::save(const cluster::Cluster& before) {
    bytes_ = toJson(written()).dump(2) + "\n";
    if (accepted_) {
        trust(bytes_);
    }
    ++onTheWay_;
    files_.write(
        this,
        [file = file_, from = unsavedSince_.value_or(before), after = written()] {
            return cluster::saveChange(file, from, after);
        },
        [this, before](const Result<cluster::SavedList>& saved) {
            --onTheWay_;
            if (saved) {
                unsavedSince_.reset();
                takeSaved(*saved);
            } else {
                unsavedSince_ = unsavedSince_.value_or(before);
                emit problemFound(saved.error());
            }
        },
        [this] { --onTheWay_; });
}

// What others have put into the list may be new to this user, as a list from outside is.
void NodeList::takeSaved(const cluster::SavedList& saved) {
    const bool isMerged = !saved.found.empty() && saved.aside.empty();
    accepted_ = accepted_ && (!isMerged || !runsCommands(saved.list) || isTrusted(saved.found));
    if (onTheWay_ == 0 && toJson(saved.list) != toJson(written())) {
        take(saved.list);
        bytes_ = toJson(saved.list).dump(2) + "\n";
        if (accepted_) {
            trust(bytes_);
        }
        showTaken();
    }
    if (!saved.found.empty()) {
        emit changedElsewhere(QString::fromStdString(saved.aside.string()));
    }
}

}  // namespace dlperf::ui
