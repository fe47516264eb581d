// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/recipe_picker.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QStringList>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/report/series_colours.h"
#include "ui/theme/fonts.h"
#include "ui/theme/localized.h"
#include "ui/theme/tips.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr std::size_t fewRecipes = 8;  // they need no filter
constexpr int recipeListHeight = 190;  // px, of more than that: five and the head of the next

QString abilities(const launch::Recipe& recipe) {
    QStringList words{recipe.start == launch::StartOn::EveryNode ? RecipePicker::tr("every node")
                                                                 : RecipePicker::tr("first node")};
    words << QString::fromStdString(join(recipe.precisions, ", "));
    if (!recipe.features.empty()) {
        words << QString::fromStdString(join(recipe.features, ", "));
    }
    return words.join(comma());
}

}  // namespace

RecipePicker::RecipePicker(const Vocabulary& vocabulary, QWidget* parent)
    : QWidget(parent), vocabulary_(vocabulary) {
    QVBoxLayout* all = makeColumn(this, {}, 6);
    filter_ = makeFilterField(tr("Filter recipes"));
    all->addWidget(filter_);
    auto* list = new QWidget;
    column_ = makeColumn(list, {}, 4);
    scrolled_ = makeScrolled(list, ScrollBars::VerticalOnly);
    all->addWidget(scrolled_);
    connect(filter_, &QLineEdit::textChanged, this, &RecipePicker::filter);
}

void RecipePicker::setRecipes(const launch::RecipeBook& book, const std::vector<std::string>& chosen) {
    // What runs as it is comes before what needs a checkout of somebody else's trainer.
    std::vector<const launch::Recipe*> recipes;
    recipes.reserve(book.recipes.size());
    for (const launch::Recipe& recipe : book.recipes) {
        recipes.push_back(&recipe);
    }
    std::stable_partition(recipes.begin(), recipes.end(),
                          [](const launch::Recipe* recipe) { return !recipe->needs.source; });
    std::vector<std::string> names = mapped(recipes, &launch::Recipe::name);
    std::ranges::copy_if(chosen, std::back_inserter(names),
                         [&](const std::string& name) { return book.find(name) == nullptr; });
    if (!std::ranges::equal(rows_, names, {}, &Row::name)) {
        build(book, names);
    }
    for (const Row& row : rows_) {
        row.box->setChecked(std::ranges::find(chosen, row.name) != chosen.end());
    }
    filter();
}

void RecipePicker::build(const launch::RecipeBook& book, const std::vector<std::string>& names) {
    emptyLayoutAfterClick(column_);
    rows_.clear();
    others_ = nullptr;
    for (const std::string& name : names) {
        const launch::Recipe* recipe = book.find(name);
        if (others_ == nullptr && recipe != nullptr && recipe->needs.source) {
            others_ = makeLabel(tr("Original trainers, from a checkout"), "caption");
            others_->setContentsMargins(0, 8, 0, 0);
            column_->addWidget(others_);
        }
        addRow(name, recipe);
    }
    // A long list scrolls by itself, so that the choices below it stay in sight.
    const bool isLong = rows_.size() > fewRecipes;
    filter_->setVisible(isLong);
    column_->addStretch(1);
    scrolled_->setFixedHeight(isLong ? scaled(recipeListHeight) : column_->sizeHint().height());
}

// A recipe that is chosen stays in sight.
void RecipePicker::filter() {
    const QStringList wanted = filter_->text().simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const Row& row : rows_) {
        const bool found = std::ranges::all_of(
            wanted, [&](const QString& word) { return row.words.contains(word, Qt::CaseInsensitive); });
        row.host->setVisible(found || row.box->isChecked());
    }
    if (others_ != nullptr) {
        others_->setVisible(wanted.isEmpty());
    }
}

QWidget* RecipePicker::makeSign(const launch::Recipe* recipe) const {
    return recipe == nullptr
               ? new KeySign
               : new KeySign(
                     vocabulary_.id(WordKind::Framework, recipe->framework),
                     report::firstFill(vocabulary_.id(WordKind::Implementation, recipe->implementation),
                                       vocabulary_));
}

void RecipePicker::addRow(const std::string& name, const launch::Recipe* recipe) {
    auto* host = new QWidget(this);
    QHBoxLayout* row = makeRow(host, {}, 8);
    auto* box = new QCheckBox;
    box->setAccessibleName(QString::fromStdString(name));
    connect(box, &QCheckBox::clicked, this, [this, name](bool on) { toggled(name, on); });
    row->addWidget(box);
    row->addWidget(makeSign(recipe));
    QVBoxLayout* words = makeColumn(nullptr, {}, 0);
    words->addWidget(makeLabel(QString::fromStdString(name), "strong"));
    auto* can = new ElidedLabel(recipe != nullptr ? abilities(*recipe) : tr("not found"));
    can->setProperty("kind", "caption");
    words->addWidget(can);
    row->addLayout(words, 1);
    if (recipe != nullptr) {
        host->setToolTip(plainTip(localized(recipe->title)));
    }
    column_->addWidget(host);
    rows_.push_back({name, box, host, localized(recipe == nullptr ? name : name + " " + recipe->title)});
}

}  // namespace dlperf::ui
