// SPDX-License-Identifier: Apache-2.0
// The recipes that there are, to choose from; each says how it starts and what it can do.
#pragma once

#include <QString>
#include <QWidget>
#include <functional>
#include <string>
#include <vector>

#include "core/launch/recipe.h"
#include "core/model/vocabulary.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QScrollArea;
class QVBoxLayout;

namespace dlperf::ui {

class RecipePicker final : public QWidget {
    Q_OBJECT

public:
    explicit RecipePicker(const Vocabulary& vocabulary, QWidget* parent = nullptr);

    // `chosen` may name recipes that the book has not: they are listed, so that they can be taken out.
    void setRecipes(const launch::RecipeBook& book, const std::vector<std::string>& chosen);

    std::function<void(const std::string& recipe, bool on)> toggled;

private:
    struct Row {
        std::string name;
        QCheckBox* box;
        QWidget* host;
        QString words;  // that a filter finds
    };
    void build(const launch::RecipeBook& book, const std::vector<std::string>& names);
    void filter();
    void addRow(const std::string& name, const launch::Recipe* recipe);
    [[nodiscard]] QWidget* makeSign(const launch::Recipe* recipe) const;

    const Vocabulary& vocabulary_;
    QLineEdit* filter_;
    QScrollArea* scrolled_;
    QVBoxLayout* column_;
    QLabel* others_ = nullptr;
    std::vector<Row> rows_;
};

}  // namespace dlperf::ui
