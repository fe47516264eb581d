// SPDX-License-Identifier: Apache-2.0
#include "ui/session/readiness.h"

#include <algorithm>
#include <utility>

#include "core/cluster/cluster.h"
#include "core/remote/credentials.h"
#include "core/run/settings.h"
#include "ui/session/background.h"

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

}  // namespace

Readiness::Readiness(Background& machine, std::shared_ptr<remote::CredentialCache> credentials,
                     QObject* parent)
    : QObject(parent), machine_(machine), credentials_(std::move(credentials)) {
    timer_.setInterval(publishMilliseconds);
    connect(&timer_, &QTimer::timeout, this, &Readiness::takeProgress);
}

void Readiness::look(const launch::PlanNodes& plan) {
    std::string question = questionOf(plan);
    if (preparing_ || question == question_) {
        return;
    }
    question_ = std::move(question);
    plan_ = plan;
    ask();
}

void Readiness::lookAgain() {
    if (plan_ && !preparing_) {
        ask();
    }
}

void Readiness::ask() {
    rows_.clear();
    for (std::size_t i = 0; i < plan_->cluster.nodes.size(); ++i) {
        for (const cluster::RecipeNeeds& needs : plan_->recipes[i]) {
            rows_.push_back({plan_->cluster.nodes[i].name, needs.recipe, EnvironmentPhase::Looking, ""});
        }
    }
    emit changed();
    if (rows_.empty()) {
        return;
    }
    machine_.ask(
        this,
        [plan = *plan_, transports = remote::interactiveTransports(credentials_),
         stop = machine_.stopToken()] { return run::findEnvironments(plan, transports, stop); },
        [this, round = ++round_](std::vector<EnvironmentProgress>&& rows) {
            if (round == round_ && !preparing_) {
                take(std::move(rows));
            }
        });
}

void Readiness::prepare() {
    if (!plan_ || preparing_) {
        return;
    }
    preparing_ = true;
    stop_ = {};
    timer_.start();
    machine_.ask(
        this,
        [plan = *plan_, transports = remote::interactiveTransports(credentials_), stop = stop_.get_token(),
         published = published_, ending = machine_.stopToken()] {
            std::stop_source both;  // the user's cancel, or the end of the window
            const std::stop_callback cancelled(stop, [&] { both.request_stop(); });
            const std::stop_callback ended(ending, [&] { both.request_stop(); });
            return run::prepareEnvironments(
                plan, transports, run::Settings{}, mostTime,
                [&](const EnvironmentProgress& progress) {
                    const std::scoped_lock lock(published->mutex);
                    published->news.push_back(progress);
                },
                both.get_token());
        },
        [this](std::vector<EnvironmentProgress>&& rows) {
            timer_.stop();
            preparing_ = false;
            published_->news.clear();
            take(std::move(rows));
        });
    emit changed();
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
