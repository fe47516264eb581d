// SPDX-License-Identifier: Apache-2.0
// Runs: the queue, and of the selected run the live throughput and the log.
#pragma once

#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

#include "core/store/notes.h"
#include "ui/session/live_run.h"
#include "ui/shell/page.h"

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QListView;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace dlperf::ui {

class Banner;
class ChartView;
class LegendBar;
class LogPanel;
class Panel;
class QueueModel;
class RunActions;
class RunHeader;
class Session;

class RunsPage final : public Page {
    Q_OBJECT

public:
    explicit RunsPage(Session& session, QWidget* parent = nullptr);

    void enter() override;
    void cancelAll();
    // Lets no further run begin, or lets them begin again.
    void togglePause();
    [[nodiscard]] RunActions& actions() { return *actions_; }
    void select(const std::string& runId);
    [[nodiscard]] const std::optional<LiveUpdate>& live() const { return live_; }

signals:
    void launchRequested();
    void liveChanged();

private:
    void buildHeader();
    void buildStack();
    QWidget* buildQueue();
    void buildFilter(QHBoxLayout* row);
    void buildQueueKeys();
    QWidget* buildHeadOfRun();
    QWidget* buildChart();
    QWidget* buildRun();
    QWidget* buildEmpty();
    void takeStatus();
    void followSelection();
    void chooseByItself();
    void poll();
    void takeUpdate(LiveUpdate update);
    void showSelected();
    void showBanner(const run::RunStatus* selected);
    void showOpen(const run::CampaignStatus& open);
    void showActions(const run::CampaignStatus* open);
    void showMenu(const QPoint& where);
    void sayDone(const QString& what, const QString& why, const std::function<void()>& undo);
    void takeBack();
    void bannerAction();
    [[nodiscard]] const run::RunStatus* selected() const;

    Session& session_;
    QueueModel* model_;
    std::string selectedId_;
    bool selectedByUser_ = false;
    std::shared_ptr<LiveRun> following_;
    std::optional<LiveUpdate> live_;
    bool pollPending_ = false;
    bool settled_ = false;  // the run has ended and its logs are read to their end
    QTimer timer_;
    QStackedWidget* stack_;
    QListView* queue_;
    QLineEdit* filter_;
    RunHeader* header_;
    Banner* banner_;
    Panel* chartPanel_;
    LegendBar* legend_;
    ChartView* chart_;
    LogPanel* log_;
    QProgressBar* progress_;
    QLabel* left_;  // how long it may take
    QPushButton* retry_;
    QPushButton* pause_;
    QPushButton* cancelAll_;
    RunActions* actions_;
    Banner* said_;  // what was just done, with its undo
    std::function<void()> undo_;
    enum class Offer { Nothing, Resume, Continue, RunAgain };
    Offer offer_ = Offer::Nothing;    // of the banner's button
    std::optional<bool> pauseAsked_;  // until the runner has taken it up
};

}  // namespace dlperf::ui
