// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/plan_panel.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/plain_tip.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/key_sign.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int panelWidth = 344;
constexpr int mostRepetitions = 1000;
constexpr int mostIterations = 1'000'000;
constexpr int longestMinutes = 60 * 24 * 30;

template <class Value>
void toggle(std::vector<Value>& values, const std::vector<Value>& order, const Value& value, bool on) {
    std::erase(values, value);
    if (on) {
        values.push_back(value);
        std::ranges::sort(values, {}, [&](const Value& one) { return std::ranges::find(order, one); });
    }
}

FlowLayout* addFlow(QVBoxLayout* section) {
    auto* host = new QWidget;
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    host->setSizePolicy(policy);
    section->addWidget(host);
    return new FlowLayout(host, 8, 6);
}

}  // namespace

PlanPanel::PlanPanel(const Vocabulary& vocabulary, QWidget* parent)
    : QWidget(parent), vocabulary_(vocabulary) {
    setFixedWidth(panelWidth);
    auto* row = new QVBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    auto* panel = new Panel;
    panel->addHeader(tr("Plan"));
    outer_ = panel->body();
    row->addWidget(panel);
}

QVBoxLayout* PlanPanel::addSection(const QString& title, const QString& note) {
    if (column_->count() > 0) {
        column_->addSpacing(12);
        column_->addWidget(makeSeparator());
        column_->addSpacing(12);
    }
    auto* head = new QHBoxLayout;
    head->addWidget(makeLabel(title, "section"));
    head->addStretch(1);
    head->addWidget(makeLabel(note, "caption"));
    column_->addLayout(head);
    column_->addSpacing(6);
    auto* section = new QVBoxLayout;
    section->setSpacing(6);
    column_->addLayout(section);
    return section;
}

void PlanPanel::showDraft(const PlanDraft& draft) {
    plan_ = draft.plan;
    delete content_;
    content_ = new QWidget;
    auto* all = new QVBoxLayout(content_);
    all->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    auto* inner = new QWidget;
    inner->setProperty("kind", "clear");
    column_ = new QVBoxLayout(inner);
    column_->setContentsMargins(14, 12, 14, 12);
    column_->setSpacing(0);
    addRecipes(draft);
    addTopologies(draft);
    addBatchSizes(draft);
    column_->addSpacing(12);
    column_->addWidget(makeSeparator());
    column_->addSpacing(12);
    column_->addWidget(buildNumbers());
    addOptions(draft);
    column_->addStretch(1);
    scroll->setWidget(inner);
    all->addWidget(scroll);
    outer_->addWidget(content_, 1);
}

void PlanPanel::addRecipes(const PlanDraft& draft) {
    QVBoxLayout* section = addSection(tr("Recipes"));
    for (const std::string& name : plan_.recipes) {
        const launch::Recipe* recipe = draft.recipes.find(name);
        auto* row = new QHBoxLayout;
        row->setSpacing(8);
        row->addWidget(new KeySign(recipe != nullptr ? vocabulary_.id(WordKind::Framework, recipe->framework)
                                                     : std::string()));
        auto* words = new QVBoxLayout;
        words->setSpacing(0);
        words->addWidget(makeLabel(QString::fromStdString(name), "strong"));
        const QString title = recipe != nullptr ? QString::fromStdString(recipe->title) : tr("not found");
        words->addWidget(makeLabel(title, "caption"));
        row->addLayout(words, 1);
        section->addLayout(row);
    }
}

void PlanPanel::addTopologies(const PlanDraft& draft) {
    FlowLayout* flow = addFlow(addSection(tr("Topologies"), tr("nodes and devices per node")));
    for (const Topology& topology : draft.original.topologies) {
        const auto& chosen = plan_.topologies;
        QToolButton* chip = makeChip(QString::fromStdString(toString(topology)),
                                     std::ranges::find(chosen, topology) != chosen.end());
        connect(chip, &QToolButton::clicked, this,
                [this, topology, order = draft.original.topologies](bool on) {
                    toggle(plan_.topologies, order, topology, on);
                    emit changed(plan_);
                });
        flow->addWidget(chip);
    }
}

void PlanPanel::addBatchSizes(const PlanDraft& draft) {
    FlowLayout* flow = addFlow(addSection(tr("Batch size per device")));
    for (const int size : draft.original.batchSizes) {
        const auto& chosen = plan_.batchSizes;
        QToolButton* chip = makeChip(QString::number(size), std::ranges::find(chosen, size) != chosen.end());
        connect(chip, &QToolButton::clicked, this, [this, size, order = draft.original.batchSizes](bool on) {
            toggle(plan_.batchSizes, order, size, on);
            emit changed(plan_);
        });
        flow->addWidget(chip);
    }
    FlowLayout* precisions = addFlow(addSection(tr("Precision")));
    for (const std::string& precision : draft.original.precisions) {
        const auto& chosen = plan_.precisions;
        QToolButton* chip =
            makeChip(QString::fromStdString(precision), std::ranges::find(chosen, precision) != chosen.end());
        connect(chip, &QToolButton::clicked, this,
                [this, precision, order = draft.original.precisions](bool on) {
                    toggle(plan_.precisions, order, precision, on);
                    emit changed(plan_);
                });
        precisions->addWidget(chip);
    }
}

QSpinBox* PlanPanel::makeNumber(int low, int high) {
    auto* box = new QSpinBox;
    box->setRange(low, high);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setKeyboardTracking(false);
    box->setMinimumWidth(64);
    box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    return box;
}

QWidget* PlanPanel::buildNumbers() {
    auto* host = new QWidget;
    auto* grid = new QGridLayout(host);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    const auto add = [&](int column, const QString& title, QSpinBox* box, int value) {
        box->setValue(value);
        box->setAccessibleName(title);
        grid->addWidget(makeLabel(title, "section"), 0, column);
        grid->addWidget(box, 1, column);
        return box;
    };
    QSpinBox* repetitions = add(0, tr("Repetitions"), makeNumber(1, mostRepetitions), plan_.repetitions);
    connect(repetitions, &QSpinBox::valueChanged, this, [this](int value) {
        plan_.repetitions = value;
        emit changed(plan_);
    });
    // Where the plan leaves the window to the log format, there is nothing to change here.
    if (plan_.warmup && plan_.train) {
        QSpinBox* warmup = add(1, tr("Warmup"), makeNumber(0, mostIterations), *plan_.warmup);
        QSpinBox* measured =
            add(2, tr("Measured"), makeNumber(1, mostIterations), *plan_.train - *plan_.warmup);
        const auto apply = [this, warmup, measured] {
            plan_.warmup = warmup->value();
            plan_.train = warmup->value() + measured->value();
            emit changed(plan_);
        };
        connect(warmup, &QSpinBox::valueChanged, this, apply);
        connect(measured, &QSpinBox::valueChanged, this, apply);
    }
    QSpinBox* timeout =
        add(3, tr("Timeout"), makeNumber(1, longestMinutes), (plan_.timeoutSeconds + 59) / 60);
    timeout->setSuffix(tr(" min"));
    connect(timeout, &QSpinBox::valueChanged, this, [this](int minutes) {
        plan_.timeoutSeconds = minutes * 60;
        emit changed(plan_);
    });
    return host;
}

void PlanPanel::addOptions(const PlanDraft& draft) {
    for (const std::string& name : plan_.recipes) {
        const launch::Recipe* recipe = draft.recipes.find(name);
        if (recipe == nullptr || recipe->options.empty()) {
            continue;
        }
        QVBoxLayout* section = addSection(tr("Options"), QString::fromStdString(name));
        auto* grid = new QGridLayout;
        grid->setHorizontalSpacing(12);
        grid->setVerticalSpacing(4);
        grid->setColumnStretch(1, 1);
        for (const launch::RecipeOption& option : recipe->options) {
            std::string value = option.defaultValue;
            if (const auto own = plan_.options.find(name); own != plan_.options.end()) {
                const auto set = own->second.find(option.name);
                value = set != own->second.end() ? set->second : value;
            }
            const int row = grid->rowCount();
            grid->addWidget(makeLabel(QString::fromStdString(option.name), "secondary"), row, 0);
            const bool changedValue = value != option.defaultValue;
            const QString shown = value.empty() ? tr("none") : QString::fromStdString(value);
            QLabel* text = makeLabel(changedValue ? shown : tr("%1 (default)").arg(shown), "mono");
            text->setToolTip(plainTip(QString::fromStdString(option.help)));
            grid->addWidget(text, row, 1);
        }
        section->addLayout(grid);
    }
}

}  // namespace dlperf::ui
