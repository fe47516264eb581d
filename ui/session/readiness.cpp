// SPDX-License-Identifier: Apache-2.0
#include "ui/session/readiness.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/cluster/cluster.h"
#include "core/remote/credentials.h"
#include "core/remote/held_nodes.h"
#include "core/run/settings.h"
#include "ui/session/background.h"
#include "ui/session/either_stop.h"

namespace dlperf::ui {
namespace {

using run::EnvironmentPhase;
using run::EnvironmentProgress;

constexpr int publishMilliseconds = 100;
constexpr std::chrono::hours mostTime{1};  // of one recipe on one node; a download over a slow line

std::string questionOf(const launch::PlanNodes& plan) {
    std::string text = toJson(plan.cluster).dump();
    for (const auto& ofNode : plan.recipes) {
        for (const cluster::RecipeNeeds& needs : ofNode) {
            text.append("\n").append(needs.recipe);
            for (const auto& [option, value] : needs.options) {
                text.append(" ").append(option).append("=").append(value);
            }
        }
    }
    return text;
}

std::vector<EnvironmentProgress> rowsOf(const launch::PlanNodes& plan, EnvironmentPhase phase,
                                        const Error& error) {
    std::vector<EnvironmentProgress> rows;
    for (std::size_t i = 0; i < plan.cluster.nodes.size(); ++i) {
        for (const cluster::RecipeNeeds& needs : plan.recipes[i]) {
            rows.push_back({plan.cluster.nodes[i].name, needs.recipe, phase, error.what, error.remedy});
        }
    }
    return rows;
}

// With Slurm in a job, where the nodes have the names of their hosts; the rows keep theirs.
std::vector<EnvironmentProgress> prepareOn(launch::PlanNodes plan, const remote::TransportFactory& transports,
                                           const run::PublishEnvironment& publish,
                                           const std::stop_token& stop) {
    const auto tell = [&](const std::string& words) {
        for (const EnvironmentProgress& row : rowsOf(plan, EnvironmentPhase::Waiting, {words, {}, {}})) {
            publish(row);
        }
    };
    const auto held = remote::holdNodes(plan.cluster, transports, tell, stop);
    if (!held) {
        return rowsOf(plan, EnvironmentPhase::Failed, held.error());
    }
    std::map<std::string, std::string> names;
    for (std::size_t i = 0; i < held->cluster.nodes.size(); ++i) {
        names[held->cluster.nodes[i].name] = plan.cluster.nodes[i].name;
    }
    plan.cluster = held->cluster;
    const auto named = [&](EnvironmentProgress progress) {
        progress.node = names.at(progress.node);  // from any thread
        return progress;
    };
    auto ends = run::prepareEnvironments(
        plan, held->transports, run::Settings{}, mostTime,
        [&](const EnvironmentProgress& progress) { publish(named(progress)); }, stop);
    std::ranges::transform(ends, ends.begin(), named);
    return ends;
}

}  // namespace

Readiness::Readiness(Background& machine, std::shared_ptr<remote::CredentialCache> credentials,
                     QObject* parent)
    : QObject(parent), machine_(machine), credentials_(std::move(credentials)) {
    timer_.setInterval(publishMilliseconds);
    connect(&timer_, &QTimer::timeout, this, &Readiness::takeProgress);
}

void Readiness::look(const launch::PlanNodes& plan) {
    if (preparing_) {
        next_ = plan;
        return;
    }
    std::string question = questionOf(plan);
    if (question == question_) {
        return;
    }
    question_ = std::move(question);
    plan_ = plan;
    ask();
}

void Readiness::lookAgain() {
    if (plan_ && !preparing_) {
        credentials_->forgetRefusals();
        ask();
    }
}

void Readiness::ask() {
    ++round_;
    rows_.clear();
    for (std::size_t i = 0; i < plan_->cluster.nodes.size(); ++i) {
        for (const cluster::RecipeNeeds& needs : plan_->recipes[i]) {
            rows_.push_back({plan_->cluster.nodes[i].name, needs.recipe, EnvironmentPhase::Looking, ""});
        }
    }
    if (plan_->cluster.slurm) {  // a look takes a job, which may wait: preparing looks anyway
        for (EnvironmentProgress& row : rows_) {
            row.phase = EnvironmentPhase::ToPrepare;
            row.message = tr("looked at when it is prepared, in a job of its own").toStdString();
        }
    }
    emit changed();
    if (rows_.empty() || plan_->cluster.slurm) {
        return;
    }
    machine_.ask(
        this,
        [plan = *plan_, transports = remote::interactiveTransports(credentials_),
         stop = machine_.stopToken()] { return run::findEnvironments(plan, transports, stop); },
        [this, round = round_](std::vector<EnvironmentProgress>&& rows) {
            if (round == round_) {
                take(std::move(rows));
            }
        });
}

void Readiness::prepare() {
    if (!plan_ || preparing_) {
        return;
    }
    credentials_->forgetRefusals();
    ++round_;
    preparing_ = true;
    stop_ = {};
    timer_.start();
    machine_.ask(
        this,
        [plan = *plan_, transports = remote::interactiveTransports(credentials_), stop = stop_.get_token(),
         published = published_, ending = machine_.stopToken()] {
            const EitherStop either(stop, ending);
            return prepareOn(
                plan, transports,
                [&](const EnvironmentProgress& progress) {
                    const std::scoped_lock lock(published->mutex);
                    published->news.push_back(progress);
                },
                either.token());
        },
        [this](std::vector<EnvironmentProgress>&& rows) {
            endPreparing();
            take(std::move(rows));
            if (next_) {
                look(*std::exchange(next_, {}));
            }
        },
        [this] {  // nobody knows how far it came
            endPreparing();
            plan_ = next_ ? *std::exchange(next_, {}) : *plan_;
            question_ = questionOf(*plan_);
            ask();
        });
    emit changed();
}

void Readiness::endPreparing() {
    timer_.stop();
    preparing_ = false;
    const std::scoped_lock lock(published_->mutex);
    published_->news.clear();
}

void Readiness::cancel() {
    stop_.request_stop();
}

void Readiness::take(std::vector<EnvironmentProgress> rows) {
    rows_ = std::move(rows);
    emit changed();
}

void Readiness::takeProgress() {
    std::vector<EnvironmentProgress> news;
    {
        const std::scoped_lock lock(published_->mutex);
        news.swap(published_->news);
    }
    for (EnvironmentProgress& one : news) {
        const auto row = std::ranges::find_if(rows_, [&](const EnvironmentProgress& known) {
            return known.node == one.node && known.recipe == one.recipe;
        });
        if (row != rows_.end()) {
            *row = std::move(one);
        }
    }
    if (!news.empty()) {
        emit changed();
    }
}

std::size_t Readiness::count(EnvironmentPhase phase) const {
    return static_cast<std::size_t>(std::ranges::count(rows_, phase, &EnvironmentProgress::phase));
}

}  // namespace dlperf::ui
