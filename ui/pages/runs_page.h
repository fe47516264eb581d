// SPDX-License-Identifier: Apache-2.0
// Runs: the queue, and of the selected run the live throughput and the log.
#pragma once

#include <QTimer>
#include <map>
#include <optional>

#include "ui/session/live_run.h"
#include "ui/widgets/page.h"

class QStackedWidget;

namespace dlperf::ui {

class Banner;
class CampaignBar;
class Deletions;
class LiveChartPanel;
class LogPanel;
class QueuePanel;
class RunActions;
class RunHeader;
class RunHints;
class Session;
class TelemetryPanel;
class UndoBanner;
class MeasurementRangeActions;

class RunsPage final : public Page {
    Q_OBJECT

public:
    explicit RunsPage(Session& session, QWidget* parent = nullptr);

    void enter() override;
    void cancelAll();
    void changeMeasurementRange();
    // Whether the shown run is excluded; nothing where it has no figure that could be.
    [[nodiscard]] std::optional<bool> isExcluded() const;
    void switchExcluded();
    [[nodiscard]] bool hasSelected() const { return selected() != nullptr; }
    void deleteSelected();
    [[nodiscard]] Deletions& deletions() { return *deletions_; }
    [[nodiscard]] RunActions& actions() { return *actions_; }
    void select(const std::string& runId);
    // Shows what another window's page shows, which goes, as it shows it; what can be undone there can be
    // here.
    void takeOver(const RunsPage& other);
    [[nodiscard]] const std::optional<LiveUpdate>& live() const { return live_; }

signals:
    void launchRequested();
    void comparisonRequested();
    // Of two campaigns, by id.
    void beforeAfterRequested(const std::string& before, const std::string& after);

private:
    void look(const std::string& runId);  // at another one than now
    void buildStack();
    QWidget* buildQueue(QWidget* parent);
    QWidget* buildHeadOfRun(QWidget* parent);
    QWidget* buildRun(QWidget* parent);
    QWidget* buildEmpty();
    void takeStatus();
    void followSelection();
    void chooseByItself();
    void stayOnCancelled(const std::string& runId);
    void poll();
    void tick();
    void takeUpdate(LiveUpdate update);
    void showSelected();
    [[nodiscard]] bool isWatched() const;
    void showBanner(const run::RunState* selected);
    void showHints();
    void openAtItsLine();
    void showOpen(const run::Campaign& open);
    void showPart(int part);
    void readHeadline();
    void showVersions(const std::string& runId);
    void connectDeletions();
    void bannerAction();
    [[nodiscard]] const run::RunState* runOf(const std::string& id) const;
    [[nodiscard]] std::vector<run::RunState> statesOf(const std::vector<std::string>& runs) const;
    [[nodiscard]] const run::RunState* selected() const { return runOf(selectedId_); }
    [[nodiscard]] bool isAtWorkOnIt() const;

    Session& session_;
    RunFollower* follower_;
    std::string selectedId_;
    std::string headline_;    // what this campaign found
    std::string headlineOf_;  // its id
    enum class Opened { Anywhere, AtLastError, AtHint };
    Opened opened_ = Opened::Anywhere;  // the selected run's log
    bool selectedByUser_ = false;
    std::string cancelledHere_;  // stays in sight when it has ended, until another one is looked at
    std::optional<LiveUpdate> live_;
    QTimer timer_;
    QTimer clock_;
    QStackedWidget* stack_;
    CampaignBar* bar_;
    QueuePanel* queue_;
    RunHeader* header_;
    Banner* banner_;
    RunHints* hints_;
    LiveChartPanel* chart_;
    TelemetryPanel* telemetry_;
    LogPanel* log_;
    RunActions* actions_;
    Deletions* deletions_;
    std::string awaited_;                           // was shown when it was deleted, and comes back
    std::map<std::string, std::string> shownThen_;  // the run, by the name of its deletion
    MeasurementRangeActions* ranges_;
    UndoBanner* said_;  // what was just done
    enum class Offer { Nothing, Resume, Continue, Retry };
    Offer offer_ = Offer::Nothing;  // of the banner's button
};

}  // namespace dlperf::ui
