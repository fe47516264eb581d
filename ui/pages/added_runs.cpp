// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/added_runs.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "core/analysis/median_interval.h"
#include "core/base/text.h"
#include "core/model/vocabulary.h"
#include "ui/theme/theme.h"
#include "ui/theme/tips.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int leastBox = 90;     // px
constexpr int leastNumber = 56;  // px

struct Searchable {
    std::size_t recipes = 0;  // that have it
    int multipleOf = 1;       // as all of them ask for
    bool isNumber = true;     // where the plan has no value
};

// Options of all of these recipes that a search may count up, by name: threads that load data, most of all.
std::map<std::string, Searchable> searchableOptions(const launch::Plan& plan,
                                                    const launch::RecipeBook& recipes,
                                                    const Vocabulary& vocabulary) {
    std::map<std::string, Searchable> options;
    for (const std::string& name : plan.recipes) {
        const launch::Recipe* recipe = recipes.find(name);
        for (const launch::RecipeOption& option :
             recipe == nullptr ? std::vector<launch::RecipeOption>() : recipe->options) {
            const bool isNumber = toInt(option.defaultValue).value_or(0) > 0;
            if ((isNumber || option.multipleOf > 0) && option.choices.empty() && option.affectsResult &&
                vocabulary.find(WordKind::Tuning, option.name) != nullptr) {
                Searchable& known = options[option.name];
                ++known.recipes;
                known.isNumber = known.isNumber && isNumber;
                const auto step =
                    std::lcm(std::int64_t{known.multipleOf}, std::int64_t{std::max(option.multipleOf, 1)});
                known.recipes = step > launch::largestBatchSize ? 0 : known.recipes;  // nothing to search
                known.multipleOf = static_cast<int>(std::min<std::int64_t>(step, launch::largestBatchSize));
            }
        }
    }
    std::erase_if(options, [&](const auto& one) { return one.second.recipes != plan.recipes.size(); });
    return options;
}

// A search begins at one value, and runs each once.
void beginSearch(launch::Plan& plan, const launch::Search& search, bool beginsAtDefault) {
    plan.repetitions = 1;
    plan.only.clear();
    plan.completesEarlier = false;
    if (search.option.empty()) {
        if (!plan.batchSizes.empty()) {
            plan.batchSizes = {std::ranges::min(plan.batchSizes)};
        }
        return;
    }
    for (const std::string& recipe : plan.recipes) {
        launch::Sweep& options = plan.options[recipe];
        if (const auto values = options.find(search.option); values != options.end()) {
            values->second.resize(1);
            if (toInt(values->second.front()).value_or(0) < 1) {
                values->second.front() = std::to_string(search.multipleOf);
            }
        } else if (!beginsAtDefault) {
            options[search.option] = {std::to_string(search.multipleOf)};
        }
    }
}

// Takes back what a search began with, where that still stands.
void endSearch(launch::Plan& plan, const launch::Plan& before, const launch::Plan& after) {
    const auto restore = [&](auto member) {
        if (plan.*member == after.*member) {
            plan.*member = before.*member;
        }
    };
    restore(&launch::Plan::repetitions);
    restore(&launch::Plan::batchSizes);
    restore(&launch::Plan::options);
    if (plan.only.empty()) {
        plan.only = before.only;
        plan.completesEarlier = before.completesEarlier;
    }
}

}  // namespace

AddedRuns::AddedRuns(const Vocabulary& vocabulary, QWidget* parent)
    : QWidget(parent), vocabulary_(vocabulary) {
    QVBoxLayout* column = makeColumn(this, {}, 6);
    what_ = new ElidedCombo;
    what_->setAccessibleName(tr("Runs that the plan adds"));
    what_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    what_->setMinimumWidth(scaled(leastBox));
    connect(what_, &QComboBox::activated, this, &AddedRuns::choose);
    column->addWidget(what_);
    QHBoxLayout* row = makeRow(nullptr, {}, 8);
    width_ = new QDoubleSpinBox;
    width_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    width_->setRange(0.1, 100);
    width_->setDecimals(2);
    width_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    width_->setMinimumWidth(scaled(leastNumber));
    width_->setSuffix(QStringLiteral(" %"));
    width_->setAccessibleName(tr("Width of the interval"));
    width_->setToolTip(tr("Of the 95 % interval of the median, from end to end"));
    connect(width_, &QDoubleSpinBox::valueChanged, this, [this](double percent) {
        changed([percent](launch::Plan& plan) {
            if (plan.until) {
                plan.until->percent = percent;
            }
        });
    });
    most_ = makeNumberField(0, 99);  // its range follows what is added
    most_->setAccessibleName(tr("Most"));
    connect(most_, &QSpinBox::valueChanged, this, [this](int most) {
        changed([most](launch::Plan& plan) {
            if (plan.until) {
                plan.until->most = most;
            } else if (plan.search) {
                plan.search->most = most;
            }
        });
    });
    widthTitle_ = makeLabel(tr("Interval"), "secondary");
    mostTitle_ = makeLabel({}, "secondary");
    for (QWidget* part : std::initializer_list<QWidget*>{widthTitle_, width_, mostTitle_, most_}) {
        row->addWidget(part, part == width_ || part == most_ ? 1 : 0);
        part->hide();
    }
    column->addLayout(row);
}

std::vector<AddedRuns::Choice> AddedRuns::choicesOf(const launch::Plan& plan,
                                                    const launch::RecipeBook& recipes) const {
    std::vector<Choice> choices{
        {tr("None"), tr("Every run is planned")},
        {tr("Repeat until the median is known"),
         tr("Each case runs as often as it takes, and at least Repetitions times"),
         {},
         launch::RepeatUntil{}},
        {tr("Find the largest batch size"),
         tr("The batch size is doubled until memory runs out, then narrowed down to the exact one"),
         launch::Search{},
         {}}};
    auto options = searchableOptions(plan, recipes, vocabulary_);
    if (plan.search && !plan.search->option.empty()) {
        options[plan.search->option].multipleOf = plan.search->multipleOf;
    }
    for (const auto& [option, known] : options) {
        choices.push_back(
            {tr("Find how many %1 are enough").arg(QString::fromStdString(option)),
             tr("It is doubled until that no longer helps, then narrowed down to the least value that "
                "is as fast as any, to 2 %"),
             launch::Search{option, std::max(launch::mostOfAnOption / known.multipleOf, 1) * known.multipleOf,
                            known.multipleOf},
             {},
             known.isNumber});
    }
    return choices;
}

void AddedRuns::setPlan(const launch::Plan& plan, const launch::RecipeBook& recipes) {
    auto choices = choicesOf(plan, recipes);
    if (!std::ranges::equal(choices, choices_, {}, &Choice::text, &Choice::text)) {
        what_->clear();
        for (const Choice& choice : choices) {
            what_->addItem(choice.text);
            what_->setItemData(what_->count() - 1, plainTip(choice.tip), Qt::ToolTipRole);
        }
    }
    choices_ = std::move(choices);
    const auto isChosen = [&](const Choice& choice) {
        return choice.until.has_value() == plan.until.has_value() &&
               choice.search.has_value() == plan.search.has_value() &&
               (!plan.search || choice.search->option == plan.search->option);
    };
    const auto chosen = std::ranges::find_if(choices_, isChosen);
    const int index = chosen == choices_.end() ? -1 : static_cast<int>(chosen - choices_.begin());
    what_->setCurrentIndex(index);
    chosen_ = index;
    what_->setToolTip(index < 0 ? QString() : plainTip(chosen->tip));
    what_->setAccessibleDescription(index < 0 ? QString() : chosen->tip);  // else the tip's HTML is read
    const QSignalBlocker quietWidth(width_);
    const QSignalBlocker quietMost(most_);
    // Else "0.5" would become "0.50" while it is typed.
    if (plan.until && plan.until->percent != width_->value()) {
        width_->setValue(plan.until->percent);
    }
    most_->setRange(plan.until ? static_cast<int>(analysis::fewestForInterval) : 1,
                    plan.until ? launch::mostRepetitions : launch::largestBatchSize);
    most_->setValue(plan.until ? plan.until->most : plan.search ? plan.search->most : most_->value());
    mostTitle_->setText(plan.until ? tr("runs at most") : tr("up to"));
    for (QWidget* part : {static_cast<QWidget*>(widthTitle_), static_cast<QWidget*>(width_)}) {
        part->setVisible(plan.until.has_value());
    }
    for (QWidget* part : {static_cast<QWidget*>(mostTitle_), static_cast<QWidget*>(most_)}) {
        part->setVisible(plan.addsRuns());
    }
}

void AddedRuns::choose(int index) {
    if (index == chosen_) {
        return;  // what the user set for it stays
    }
    const Choice& choice = choices_.at(static_cast<std::size_t>(index));
    changed([this, &choice](launch::Plan& plan) {
        if (const auto ended = std::exchange(search_, {})) {
            endSearch(plan, ended->before, ended->after);
        }
        plan.search = choice.search;
        plan.until = choice.until;
        if (choice.search) {
            const launch::Plan before = plan;
            beginSearch(plan, *choice.search, choice.beginsAtDefault);
            search_ = {before, plan};
        }
    });
}

}  // namespace dlperf::ui
