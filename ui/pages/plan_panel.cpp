// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/plan_panel.h"

#include <QCheckBox>
#include <QCompleter>
#include <QCoreApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/launch/recipe.h"
#include "core/model/vocabulary.h"
#include "core/report/series_colours.h"
#include "ui/pages/added_runs.h"
#include "ui/pages/node_picker.h"
#include "ui/pages/variable_fields.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/localized.h"
#include "ui/theme/tips.h"
#include "ui/widgets/chip_row.h"
#include "ui/widgets/elided.h"

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

QStringList choicesOf(const launch::RecipeOption& option) {
    QStringList choices;
    for (const std::string& choice : option.choices) {
        choices << QString::fromStdString(choice);
    }
    return choices;
}

using OptionValue = std::vector<std::string>;  // empty: the default; more than one: a series each

QString abilities(const launch::Recipe& recipe) {
    QStringList words{recipe.start == launch::StartOn::EveryNode ? PlanPanel::tr("every node")
                                                                 : PlanPanel::tr("first node")};
    words << QString::fromStdString(join(recipe.precisions, ", "));
    if (!recipe.features.empty()) {
        words << QString::fromStdString(join(recipe.features, ", "));
    }
    return words.join(QStringLiteral(", "));
}

}  // namespace

// The recipes that there are, to choose from; each says how it starts and what it can do.
class RecipePicker final : public QWidget {
    Q_DECLARE_TR_FUNCTIONS(dlperf::ui::RecipePicker)

public:
    explicit RecipePicker(const Vocabulary& vocabulary, QWidget* parent = nullptr)
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

    // `chosen` may name recipes that the book has not: they are listed, so that they can be taken out.
    void setRecipes(const launch::RecipeBook& book, const std::vector<std::string>& chosen) {
        // What runs as it is comes before what needs a checkout of somebody else's trainer.
        std::vector<const launch::Recipe*> recipes;
        for (const launch::Recipe& recipe : book.recipes) {
            recipes.push_back(&recipe);
        }
        std::stable_partition(recipes.begin(), recipes.end(),
                              [](const launch::Recipe* recipe) { return !recipe->needs.source; });
        std::vector<std::string> names = mapped(recipes, &launch::Recipe::name);
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
        filter();
    }

    std::function<void(const std::string& recipe, bool on)> toggled;

private:
    struct Row {
        std::string name;
        QCheckBox* box;
        QWidget* host;
        QString words;  // that a filter finds
    };
    void build(const launch::RecipeBook& book, const std::vector<std::string>& names) {
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
        scrolled_->setFixedHeight(isLong ? scaled(listHeight) : column_->sizeHint().height());
    }

    // A recipe that is chosen stays in sight.
    void filter() {
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

    void addRow(const std::string& name, const launch::Recipe* recipe) {
        auto* host = new QWidget(this);
        QHBoxLayout* row = makeRow(host, {}, 8);
        auto* box = new QCheckBox;
        box->setAccessibleName(QString::fromStdString(name));
        connect(box, &QCheckBox::clicked, this, [this, name](bool on) { toggled(name, on); });
        row->addWidget(box);
        row->addWidget(recipe == nullptr
                           ? new KeySign
                           : new KeySign(vocabulary_.id(WordKind::Framework, recipe->framework),
                                         report::firstFill(
                                             vocabulary_.id(WordKind::Implementation, recipe->implementation),
                                             vocabulary_)));
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

    static constexpr std::size_t fewRecipes = 8;  // they need no filter
    static constexpr int listHeight = 190;        // px, of more than that: five and the head of the next

    const Vocabulary& vocabulary_;
    QLineEdit* filter_;
    QScrollArea* scrolled_;
    QVBoxLayout* column_;
    QLabel* others_ = nullptr;
    std::vector<Row> rows_;
};

// The options of a recipe, to fill in: an empty field takes the default, which stands in it. One that is part
// of the case can have several values, and shows them as chips then.
class OptionFields final : public QWidget {
    Q_DECLARE_TR_FUNCTIONS(dlperf::ui::OptionFields)

public:
    // What holds where nothing is typed: the default, else what the recipe's help says of it.
    [[nodiscard]] static QString whenEmpty(const launch::RecipeOption& option) {
        if (!option.defaultValue.empty()) {
            return QString::fromStdString(option.defaultValue);
        }
        const QString help = localized(option.help);
        const QString sign = tr("empty: ", "as in the help of a recipe's option");
        const qsizetype at = help.indexOf(sign);
        return at < 0 ? tr("none") : help.mid(at + sign.size());
    }

    explicit OptionFields(const launch::Recipe& recipe, QWidget* parent = nullptr) : QWidget(parent) {
        auto* grid = new QGridLayout(this);
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setHorizontalSpacing(12);
        grid->setVerticalSpacing(2);
        grid->setColumnStretch(1, 1);
        for (const launch::RecipeOption& option : recipe.options) {
            const int row = grid->rowCount();
            const QString name = QString::fromStdString(option.name);
            QString help = localized(option.help);
            if (option.affectsResult) {
                help += tr("; part of the case");
            }
            QLabel* title = makeLabel(name, "secondary");
            title->setToolTip(plainTip(help));
            grid->addWidget(title, row, 0);
            auto* line = new QLineEdit;
            line->setProperty("size", "small");
            line->setFont(monoFont());
            line->setPlaceholderText(whenEmpty(option));
            line->setAccessibleName(name);
            line->setAccessibleDescription(help);
            if (!option.choices.empty()) {
                auto* completer = new QCompleter(choicesOf(option), line);
                completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
                line->setCompleter(completer);
                connect(completer, qOverload<const QString&>(&QCompleter::activated), this,
                        [this, option = option.name](const QString& text) { take(option, text); });
            }
            line->setToolTip(plainTip(help));
            connect(line, &QLineEdit::textEdited, this,
                    [this, option = option.name](const QString& text) { take(option, text); });
            grid->addWidget(line, row, 1);
            fields_.push_back({option, line});
            if (option.affectsResult) {
                addChips(fields_.back(), grid, row);
            }
            QLabel* caption = makeText(help, "caption");
            caption->setContentsMargins(0, 0, 0, 4);
            grid->addWidget(caption, row + 1, 1);
            grid->setRowMinimumHeight(row + 1, scaled(19));
        }
    }

    // A field that is being typed into keeps its text.
    void setValues(const launch::Sweep& values) {
        for (const Field& field : fields_) {
            const auto found = values.find(field.option.name);
            const OptionValue value = found == values.end() ? OptionValue{} : found->second;
            const QString text = value.size() == 1 ? QString::fromStdString(value.front()) : QString();
            if (field.line->text() != text && !field.line->hasFocus()) {
                field.line->setText(text);
            }
            if (field.chips != nullptr) {
                showChips(field, value);
            }
        }
    }

    std::function<void(const std::string& option, const OptionValue& value)> changed;

private:
    struct Field {
        launch::RecipeOption option;
        QLineEdit* line;
        ChipRow* chips = nullptr;
        QToolButton* more = nullptr;
    };

    void take(const std::string& option, const QString& text) {
        changed(option, text.isEmpty() ? OptionValue{} : OptionValue{text.toStdString()});
    }

    void addChips(Field& field, QGridLayout* grid, int row) {
        const QString name = QString::fromStdString(field.option.name);
        field.more = new QToolButton;
        field.more->setIcon(icon(QStringLiteral("plus")));
        field.more->setAutoRaise(true);
        field.more->setAccessibleName(tr("%1: several values").arg(name));
        field.more->setToolTip(tr("Several values: each is a series of its own"));
        grid->addWidget(field.more, row, 2);
        const auto judge = [](const QString& text) {
            return text.isEmpty() ? tr("Write a value") : QString();
        };
        field.chips = new ChipRow(name, tr("value"), judge);
        field.chips->hide();
        grid->addWidget(field.chips, row, 1, 1, 2);
        connect(field.more, &QToolButton::clicked, this, [field] {
            openChips(field);
            field.chips->openField();
        });
        const auto set = [this, field](const QString& text, bool on) {
            OptionValue value = shown_[field.option.name];
            std::erase(value, text.toStdString());
            if (on) {
                value.push_back(text.toStdString());
            }
            changed(field.option.name, value);
        };
        connect(field.chips, &ChipRow::toggled, this, set);
        connect(field.chips, &ChipRow::typed, this, [set](const QString& text) { set(text, true); });
    }

    static void openChips(const Field& field) {
        field.line->hide();
        field.more->hide();
        field.chips->show();
    }

    // The values that the option can have, and those that it has; none of them set is its default.
    void showChips(const Field& field, OptionValue value) {
        if (value.size() > 1) {
            openChips(field);
        }
        if (value.empty()) {
            value.push_back(field.option.defaultValue);
        }
        shown_[field.option.name] = value;
        OptionValue all = field.option.choices;
        std::ranges::copy_if(value, std::back_inserter(all),
                             [&](const std::string& one) { return !has(field.option.choices, one); });
        std::vector<ChipRow::Chip> chips;
        for (const std::string& one : all) {
            const QString text = QString::fromStdString(one);
            chips.push_back({text, text.isEmpty() ? tr("none") : text, has(value, one), {}});
        }
        field.chips->setChips(chips);
    }

    std::vector<Field> fields_;
    std::map<std::string, OptionValue> shown_;  // by option; of chips
};

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
