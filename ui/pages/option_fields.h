// SPDX-License-Identifier: Apache-2.0
// The options of a recipe, to fill in: an empty field takes the default, which stands in it. One that is part
// of the case can have several values, and shows them as chips then.
#pragma once

#include <QString>
#include <QWidget>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/launch/plan.h"
#include "core/launch/recipe.h"

class QGridLayout;
class QLineEdit;
class QToolButton;

namespace dlperf::ui {

class ChipRow;

using OptionValue = std::vector<std::string>;  // empty: the default; more than one: a series each

class OptionFields final : public QWidget {
    Q_OBJECT

public:
    explicit OptionFields(const launch::Recipe& recipe, QWidget* parent = nullptr);

    // A field that is being typed into keeps its text.
    void setValues(const launch::Sweep& values);

    std::function<void(const std::string& option, const OptionValue& value)> changed;

private:
    struct Field {
        launch::RecipeOption option;
        QLineEdit* line;
        ChipRow* chips = nullptr;
        QToolButton* more = nullptr;
    };

    void addField(const launch::RecipeOption& option, QGridLayout& grid);
    [[nodiscard]] QLineEdit* makeLine(const launch::RecipeOption& option, const QString& help);
    void addChips(Field& field, QGridLayout& grid, int row);
    void take(const std::string& option, const QString& text);
    static void openChips(const Field& field);
    void showChips(const Field& field, OptionValue value);

    std::vector<Field> fields_;
    std::map<std::string, OptionValue> shown_;  // by option; of chips
};

}  // namespace dlperf::ui
