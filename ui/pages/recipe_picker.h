// SPDX-License-Identifier: Apache-2.0
// The recipes that there are, to choose from; each says how it starts and what it can do.
#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "core/launch/recipe.h"
#include "core/model/vocabulary.h"

class QCheckBox;
class QVBoxLayout;

namespace dlperf::ui {

class RecipePicker final : public QWidget {
    Q_OBJECT

public:
    explicit RecipePicker(const Vocabulary& vocabulary, QWidget* parent = nullptr);

    // `chosen` may name recipes that the book has not: they are listed, so that they can be taken out.
    void setRecipes(const launch::RecipeBook& book, const std::vector<std::string>& chosen);

signals:
    void toggled(const std::string& recipe, bool on);

private:
    struct Row {
        std::string name;
        QCheckBox* box;
    };
    void build(const launch::RecipeBook& book, const std::vector<std::string>& names);
    void addRow(const std::string& name, const launch::Recipe* recipe);

    const Vocabulary& vocabulary_;
    QVBoxLayout* column_;
    std::vector<Row> rows_;
};

}  // namespace dlperf::ui
