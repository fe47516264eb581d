// SPDX-License-Identifier: Apache-2.0
// The environment variables that a plan sets: a row each, its values as chips, each a case of its own.
#pragma once

#include <QWidget>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/launch/plan.h"

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace dlperf::ui {

class ChipRow;

class VariableFields final : public QWidget {
    Q_OBJECT

public:
    explicit VariableFields(QWidget* parent = nullptr);

    // Rows that stay keep their place, and the keyboard's in them.
    void setVariables(const launch::Sweep& variables);
    // Another plan is shown next: names that got no value yet belong to the one before.
    void startAnew() { unset_.clear(); }

    // Without values the plan does not set the variable any more.
    std::function<void(const std::string& name, const std::vector<std::string>& values)> changed;

private:
    struct Row {
        std::string name;
        QWidget* host;
        QLabel* nothing;
        QToolButton* remove;
        ChipRow* chips;
    };
    [[nodiscard]] QString judgeName(const QString& text) const;
    [[nodiscard]] QString judgeValue(const std::string& name, const QString& text) const;
    [[nodiscard]] std::vector<std::string> valuesOf(const std::string& name) const;
    [[nodiscard]] Row makeRowOf(const std::string& name);
    void add(const std::string& name);
    void remove(const std::string& name);
    void setValue(const std::string& name, const std::string& value, bool on);
    void takeAway(const Row& row);
    void orderTabs();

    launch::Sweep variables_;
    std::set<std::string> unset_;  // shown, but without a value: no plan can say so
    std::vector<Row> rows_;        // by name
    QVBoxLayout* column_;
    ChipRow* add_;
};

}  // namespace dlperf::ui
