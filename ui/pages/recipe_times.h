// SPDX-License-Identifier: Apache-2.0
// About how long each recipe of a plan takes, as bars beside each other.
#pragma once

#include <QWidget>
#include <chrono>
#include <string>
#include <vector>

#include "core/launch/past_runs.h"
#include "core/launch/prepare.h"
#include "core/model/vocabulary.h"

class QVBoxLayout;

namespace dlperf::ui {

class RecipeTimes final : public QWidget {
    Q_OBJECT

public:
    explicit RecipeTimes(const Vocabulary& vocabulary, QWidget* parent = nullptr);
    // Recipes of which some case was never run here are left out; with fewer than two there is nothing to
    // compare and nothing is shown.
    void showRuns(const std::vector<launch::PlannedRun>& runs, const launch::ExpectedTimes& times);

private:
    struct Row {
        std::string recipe;
        std::string framework;
        bool hollow = false;
        std::chrono::seconds time{};
        bool known = true;
        friend bool operator==(const Row&, const Row&) = default;
    };
    void addRow(const Row& row, std::chrono::seconds longest);

    const Vocabulary& vocabulary_;
    std::vector<Row> rows_;
    QVBoxLayout* column_;
};

}  // namespace dlperf::ui
