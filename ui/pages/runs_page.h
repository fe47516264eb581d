// SPDX-License-Identifier: Apache-2.0
// Runs: the queue, and of the selected run the live throughput and the log.
#pragma once

#include <QTimer>
#include <memory>
#include <optional>

#include "ui/session/live_run.h"
#include "ui/shell/page.h"

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
class RunHeader;
class Session;

class RunsPage final : public Page {
    Q_OBJECT

public:
    explicit RunsPage(Session& session, QWidget* parent = nullptr);

    void enter() override;
    void cancelAll();
    void select(const std::string& runId);
    [[nodiscard]] const std::optional<LiveUpdate>& live() const { return live_; }

signals:
    void launchRequested();
    void liveChanged();

private:
    QWidget* buildQueue();
    QWidget* buildRun();
    QWidget* buildEmpty();
    void takeStatus();
    void followSelection();
    void chooseByItself();
    void poll();
    void takeUpdate(LiveUpdate update);
    void showSelected();
    void showBanner(const run::RunStatus* selected);
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
    QPushButton* cancelAll_;
    bool offersResume_ = false;
};

}  // namespace dlperf::ui
