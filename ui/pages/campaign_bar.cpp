// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/campaign_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <algorithm>
#include <map>

#include "core/run/retry.h"
#include "ui/pages/page_parts.h"
#include "ui/pages/run_actions.h"
#include "ui/session/session.h"
#include "ui/theme/icons.h"
#include "ui/theme/numbers.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int progressWidth = 160;

using std::chrono::milliseconds;

struct Took {
    milliseconds sum{0};
    int runs = 0;
    [[nodiscard]] milliseconds mean() const { return sum / std::max(1, runs); }
};

// Runs that were cut short say nothing about how long one takes.
bool ranToItsEnd(const run::RunState& run) {
    return run.phase == run::RunPhase::Finished && run.outcome == Outcome::Ok && run.started && run.ended;
}

}  // namespace

std::optional<std::chrono::seconds> timeLeft(const run::Campaign& campaign, TimePoint time) {
    std::map<Case, Took> byCase;
    Took any;
    for (const run::RunState& run : campaign.runs) {
        if (ranToItsEnd(run)) {
            for (Took* took : {&byCase[run.benchmarkCase], &any}) {
                took->sum += *run.ended - *run.started;
                ++took->runs;
            }
        }
    }
    if (any.runs == 0) {
        return std::nullopt;
    }
    milliseconds left{0};
    for (const run::RunState& run : campaign.runs) {
        if (run.phase != run::RunPhase::Finished) {
            const auto same = byCase.find(run.benchmarkCase);
            const milliseconds whole = same == byCase.end() ? any.mean() : same->second.mean();
            const milliseconds gone = run.started ? time - *run.started : milliseconds{0};
            left += std::max(milliseconds{0}, whole - gone);
        }
    }
    return std::chrono::duration_cast<std::chrono::seconds>(left);
}

CampaignBar::CampaignBar(Session& session, RunActions& actions, QWidget* parent)
    : QWidget(parent), session_(session), actions_(actions) {
    QHBoxLayout* row = makeRow(this, {}, 8);
    left_ = makeLabel({}, "secondary");
    row->addWidget(left_);
    progress_ = new QProgressBar;
    progress_->setTextVisible(false);
    progress_->setFixedWidth(progressWidth);
    row->addWidget(progress_);
    retry_ = makeButton({}, QStringLiteral("refresh"));
    retry_->setToolTip(
        tr("A new campaign of the runs without a figure; not of those that ran out of memory"));
    connect(retry_, &QPushButton::clicked, this, [this] {
        if (!session_.campaigns().empty()) {
            actions_.retry(session_.campaigns().back());
        }
    });
    row->addWidget(retry_);
    pause_ = makeButton({});
    connect(pause_, &QPushButton::clicked, this, &CampaignBar::togglePause);
    row->addWidget(pause_);
    cancelAll_ = makeButton(tr("Cancel all"), QStringLiteral("stop"), "destructive");
    connect(cancelAll_, &QPushButton::clicked, this, [this] { actions_.cancelAll(); });
    row->addWidget(cancelAll_);
}

void CampaignBar::showCampaign(const run::Campaign* open) {
    const bool running = open != nullptr && open->runnerAlive;
    cancelAll_->setVisible(running);
    cancelAll_->setEnabled(!actions_.isCancellingAll());
    progress_->setVisible(running);
    pause_->setVisible(running);
    const auto left = running ? timeLeft(*open, now()) : std::nullopt;
    left_->setVisible(left.has_value());
    left_->setText(left ? tr("about %1 left").arg(durationText(*left)) : QString());
    if (!running || pauseAsked_ == open->paused) {
        pauseAsked_.reset();
    }
    const bool paused = running && open->paused;
    pause_->setText(paused ? tr("Resume") : tr("Pause queue"));
    pause_->setIcon(icon(paused ? QStringLiteral("launch") : QStringLiteral("pause"), Ink::Text));
    pause_->setToolTip(paused ? tr("Starts the next run")
                              : tr("The current run finishes; no further one starts"));
    pause_->setEnabled(!pauseAsked_);
    const auto& campaigns = session_.campaigns();
    const std::size_t again = campaigns.empty() ? 0 : run::retryable(campaigns.back()).size();
    retry_->setVisible(again > 0 && open == nullptr);
    retry_->setEnabled(actions_.mayStart());
    retry_->setText(tr("Retry failed (%1)").arg(again));
}

void CampaignBar::showProgress(int finished, int all) {
    progress_->setRange(0, all);
    progress_->setValue(finished);
}

void CampaignBar::togglePause() {
    const run::Campaign* open = session_.openCampaign();
    if (open == nullptr || !open->runnerAlive || pauseAsked_) {
        return;
    }
    pauseAsked_ = !open->paused;
    session_.request(*pauseAsked_ ? run::Request::Pause : run::Request::Continue);
}

}  // namespace dlperf::ui
