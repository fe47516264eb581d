// SPDX-License-Identifier: Apache-2.0
// What stands at the head of Runs: how far the campaign is, how long it may take, and what can be asked of
// its runner now; when none is at work, what may be run again.
#pragma once

#include <QWidget>
#include <optional>

#include "core/run/status.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace dlperf::ui {

class RunActions;
class Session;

class CampaignBar final : public QWidget {
    Q_OBJECT

public:
    CampaignBar(Session& session, RunActions& actions, QWidget* parent = nullptr);

    // open: the campaign that is not finished; null: there is none.
    void showCampaign(const run::Campaign* open);
    void showProgress(int finished, int all);
    // Lets no further run begin, or lets them begin again.
    void togglePause();

private:
    Session& session_;
    RunActions& actions_;
    QLabel* left_;  // how long it may take
    QProgressBar* progress_;
    QPushButton* retry_;
    QPushButton* pause_;
    QPushButton* cancelAll_;
    std::optional<bool> pauseAsked_;  // until the runner has taken it up
};

}  // namespace dlperf::ui
