// SPDX-License-Identifier: Apache-2.0
// One open workspace: results, runs and published figures, read on a thread of its own.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "core/analysis/format_book.h"
#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/diagnosis/rules.h"
#include "core/model/case.h"
#include "core/model/vocabulary.h"
#include "core/report/series_colours.h"
#include "core/run/status.h"
#include "core/run/trash.h"
#include "core/store/notes.h"
#include "core/store/ranges.h"
#include "core/store/results.h"
#include "core/store/workspace.h"
#include "ui/session/background.h"
#include "ui/session/measurement.h"

namespace dlperf::remote {
class CredentialCache;
}

namespace dlperf::ui {

class LogImports;
class NodeList;
class Readiness;
class UserQuestions;

class Session final : public QObject {
    Q_OBJECT

public:
    // Reads the vocabulary and makes the workspace's folder; everything else is read by start().
    [[nodiscard]] static Result<std::unique_ptr<Session>> open(const std::filesystem::path& root);
    ~Session() override;

    void start();

    const store::Workspace& workspace() const { return workspace_; }
    const Vocabulary& vocabulary() const { return vocabulary_; }
    // That results may be measured by: those of the workspace with the results, and the built-in ones.
    const analysis::FormatBook& formats() const { return formats_; }
    // For diagnosing logs; none where their file is wrong, which problemFound() said.
    const diagnosis::Rules& rules() const { return rules_; }
    const std::filesystem::path& resources() const { return resources_; }
    // Where the settings of this user keep what belongs to the workspace.
    [[nodiscard]] QString settingsGroup() const;
    Background& background() { return *background_; }
    // Imports one after the other, while results and runs are read.
    Background& importBackground() { return *importBackground_; }

    NodeList& nodes() { return *nodes_; }
    Readiness& readiness() { return *readiness_; }
    UserQuestions& questions() { return *questions_; }
    Measurement& measurement() { return *measurement_; }
    LogImports& logImports() { return *logImports_; }
    // What the user has answered to logins, for all that reaches nodes.
    const std::shared_ptr<remote::CredentialCache>& credentials() const { return credentials_; }

    // Own ones first, then the published. A newer list does not change one that somebody holds.
    using Results = std::shared_ptr<const std::vector<RunResult>>;
    const Results& results() const { return joined_.results; }
    // How the series of these results look.
    const report::SeriesLooks& looks() const { return *joined_.looks; }
    std::span<const RunResult> own() const { return std::span(*joined_.results).first(joined_.ownCount); }
    const std::vector<run::Campaign>& campaigns() const { return *campaigns_; }
    // What was imported, as runs that have ended: a campaign for each import.
    const std::vector<run::Campaign>& imports() const { return *joined_.imports; }
    // The same for who keeps them.
    using Campaigns = std::shared_ptr<const std::vector<run::Campaign>>;
    using Looks = std::shared_ptr<const report::SeriesLooks>;
    const Campaigns& sharedCampaigns() const { return campaigns_; }
    const Campaigns& sharedImports() const { return joined_.imports; }
    const Looks& sharedLooks() const { return joined_.looks; }
    void reload() { readResults(); }
    [[nodiscard]] bool isLoaded() const { return ownRead_ && publishedRead_; }

    [[nodiscard]] const run::Campaign* openCampaign() const;
    [[nodiscard]] const run::RunState* activeRun() const;

    // `dlperf run` and `dlperf resume` as processes of their own; runnerRefused() may follow.
    [[nodiscard]] Result<void> startPlan(const std::filesystem::path& plan,
                                         const std::filesystem::path& cluster = {});
    void resume();
    // Runs without a figure once more, in their campaign; or runnerRefused() follows.
    void retry(const std::string& campaignId, const std::set<std::string>& runIds);
    // A run's case once more, as a campaign of its own; or runnerRefused() follows.
    void repeat(const run::Campaign& campaign, const std::string& runId);
    [[nodiscard]] bool isStarting() const { return !starts_.empty(); }
    // `dlperf bench` on the nodes of the list, while the window is there. `folder`: see Measurement::Wanted.
    [[nodiscard]] Result<void> measure(Measurement::Kind kind, const QString& folder = {});
    void request(run::Request request, const std::string& runId = {});
    // Of many runs, by their ids, at once.
    void requestOfMany(run::Request request, const std::vector<std::string>& runIds);
    // A queued run that the runner will skip.
    [[nodiscard]] bool isSkipped(const run::RunState& run) const;
    // It was asked to be cancelled, and the runner has not ended it yet.
    [[nodiscard]] bool isBeingCancelled(const run::RunState& run) const;

    // The user's note on a run. Written in the background; the results follow.
    [[nodiscard]] store::RunNote note(const std::string& runId) const;
    void setNote(const std::string& runId, const store::RunNote& note);
    // Of many runs, by their ids, at once.
    void setNotes(const std::map<std::string, store::RunNote>& notes);
    // What campaigns are called, by id: as the user named them (a note of their id's), else by time and plan.
    [[nodiscard]] std::map<std::string, std::string> campaignNames() const;
    void nameCampaign(const std::string& id, const std::string& name);
    // All of the trash is done in the background; results and runs follow. What is given is called once it is
    // done; else problemFound() says why not.
    using DeletionDone = std::function<void(const run::Deletion&)>;
    void moveToTrash(const run::Unwanted& unwanted, const DeletionDone& onMoved);
    void putBack(const std::string& deletion, const DeletionDone& onBack,
                 const std::function<void(const Error&)>& onRefused);
    void readTrash(const std::function<void(const run::Trash&)>& onRead);
    void emptyTrash(const std::function<void()>& onEmpty);
    // Measurement ranges that the user changes, or takes back. Written in the background; results and runs
    // follow. `onWritten` is called once the changes are on the disk; else problemFound() says why not.
    void changeRanges(const store::RangeChanges& changes, const std::function<void()>& onWritten = {});
    // The own results of the run's case in its series that may get another measurement range.
    [[nodiscard]] std::vector<RunResult> repetitionsOf(const std::string& runId) const;
    // Of the campaign, and of those that it completes or that complete it.
    [[nodiscard]] std::vector<RunResult> resultsOf(const std::string& campaign) const;

signals:
    void resultsChanged();
    void notesChanged();
    // Measurement ranges were changed, or a change was taken back: it stands on the disk.
    void rangesChanged();
    void statusChanged();
    void runnerStarted();
    void problemFound(const dlperf::Error& error);
    // A runner that was started here ended at once: what did not happen, and its message.
    void runnerRefused(const QString& what, const QString& message);

private:
    Session(store::Workspace workspace, Vocabulary vocabulary, std::filesystem::path resources);
    void readResults();
    // Own results and published ones, and what is made of them: of 10,000 on the background's thread.
    struct Joined {
        std::size_t ownCount = 0;
        Results results = std::make_shared<const std::vector<RunResult>>();
        Campaigns imports = std::make_shared<const std::vector<run::Campaign>>();
        Looks looks = std::make_shared<const report::SeriesLooks>();
    };
    [[nodiscard]] static Joined join(std::vector<RunResult> own, const std::vector<RunResult>& published,
                                     const std::filesystem::path& root, const Vocabulary& vocabulary);
    void emitResults();
    void readPublished();
    void readStatus();
    void tellIfGone(bool gone);
    [[nodiscard]] static bool isGone(const store::Workspace& workspace);
    void readAll();
    void takeDeletion(const Result<run::Deletion>& deletion, const DeletionDone& onDone);
    [[nodiscard]] Error goneError() const;
    void takeStatus(std::vector<run::Campaign> campaigns);
    void forgetReadSkips();
    void report(const Error& error) { emit problemFound(error); }
    void reportOnce(const Error& error);
    // The program beside this one; an error where it, or the workspace, is gone.
    [[nodiscard]] Result<QString> runnerProgram() const;
    [[nodiscard]] Result<void> startRunner(QStringList arguments, const QString& refusal);
    void startOrRefuse(const QStringList& arguments, const QString& refusal);
    void pollStarts();

    store::Workspace workspace_;
    Vocabulary vocabulary_;
    analysis::FormatBook formats_;
    diagnosis::Rules rules_;
    std::optional<Error> badRules_;
    std::filesystem::path resources_;
    std::shared_ptr<std::vector<RunResult>> published_;  // used on the background's thread only
    Joined joined_;
    std::map<std::string, store::RunNote> notes_;      // by file name
    int notesOnTheWay_ = 0;                            // what is read meanwhile is older than what is shown
    std::map<std::string, bool> skipAsked_;            // by run id, until the runner has read it
    std::shared_ptr<run::StatusReader> statusReader_;  // used on the background's thread only
    std::set<std::string> reported_;
    Campaigns campaigns_ = std::make_shared<const std::vector<run::Campaign>>();
    std::map<std::string, std::string> usualNames_;  // of these campaigns, by id
    bool ownRead_ = false;
    bool publishedRead_ = false;
    bool statusPending_ = false;
    struct StatusSource;
    std::shared_ptr<const StatusSource> statusSource_;  // of what was announced last; null: nothing was
    bool gone_ = false;                                 // the workspace's folder
    std::optional<std::filesystem::file_time_type> logsChanged_;  // none: nobody has looked yet
    std::size_t finishedRuns_ = 0;
    // A runner that is being started. It outlives the window: message and exit code stand in files.
    struct Start {
        std::filesystem::path code;
        qint64 id = 0;       // of its process
        Descriptor process;  // readable once that has ended
        QString refusal;     // the message if it does not start
    };
    [[nodiscard]] bool takeEnd(const Start& start);
    std::vector<Start> starts_;
    QTimer timer_;
    QTimer startTimer_;
    // Last: their threads end before what their tasks use.
    std::unique_ptr<Background> background_;
    std::unique_ptr<Background> importBackground_;
    // Asks many nodes at once what they are: one that takes its time holds up no other, and no figures.
    std::unique_ptr<Background> machineBackground_;
    std::unique_ptr<UserQuestions> questions_;
    std::shared_ptr<remote::CredentialCache> credentials_;
    std::unique_ptr<NodeList> nodes_;
    std::unique_ptr<Readiness> readiness_;
    std::unique_ptr<Measurement> measurement_;
    std::unique_ptr<LogImports> logImports_;
};

}  // namespace dlperf::ui
