// SPDX-License-Identifier: Apache-2.0
// Follows the logs of one run after the other: reads what is new on the background thread.
#pragma once

#include <QObject>
#include <memory>

#include "ui/session/live_run.h"

namespace dlperf::ui {

class Background;

class RunFollower final : public QObject {
    Q_OBJECT

public:
    RunFollower(Background& background, diagnosis::Rules rules, QObject* parent = nullptr);

    // The next poll starts from the logs' beginning.
    void forget();
    // Asks for what is new; where there is something, updated() follows. False when nothing is to be asked
    // now: an answer is under way, or the run has ended and its logs are read to their end.
    bool poll(const run::RunState& run);

signals:
    void updated(const LiveUpdate& update);

private:
    Background& background_;
    diagnosis::Rules rules_;
    std::shared_ptr<LiveRun> live_;
    bool pending_ = false;
    bool told_ = false;     // updated() came at least once for this run
    bool settled_ = false;  // the run has ended and its logs are read to their end
};

}  // namespace dlperf::ui
