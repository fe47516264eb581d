// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/recipe_picker.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/text.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/key_sign.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

// "every node, fp32 and bf16, dali"
QString abilities(const launch::Recipe& recipe) {
    QStringList words{recipe.start == launch::StartOn::EveryNode ? RecipePicker::tr("every node")
                                                                 : RecipePicker::tr("first node")};
    words << QString::fromStdString(join(recipe.precisions, ", "));
    if (!recipe.features.empty()) {
        words << QString::fromStdString(join(recipe.features, ", "));
    }
    return words.join(QStringLiteral(", "));
}

}  // namespace

RecipePicker::RecipePicker(const Vocabulary& vocabulary, QWidget* parent)
    : QWidget(parent), vocabulary_(vocabulary), column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(4);
}

void RecipePicker::setRecipes(const launch::RecipeBook& book, const std::vector<std::string>& chosen) {
    std::vector<std::string> names;
    for (const launch::Recipe& recipe : book.recipes) {
        names.push_back(recipe.name);
    }
    for (const std::string& name : chosen) {
        if (book.find(name) == nullptr) {
            names.push_back(name);
        }
    }
    if (!std::ranges::equal(rows_, names, {}, &Row::name)) {
        build(book, names);
    }
    for (const Row& row : rows_) {
        row.box->setChecked(std::ranges::find(chosen, row.name) != chosen.end());
    }
}

void RecipePicker::build(const launch::RecipeBook& book, const std::vector<std::string>& names) {
    emptyLayoutAfterClick(column_);
    rows_.clear();
    for (const std::string& name : names) {
        addRow(name, book.find(name));
    }
}

void RecipePicker::addRow(const std::string& name, const launch::Recipe* recipe) {
    auto* host = new QWidget(this);
    auto* row = new QHBoxLayout(host);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto* box = new QCheckBox;
    box->setAccessibleName(QString::fromStdString(name));
    connect(box, &QCheckBox::clicked, this, [this, name](bool on) { emit toggled(name, on); });
    row->addWidget(box);
    row->addWidget(recipe == nullptr ? new KeySign
                                     : new KeySign(vocabulary_.id(WordKind::Framework, recipe->framework),
                                                   !vocabulary_.isMain(vocabulary_.id(
                                                       WordKind::Implementation, recipe->implementation))));
    auto* words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(makeLabel(QString::fromStdString(name), "strong"));
    auto* can = new ElidedLabel(recipe != nullptr ? abilities(*recipe) : tr("not found"));
    can->setProperty("kind", "caption");
    words->addWidget(can);
    row->addLayout(words, 1);
    if (recipe != nullptr) {
        host->setToolTip(plainTip(QString::fromStdString(recipe->title)));
    }
    column_->addWidget(host);
    rows_.push_back({name, box});
}

}  // namespace dlperf::ui
