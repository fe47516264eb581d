// SPDX-License-Identifier: Apache-2.0
// What the window knows: one workspace, its results and runs, the published figures. Files are read on a
// thread of their own; what they said arrives by signals.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/base/error.h"
#include "core/model/case.h"
#include "core/model/vocabulary.h"
#include "core/run/status.h"
#include "core/store/workspace.h"
#include "ui/session/background.h"

namespace dlperf::ui {

class Session final : public QObject {
    Q_OBJECT

public:
    // Reads the vocabulary and makes the workspace's folder; everything else is read by start().
    [[nodiscard]] static Result<std::unique_ptr<Session>> open(const std::filesystem::path& root);
    ~Session() override = default;

    // Reads results and published figures, and looks at the runs twice a second from now on.
    void start();

    const store::Workspace& workspace() const { return workspace_; }
    const Vocabulary& vocabulary() const { return vocabulary_; }
    const std::filesystem::path& resources() const { return resources_; }
    Background& background() { return *background_; }

    const std::vector<RunResult>& own() const { return own_; }
    const std::vector<RunResult>& published() const { return published_; }
    const std::vector<run::CampaignStatus>& campaigns() const { return campaigns_; }
    [[nodiscard]] bool isLoaded() const { return ownRead_ && publishedRead_; }

    // The campaign that runs or stands unfinished, newest first; or nothing.
    [[nodiscard]] const run::CampaignStatus* openCampaign() const;
    // The run that a runner works on now.
    [[nodiscard]] const run::RunStatus* activeRun() const;

    // `dlperf run PLAN --workspace W --detach` and `dlperf resume`, as processes of their own.
    [[nodiscard]] Result<void> startPlan(const std::filesystem::path& plan);
    [[nodiscard]] Result<void> resume();
    void request(run::Request request, const std::string& runId = {});

signals:
    void resultsChanged();
    void statusChanged();
    void problemFound(const QString& what, const QString& where, const QString& remedy);
    // A runner that was started here ended at once; what it said.
    void runnerRefused(const QString& message);

private:
    Session(store::Workspace workspace, Vocabulary vocabulary, std::filesystem::path resources);
    void readResults();
    void readPublished();
    void readStatus();
    void takeStatus(std::vector<run::CampaignStatus> campaigns);
    void report(const Error& error);
    [[nodiscard]] Result<void> startRunner(const QStringList& arguments);

    store::Workspace workspace_;
    Vocabulary vocabulary_;
    std::filesystem::path resources_;
    std::vector<RunResult> own_;
    std::vector<RunResult> published_;
    std::shared_ptr<run::StatusReader> statusReader_;  // used on the background's thread only
    std::set<std::string> reportedStatus_;
    std::vector<run::CampaignStatus> campaigns_;
    bool ownRead_ = false;
    bool publishedRead_ = false;
    bool statusPending_ = false;
    std::size_t finishedRuns_ = 0;
    QTimer timer_;
    std::unique_ptr<Background> background_;  // last: its thread ends before what its tasks post to
};

}  // namespace dlperf::ui
