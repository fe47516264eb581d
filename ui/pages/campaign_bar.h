// SPDX-License-Identifier: Apache-2.0
// The head of Runs: the campaign's progress, the time left, and what its runner can be asked now; without a
// runner, what may be run again.
#pragma once

#include <QWidget>
#include <chrono>
#include <optional>

#include "core/run/status.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace dlperf::ui {

class RunActions;
class Session;

// How long a campaign may still take: each run to come as long as those of its case took, else as those of
// any case did. Nothing before the first run has ended.
[[nodiscard]] std::optional<std::chrono::seconds> timeLeft(const run::Campaign& campaign, TimePoint time);

class CampaignBar final : public QWidget {
    Q_OBJECT

public:
    CampaignBar(Session& session, RunActions& actions, QWidget* parent = nullptr);

    // open: the campaign that is not finished; null: there is none.
    void showCampaign(const run::Campaign* open);
    void showProgress(int finished, int all);
    // Starts no further run, or resumes.
    void togglePause();

private:
    Session& session_;
    RunActions& actions_;
    QLabel* left_;  // how long it may take
    QProgressBar* progress_;
    QPushButton* retry_;
    QPushButton* pause_;
    QPushButton* cancelAll_;
    std::optional<bool> pauseAsked_;  // until the runner follows
};

}  // namespace dlperf::ui
