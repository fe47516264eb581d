// SPDX-License-Identifier: Apache-2.0
#include "ui/session/run_follower.h"

#include <optional>
#include <utility>

#include "ui/session/background.h"

namespace dlperf::ui {

RunFollower::RunFollower(Background& background, diagnosis::Rules rules, QObject* parent)
    : QObject(parent), background_(background), rules_(std::move(rules)) {}

void RunFollower::forget() {
    live_.reset();
    told_ = false;
    settled_ = false;
}

bool RunFollower::poll(const run::RunState& run) {
    if (live_ && live_->window() != run.window) {
        forget();  // the user changed it: what is measured of the logs is another part
    }
    if (pending_ || settled_) {
        return false;
    }
    if (!live_ || live_->id() != run.id || live_->folder() != run.path) {
        live_ = std::make_shared<LiveRun>(run, rules_);
    }
    pending_ = true;
    const bool ended = run.phase == run::RunPhase::Finished;
    background_.ask(
        this,
        [live = live_, first = !told_, alerts = run.alerts] {
            const bool news = live->read(alerts);
            return std::pair(news, news || first ? std::optional(live->update()) : std::nullopt);
        },
        [this, live = live_, ended](const std::pair<bool, std::optional<LiveUpdate>>& answer) {
            const auto& [news, update] = answer;
            pending_ = false;
            if (live != live_) {
                return;
            }
            settled_ = ended && !news;
            if (update) {
                told_ = true;
                emit updated(*update);
            }
        },
        [this] { pending_ = false; });
    return true;
}

}  // namespace dlperf::ui
