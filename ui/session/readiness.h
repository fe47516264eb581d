// SPDX-License-Identifier: Apache-2.0
// Whether the nodes have what a plan's recipes need, and preparing them. Nodes are asked on threads of their
// own.
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/launch/plan_nodes.h"
#include "core/run/environments.h"

namespace dlperf::remote {
class CredentialCache;
}

namespace dlperf::ui {

class Background;

class Readiness final : public QObject {
    Q_OBJECT

public:
    Readiness(Background& machine, std::shared_ptr<remote::CredentialCache> credentials,
              QObject* parent = nullptr);

    // Looks at these nodes for these recipes, unless that is what is known already; while nodes are prepared,
    // once that has ended.
    void look(const launch::PlanNodes& plan);
    // This and preparing also ask the user again what he refused before.
    void lookAgain();
    // What is to be prepared, is. Does nothing while that is under way.
    void prepare();
    // The rows say when it has ended, on the nodes too.
    void cancel();
    [[nodiscard]] bool isPreparing() const { return preparing_; }

    // By node and recipe.
    [[nodiscard]] const std::vector<run::EnvironmentProgress>& rows() const { return rows_; }
    [[nodiscard]] std::size_t count(run::EnvironmentPhase phase) const;

signals:
    void changed();

private:
    void ask();
    void endPreparing();
    void take(std::vector<run::EnvironmentProgress> rows);
    void takeProgress();

    Background& machine_;
    std::shared_ptr<remote::CredentialCache> credentials_;
    std::optional<launch::PlanNodes> plan_;
    std::optional<launch::PlanNodes> next_;  // asked for while nodes were prepared
    std::string question_;                   // what rows_ answer
    unsigned round_ = 0;                     // an answer to an earlier question is stale
    std::vector<run::EnvironmentProgress> rows_;
    bool preparing_ = false;
    std::stop_source stop_;
    // What threads have published and the window has not shown.
    struct Published {
        std::mutex mutex;
        std::vector<run::EnvironmentProgress> news;
    };
    std::shared_ptr<Published> published_ = std::make_shared<Published>();
    QTimer timer_;
};

}  // namespace dlperf::ui
