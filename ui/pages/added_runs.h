// SPDX-License-Identifier: Apache-2.0
// The runs that a plan adds by what those before found: repetitions until a median is known, or a search.
#pragma once

#include <QWidget>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/launch/plan.h"
#include "core/launch/recipe.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace dlperf {
class Vocabulary;
}

namespace dlperf::ui {

class AddedRuns final : public QWidget {
    Q_OBJECT

public:
    explicit AddedRuns(const Vocabulary& vocabulary, QWidget* parent = nullptr);
    // Of a plan with these recipes: their options of tuning that are numbers can be searched.
    void setPlan(const launch::Plan& plan, const launch::RecipeBook& recipes);
    // Another plan follows.
    void startAnew() { search_.reset(); }

    std::function<void(const std::function<void(launch::Plan&)>& edit)> changed;

private:
    struct Choice {
        QString text;
        QString tip;
        std::optional<launch::Search> search{};
        std::optional<launch::RepeatUntil> until{};
        bool beginsAtDefault = true;  // else a search needs a value of the plan
    };
    [[nodiscard]] std::vector<Choice> choicesOf(const launch::Plan& plan,
                                                const launch::RecipeBook& recipes) const;
    void choose(int index);

    // What beginning a search changed in the plan.
    struct Begun {
        launch::Plan before;
        launch::Plan after;
    };

    const Vocabulary& vocabulary_;
    std::optional<Begun> search_;
    std::vector<Choice> choices_;
    int chosen_ = -1;  // of the plan
    QComboBox* what_;
    QLabel* widthTitle_;
    QDoubleSpinBox* width_;
    QLabel* mostTitle_;
    QSpinBox* most_;
};

}  // namespace dlperf::ui
