// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/plan_panel.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/text.h"
#include "core/launch/recipe.h"
#include "core/model/vocabulary.h"
#include "ui/pages/added_runs.h"
#include "ui/pages/node_picker.h"
#include "ui/pages/option_fields.h"
#include "ui/pages/recipe_picker.h"
#include "ui/pages/variable_fields.h"
#include "ui/theme/icons.h"
#include "ui/widgets/chip_row.h"

namespace dlperf::ui {
namespace {

constexpr int mostRepetitions = 1000;
constexpr int mostIterations = 1'000'000;
constexpr int largestBatch = 1 << 20;
constexpr int longestMinutes = 60 * 24 * 30;
constexpr MeasurementRange usualRange{20, 120};  // DLPerf's; for a plan without runs

template <class Value>
bool has(const std::vector<Value>& values, const Value& value) {
    return std::ranges::find(values, value) != values.end();
}

template <class Value>
void put(std::vector<Value>& values, const Value& value, bool on) {
    std::erase(values, value);
    if (on) {
        values.push_back(value);
        std::ranges::sort(values);
    }
}

QString judgeTopology(const QString& text) {
    return parseTopology(text.toStdString()) ? QString()
                                             : PlanPanel::tr("Write nodes and devices per node: 2n8g");
}

QString judgeBatchSize(const QString& text) {
    const int size = toInt(text.toStdString()).value_or(0);
    return size >= 1 && size <= largestBatch ? QString()
                                             : PlanPanel::tr("Write a number from 1 to %1").arg(largestBatch);
}

QString judgeFeatures(const QString& text) {
    const FeatureSet features = parseFeatures(text.toStdString());
    return !features.empty() && std::ranges::all_of(features, isPlainName)
               ? QString()
               : PlanPanel::tr("Write features with + between them: dali-cpu+xla");
}

void setQuietly(QSpinBox* box, int value) {
    const QSignalBlocker quiet(box);
    box->setValue(value);
}

void addLine(QVBoxLayout* column) {
    column->addSpacing(12);
    column->addWidget(makeSeparator());
    column->addSpacing(12);
}

}  // namespace

PlanPanel::PlanPanel(const Vocabulary& vocabulary, QWidget* parent) : Panel(parent), vocabulary_(vocabulary) {
    auto* inner = new QWidget;
    column_ = makeColumn(inner, {14, 12, 14, 12}, 0);
    body()->addWidget(makeScrolled(inner, ScrollBars::VerticalOnly), 1);
    buildChoices();
    addLine(column_);
    column_->addWidget(buildNumbers());
    added_ = new AddedRuns(vocabulary_);
    added_->changed = [this](const std::function<void(launch::Plan&)>& edit) { change(edit); };
    addSection(tr("Runs that the plan adds"), tr("depending on earlier results"))->addWidget(added_);
    buildVariables();
    options_ = makeColumn(nullptr, {}, 0);
    column_->addLayout(options_);
    column_->addStretch(1);
}

QVBoxLayout* PlanPanel::addSection(const QString& title, const QString& note) {
    if (column_->count() > 0) {
        addLine(column_);
    }
    auto* head = new QHBoxLayout;
    head->addWidget(makeLabel(title, "section"));
    head->addStretch(1);
    head->addWidget(makeLabel(note, "caption"));
    column_->addLayout(head);
    column_->addSpacing(6);
    QVBoxLayout* section = makeColumn(nullptr, {}, 6);
    column_->addLayout(section);
    return section;
}

template <class Value, class Parse>
void PlanPanel::follow(ChipRow* chips, std::vector<Value> launch::Plan::*values, Parse parse) {
    const auto set = [this, values, parse](const QString& text, bool on) {
        change([&](launch::Plan& plan) { put(plan.*values, Value(parse(text.toStdString())), on); });
    };
    connect(chips, &ChipRow::toggled, this, set);
    connect(chips, &ChipRow::typed, this, [set](const QString& text) { set(text, true); });
}

void PlanPanel::buildChoices() {
    name_ = new QLineEdit;
    name_->setAccessibleName(tr("Name of the plan"));
    name_->setPlaceholderText(tr("Name of the plan"));
    connect(name_, &QLineEdit::textEdited, this, [this](const QString& text) {
        change([&](launch::Plan& plan) { plan.name = text.trimmed().toStdString(); });
    });
    addSection(tr("Plan"))->addWidget(name_);
    recipes_ = new RecipePicker(vocabulary_);
    recipes_->toggled = [this](const std::string& recipe, bool on) {
        change([&](launch::Plan& plan) { put(plan.recipes, recipe, on); });
    };
    QVBoxLayout* recipes = addSection(tr("Recipes"));
    recipes->addWidget(recipes_);
    QPushButton* add = makeSmallButton(tr("Add a recipe …"), QStringLiteral("plus"));
    add->setToolTip(tr("A folder with recipe.json and launch.sh is copied into the workspace"));
    connect(add, &QPushButton::clicked, this, &PlanPanel::recipeAsked);
    recipes->addWidget(add, 0, Qt::AlignLeft);
    buildNodes();
    topologies_ = new ChipRow(tr("Topology"), QStringLiteral("2n8g"), judgeTopology);
    follow(topologies_, &launch::Plan::topologies,
           [](const std::string& text) { return *parseTopology(text); });
    addSection(tr("Topologies"), tr("nodes and devices per node"))->addWidget(topologies_);
    batchSizes_ = new ChipRow(tr("Batch size"), QStringLiteral("128"), judgeBatchSize);
    follow(batchSizes_, &launch::Plan::batchSizes, [](const std::string& text) { return *toInt(text); });
    addSection(tr("Batch size per device"))->addWidget(batchSizes_);
    precisions_ = new ChipRow(tr("Precision"));
    follow(precisions_, &launch::Plan::precisions, [](const std::string& text) { return text; });
    addSection(tr("Precision"))->addWidget(precisions_);
    features_ = new ChipRow(tr("Features"), QStringLiteral("dali-cpu+xla"), judgeFeatures);
    follow(features_, &launch::Plan::features, [](const std::string& text) { return parseFeatures(text); });
    addSection(tr("Features"), tr("each chip is a case of its own"))->addWidget(features_);
}

// It brings its own line, which is not to be seen where there is one node only.
void PlanPanel::buildNodes() {
    nodes_ = new NodePicker;
    connect(nodes_, &NodePicker::chosen, this,
            [this](const NodeNames& nodes) { change([&](launch::Plan& plan) { plan.nodes = nodes; }); });
    column_->addWidget(nodes_);
}

QWidget* PlanPanel::buildNumbers() {
    auto* host = new QWidget(column_->parentWidget());
    auto* grid = new QGridLayout(host);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    const auto add = [&](int column, const QString& title, const QString& tip, QSpinBox* box) {
        box->setAccessibleName(title);
        box->setToolTip(tip);
        grid->addWidget(makeLabel(title, "section"), 0, column);
        grid->addWidget(box, 1, column);
        return box;
    };
    repetitions_ =
        add(0, tr("Repetitions"), tr("Of each case; the median counts"), makeNumberField(1, mostRepetitions));
    warmup_ =
        add(1, tr("Warmup"), tr("Iterations that are not measured"), makeNumberField(0, mostIterations));
    measured_ = add(2, tr("Measured"), tr("Iterations after the warmup"), makeNumberField(1, mostIterations));
    timeout_ =
        add(3, tr("Timeout"), tr("A run that takes longer is stopped"), makeNumberField(1, longestMinutes));
    timeout_->setSuffix(tr(" min"));
    pause_ = makeNumberField(0, longestMinutes * 60);
    pause_->setSuffix(tr(" s"));
    pause_->setAccessibleName(tr("Pause"));
    pause_->setToolTip(tr("Seconds between two runs, for the devices to cool down"));
    grid->addWidget(makeLabel(tr("Pause"), "section"), 2, 0);
    grid->addWidget(pause_, 3, 0);
    connect(pause_, &QSpinBox::valueChanged, this,
            [this](int seconds) { change([&](launch::Plan& plan) { plan.pauseSeconds = seconds; }); });
    connect(repetitions_, &QSpinBox::valueChanged, this,
            [this](int value) { change([&](launch::Plan& plan) { plan.repetitions = value; }); });
    connect(timeout_, &QSpinBox::valueChanged, this,
            [this](int minutes) { change([&](launch::Plan& plan) { plan.timeoutSeconds = minutes * 60; }); });
    const auto setRange = [this] {
        change([this](launch::Plan& plan) {
            plan.warmup = warmup_->value();
            plan.train = warmup_->value() + measured_->value();
        });
    };
    connect(warmup_, &QSpinBox::valueChanged, this, setRange);
    connect(measured_, &QSpinBox::valueChanged, this, setRange);
    return host;
}

void PlanPanel::buildVariables() {
    variables_ = new VariableFields;
    variables_->changed = [this](const std::string& name, const std::vector<std::string>& values) {
        change([&](launch::Plan& plan) {
            if (values.empty()) {
                plan.env.erase(name);
            } else {
                plan.env[name] = values;
            }
        });
    };
    addSection(tr("Environment variables"), tr("each value is a case"))->addWidget(variables_);
}

void PlanPanel::startAnew() {
    added_->startAnew();
    variables_->startAnew();
    optionRecipes_.clear();
    optionFields_.clear();
    emptyLayout(options_);
}

void PlanPanel::change(const std::function<void(launch::Plan&)>& edit) {
    edit(plan_);
    emit changed(plan_);
}

void PlanPanel::showDraft(const PlanDraft& draft) {
    plan_ = draft.plan;
    if (!name_->hasFocus()) {
        name_->setText(QString::fromStdString(plan_.name));
    }
    recipes_->setRecipes(draft.recipes, plan_.recipes);
    showChoices(draft);
    showNumbers(draft);
    added_->setPlan(plan_, draft.recipes);
    variables_->setVariables(plan_.env);
    showOptions(draft);
}

void PlanPanel::showNodes(const std::vector<NodeEntry>& nodes) {
    const bool haveSeats = !nodes.empty() && nodes.front().node.seat;  // which ones, a scheduler chooses
    nodes_->setNodes(haveSeats ? std::vector<NodeEntry>() : nodes, plan_.nodes);
}

// A chip that is clicked brings no smaller one to its left: nothing moves under the pointer.
const std::set<int>& PlanPanel::offeredSizes() {
    const auto choices = batchSizeChoices(plan_);
    const bool areThere =
        std::ranges::all_of(plan_.batchSizes, [this](int size) { return offeredSizes_.contains(size); });
    if (!areThere || offeredSizes_.empty()) {
        offeredSizes_ = choices;
    } else if (!choices.empty()) {
        offeredSizes_.insert(*choices.rbegin());
    }
    return offeredSizes_;
}

void PlanPanel::showChoices(const PlanDraft& draft) {
    std::vector<ChipRow::Chip> chips;
    for (const Topology& topology : topologyChoices(plan_, draft.cluster)) {
        const QString text = QString::fromStdString(dlperf::toString(topology));
        chips.push_back({text, text, has(plan_.topologies, topology), topologyWords(topology)});
    }
    topologies_->setChips(chips);
    chips.clear();
    for (const int size : offeredSizes()) {
        chips.push_back({QString::number(size), QString::number(size), has(plan_.batchSizes, size), {}});
    }
    batchSizes_->setChips(chips);
    chips.clear();
    for (const std::string& precision : precisionChoices(plan_, draft.recipes)) {
        const QString text = QString::fromStdString(precision);
        chips.push_back({text, text, has(plan_.precisions, precision), {}});
    }
    precisions_->setChips(chips);
    chips.clear();
    for (const FeatureSet& features : featureChoices(plan_, draft.recipes)) {
        const QString text = QString::fromStdString(toString(features));
        chips.push_back({text, text.isEmpty() ? tr("none") : text, has(plan_.features, features), {}});
    }
    features_->setChips(chips);
}

// Shows the format's range where the plan leaves it to that; changes nothing by itself.
void PlanPanel::showNumbers(const PlanDraft& draft) {
    const auto& runs = draft.prepared.runs;
    const MeasurementRange range = runs.empty() ? usualRange : runs.front().range;
    setQuietly(repetitions_, plan_.repetitions);
    setQuietly(timeout_, (plan_.timeoutSeconds + 59) / 60);
    setQuietly(pause_, plan_.pauseSeconds);
    const int warmup = plan_.warmup.value_or(range.warmup);
    setQuietly(warmup_, warmup);
    setQuietly(measured_, plan_.train.value_or(warmup + range.train - range.warmup) - warmup);
}

void PlanPanel::showOptions(const PlanDraft& draft) {
    std::vector<std::string> recipes;
    for (const std::string& name : plan_.recipes) {
        const launch::Recipe* recipe = draft.recipes.find(name);
        if (recipe != nullptr && !recipe->options.empty()) {
            recipes.push_back(name);
        }
    }
    if (recipes != optionRecipes_) {
        optionRecipes_ = recipes;
        optionFields_.clear();
        emptyLayout(options_);
        for (const std::string& name : recipes) {
            addLine(options_);
            options_->addWidget(makeLabel(tr("Options of %1").arg(QString::fromStdString(name)), "section"));
            options_->addSpacing(6);
            auto* fields = new OptionFields(*draft.recipes.find(name));
            fields->changed = [this, name](const std::string& option, const OptionValue& value) {
                change([&](launch::Plan& plan) {
                    if (value.empty()) {
                        plan.options[name].erase(option);
                    } else {
                        plan.options[name][option] = value;
                    }
                });
            };
            options_->addWidget(fields);
            optionFields_[name] = fields;
        }
    }
    for (const auto& [name, fields] : optionFields_) {
        const auto values = plan_.options.find(name);
        fields->setValues(values == plan_.options.end() ? launch::Sweep{} : values->second);
    }
}

}  // namespace dlperf::ui
