// SPDX-License-Identifier: Apache-2.0
// What can be done with a run: its menu, the Delete key, and how each is taken back.
#pragma once

#include <QObject>
#include <QTimer>
#include <QWidget>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/model/case.h"
#include "core/model/vocabulary.h"
#include "core/run/status.h"
#include "core/store/notes.h"
#include "core/store/ranges.h"

class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;

namespace dlperf::ui {

class Session;

// Changing the measurement range of runs, and undoing it: the same on Compare and Runs.
class MeasurementRangeActions final : public QObject {
    Q_OBJECT

public:
    MeasurementRangeActions(Session& session, QWidget* page);

    // What can be done with these runs; of none it is disabled.
    void addTo(QMenu& menu, const std::vector<RunResult>& runs);
    // Asks for a range; without runs it says why there is none to change.
    void change(const std::vector<RunResult>& runs);

signals:
    // `undo` needs the session alone, and may outlast the page.
    void done(const QString& what, const QString& why, const std::function<void()>& undo);

private:
    void restore(const std::vector<RunResult>& runs);
    void make(const store::RangeChanges& changes, const std::vector<RunResult>& runs);

    Session& session_;
    QWidget* page_;
};

class RunActions final : public QObject {
    Q_OBJECT

public:
    RunActions(Session& session, MeasurementRangeActions& ranges, QObject* parent = nullptr);
    ~RunActions() override;

    // Of the shown run; `removed` is what Delete acts on.
    [[nodiscard]] QMenu* makeMenu(const run::RunState& run, const std::vector<run::RunState>& removed,
                                  QWidget* parent);

    // Delete: skips queued runs and excludes figures; the current run is cancelled where it is the only one.
    void remove(const std::vector<run::RunState>& runs);
    void cancel(const run::RunState& run);
    // Asks the runner to cancel all runs in 5 seconds, or when the window closes; until then it can be
    // undone.
    void cancelAll();
    // In place of another window's, which goes: what it is about to cancel can be undone here, for as long as
    // ever.
    void takeOver(RunActions& other);
    [[nodiscard]] bool isCancellingAll() const { return cancelTimer_.isActive(); }
    void setExcluded(const run::RunState& run, bool excluded);
    void runAgain(const run::RunState& run);
    void retry(const run::Campaign& campaign);
    static void openFolder(const run::RunState& run);

    [[nodiscard]] bool mayStart() const;
    [[nodiscard]] static bool hasFigure(const run::RunState& run);

signals:
    // To be said where the user is; `undo` may be empty.
    void done(const QString& what, const QString& why, const std::function<void()>& undo);
    // The same of what can be undone for this long.
    void pending(const QString& what, const QString& why, const std::function<void()>& undo,
                 std::chrono::milliseconds time);
    // The same of what goes on until `isOver`, which a new status may change.
    void begun(const QString& what, const QString& why, const std::function<bool()>& isOver);
    void cancelAllChanged();
    void noteRequested(const std::string& runId);
    void reasonRequested(const std::string& runId);
    void versionsRequested(const std::string& runId);
    void cancelAsked(const std::string& runId);  // of a run that is under way
    // Both campaigns, by id.
    void beforeAfterRequested(const std::string& before, const std::string& after);

private:
    void fillMenu(QMenu* menu, const run::RunState& run, const QKeySequence& removal);
    void removeOne(const run::RunState& run);
    void removeSeveral(const std::vector<run::RunState>& runs);
    using Notes = std::map<std::string, store::RunNote>;  // by run
    struct Removed {
        Notes excluded{};  // with their notes of before
        std::vector<std::string> skipped{};
        bool someAlready = false;
        bool isCurrentLeft = false;
    };
    void sayRemoved(const Removed& removed);
    void exclude(const std::vector<std::string>& runIds, bool excluded);
    void undoExclusion(const Notes& before);
    void cancelLater(const std::string& campaign);
    void requestCancelAll();

    Session& session_;
    MeasurementRangeActions& ranges_;
    QTimer cancelTimer_;
    std::string cancelled_;  // the campaign that cancelAll() was called for
};

// Asks for another name of a campaign; an empty one gives it back its time and plan.
void askForCampaignName(Session& session, const std::string& id, QWidget* parent);

// How long a campaign may still take by the runs of each case that ended; nothing before the first.
[[nodiscard]] std::optional<std::chrono::seconds> timeLeft(const run::Campaign& campaign, TimePoint time);

// The head of Runs: progress, time left, and what can be asked of the runner now.
class CampaignBar final : public QWidget {
    Q_OBJECT

public:
    CampaignBar(Session& session, RunActions& actions, QWidget* parent = nullptr);

    // open: the campaign that is not finished; null: there is none.
    void showCampaign(const run::Campaign* open);
    void showProgress(int finished, int all);
    void togglePause();

signals:
    void comparisonRequested();

private:
    Session& session_;
    RunActions& actions_;
    QLabel* left_;  // how long it may take
    QProgressBar* progress_;
    QPushButton* retry_;
    QPushButton* pause_;
    QPushButton* cancelAll_;
    QPushButton* compare_;
    std::optional<bool> pauseAsked_;  // until the runner follows
};

}  // namespace dlperf::ui
