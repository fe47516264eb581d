// SPDX-License-Identifier: Apache-2.0
#include "ui/session/live_run.h"

#include <fstream>
#include <functional>
#include <string>
#include <utility>

#include "ui/session/background.h"

namespace dlperf::ui {

LiveRun::LiveRun(const run::RunState& run, diagnosis::Rules rules)
    : id_(run.id),
      folder_(run.path),
      range_(run.range),
      chart_(run.nodes, run.range, run.unit),
      logs_(run, std::move(rules), std::bind_front(&report::LiveChart::add, &chart_)),
      telemetry_(run.nodes),
      telemetryRead_(run.nodes.size()) {
    if (logs_.countsLines()) {
        chart_.countLines();
    }
}

bool LiveRun::read(const std::vector<run::NodeAlert>& alerts) {
    bool news = logs_.read(alerts);
    for (std::size_t node = 0; node < telemetryRead_.size(); ++node) {
        news = readTelemetry(node) || news;
    }
    return news;
}

bool LiveRun::readTelemetry(std::size_t node) {
    constexpr std::size_t most = 1U << 20U;
    std::ifstream file(folder_ / ("node" + std::to_string(node) + ".telemetry.csv"), std::ios::binary);
    if (!file || !file.seekg(static_cast<std::streamoff>(telemetryRead_[node]))) {
        return false;
    }
    std::string bytes(most, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    telemetryRead_[node] += bytes.size();
    telemetry_.feed(node, bytes);
    return !bytes.empty();
}

LiveUpdate LiveRun::update() {
    chart_.update(logs_.more());
    LiveUpdate update;
    update.runId = id_;
    update.chart = chart_.chart();
    update.median = chart_.median();
    update.iteration = logs_.iteration();
    update.countsLines = logs_.countsLines();
    update.secondsLeft = logs_.secondsLeft();
    update.hints = logs_.hints();
    for (const report::Quantity quantity : telemetry_.quantities()) {
        update.telemetry.push_back({quantity, telemetry_.chart(quantity)});
    }
    return update;
}

RunFollower::RunFollower(Background& background, diagnosis::Rules rules, QObject* parent)
    : QObject(parent), background_(background), rules_(std::move(rules)) {}

void RunFollower::forget() {
    live_.reset();
    told_ = false;
    settled_ = false;
}

bool RunFollower::poll(const run::RunState& run) {
    if (live_ && live_->range() != run.range) {
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
        [this, live = live_, ended](std::pair<bool, std::optional<LiveUpdate>> answer) {
            auto& [news, update] = answer;
            pending_ = false;
            if (live != live_) {
                return;
            }
            settled_ = ended && !news;
            if (update) {
                told_ = true;
                emit chartChanged(std::exchange(update->chart, {}));
                emit updated(*update);
            }
        },
        [this] { pending_ = false; });
    return true;
}

}  // namespace dlperf::ui
