// SPDX-License-Identifier: Apache-2.0
// The nodes of a workspace: W/cluster.json, without it this machine alone; what a probe found on each, and
// the checks. Files and nodes are asked on a thread of their own.
#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>
#include <QTimer>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/cluster/checks.h"
#include "core/cluster/cluster.h"
#include "core/cluster/list_file.h"
#include "core/cluster/slurm.h"

namespace dlperf::remote {
class CredentialCache;
struct Preflight;
}  // namespace dlperf::remote

namespace dlperf::ui {

class Background;

// A node list from a file, with what a question about it needs.
struct ListOffer {
    cluster::Cluster cluster;
    std::string bytes;  // of the file, as it was read: what trust() goes by
};

// Reads the file; not for the GUI thread.
[[nodiscard]] Result<ListOffer> readListOffer(const std::filesystem::path& file);

// The same for what is no list of ours: a host file of mpirun or horovodrun, the user's SSH configuration.
[[nodiscard]] Result<ListOffer> offerOfHostfile(const std::filesystem::path& file);
[[nodiscard]] Result<ListOffer> offerOfSsh();

// Whether using the list runs more than our own questions: by a setup, a container or a variable.
[[nodiscard]] bool runsCommands(const cluster::Cluster& cluster);

// What the list would run: for the question before its first use.
[[nodiscard]] QString commandsOf(const cluster::Cluster& cluster);

// Plans, clusters and recipes are code that runs on every node: what comes from outside is shown and asked
// about before its first use. What was read counts, not what the file says later.
[[nodiscard]] bool isTrusted(const std::string& bytes);
void trust(const std::string& bytes);

enum class NodeState { NotChecked, Checking, Checked, NotReached };

struct NodeEntry {
    cluster::Node node;
    QString jobHost;  // with Slurm: the host that stood for it when it was checked
    NodeState state = NodeState::NotChecked;
    std::optional<cluster::NodeFacts> facts;  // of the last probe that succeeded
    std::vector<cluster::Check> checks;
    Error error;  // why it was not reached
    QDateTime asked;

    [[nodiscard]] int count(cluster::Verdict verdict) const;
};

class NodeList final : public QObject {
    Q_OBJECT

public:
    // `files` reads and writes the list, `machine` asks the nodes with `answers` for their
    // logins, which may take its time.
    NodeList(const std::filesystem::path& workspace, Background& files, Background& machine,
             std::shared_ptr<remote::CredentialCache> credentials, QObject* parent = nullptr);

    // Reads the list and checks every node of it. A list that runs commands of its own (setup, container) and
    // was never used here is not asked anything before accept().
    void start();
    [[nodiscard]] bool isRead() const { return read_; }
    [[nodiscard]] bool isAccepted() const { return accepted_; }
    void accept();
    // True once every node was asked, each and together, or none may be before accept().
    [[nodiscard]] bool isChecked() const;

    [[nodiscard]] const std::vector<NodeEntry>& entries() const { return entries_; }
    [[nodiscard]] const std::string& name() const { return name_; }
    // What must fit together, once all of several nodes have answered; empty before.
    [[nodiscard]] const std::vector<cluster::Check>& between() const { return between_; }
    // As plans see it, with the number of devices that a probe found where a node does not say.
    [[nodiscard]] cluster::Cluster cluster() const;
    // As the file has it.
    [[nodiscard]] cluster::Cluster written() const;

    // Nothing where each node is reached by itself. With Slurm nodes are asked in a job of their own, all of
    // them, and only when the user wants it: it may wait for long.
    [[nodiscard]] const std::optional<cluster::Slurm>& slurm() const { return slurm_; }
    // What that job waits for, in Slurm's words.
    [[nodiscard]] const QString& waiting() const { return waiting_; }
    void cancelCheck() { checkStop_.request_stop(); }

    // Also asks the user again what he refused before.
    void check(std::size_t index);
    void checkAll();

    // Changes are written at once, into what the file says by then; before the list is read there is nothing
    // to change. A node whose name, place or setup changed is asked again. Call only once the list is read.
    // `accepted`: the user has agreed to all that the list runs. A change of one node says nothing of the
    // others: replace() and add() leave that as it is.
    void use(const cluster::Cluster& cluster, bool accepted = true);
    [[nodiscard]] Result<void> replace(std::size_t index, const cluster::Node& node);
    [[nodiscard]] Result<void> add(const cluster::Node& node);
    // A name that no node has, for one on the host: "box" for box.lab.org, "box2" where that is taken.
    [[nodiscard]] std::string freeName(const std::string& host) const;

signals:
    void listChanged();                    // other nodes, or in another order
    void entryChanged(std::size_t index);  // what is known of one
    void betweenChanged();
    void waitingChanged();
    void problemFound(const dlperf::Error& error);
    // Another window, or a person, had changed the file meanwhile. Both changes are kept; else `aside` says
    // where the list stands now as it was there.
    void changedElsewhere(const QString& aside);

private:
    [[nodiscard]] static Result<ListOffer> readList(const std::filesystem::path& file);
    void take(const cluster::Cluster& cluster);
    [[nodiscard]] Result<void> change(const cluster::Cluster& next);
    void takeFacts(const cluster::Node& asked, const Result<cluster::NodeFacts>& facts);
    void askBetween();
    [[nodiscard]] std::filesystem::path lastChecks() const { return file_.parent_path() / "checks"; }
    void checkUnlessSlurm();
    void checkInJob();
    void dropCheckInJob();
    void takeFound(const Result<remote::Preflight>& found);
    void showWaiting();
    void save(const cluster::Cluster& before);
    void takeSaved(const cluster::SavedList& saved);
    void showTaken();

    std::filesystem::path file_;
    Background& files_;
    Background& machine_;
    std::shared_ptr<remote::CredentialCache> credentials_;
    std::string name_;
    std::optional<cluster::Slurm> slurm_;
    // What the job of a check waits for: told on another thread, looked at by the timer.
    struct Told {
        std::mutex mutex;
        std::string words;
    };
    std::shared_ptr<Told> told_ = std::make_shared<Told>();
    QTimer telling_;
    QString waiting_;
    std::stop_source checkStop_;
    std::vector<NodeEntry> entries_;
    std::vector<cluster::Check> between_;
    unsigned round_ = 0;  // of asking between: what an earlier one found is stale
    bool isAskingBetween_ = false;
    bool read_ = false;
    bool accepted_ = true;
    std::string bytes_;                             // of the list as it was read
    int onTheWay_ = 0;                              // lists to the file
    std::optional<cluster::Cluster> unsavedSince_;  // the list before the first change that was refused
};

}  // namespace dlperf::ui
