// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/option_fields.h"

#include <QCompleter>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <algorithm>
#include <iterator>

#include "core/base/mapped.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/localized.h"
#include "ui/theme/tips.h"
#include "ui/widgets/chip_row.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

// What holds where nothing is typed: the default, else what the recipe's help says of it.
QString whenEmpty(const launch::RecipeOption& option) {
    if (!option.defaultValue.empty()) {
        return QString::fromStdString(option.defaultValue);
    }
    const QString help = localized(option.help);
    const QString sign = OptionFields::tr("empty: ", "as in the help of a recipe's option");
    const qsizetype at = help.indexOf(sign);
    return at < 0 ? OptionFields::tr("none") : help.mid(at + sign.size());
}

bool isAmong(const OptionValue& values, const std::string& value) {
    return std::ranges::find(values, value) != values.end();
}

}  // namespace

OptionFields::OptionFields(const launch::Recipe& recipe, QWidget* parent) : QWidget(parent) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    for (const launch::RecipeOption& option : recipe.options) {
        addField(option, *grid);
    }
}

void OptionFields::addField(const launch::RecipeOption& option, QGridLayout& grid) {
    const int row = grid.rowCount();
    const QString help =
        localized(option.help) + (option.affectsResult ? tr("; part of the case") : QString());
    QLabel* title = makeLabel(QString::fromStdString(option.name), "secondary");
    title->setToolTip(plainTip(help));
    grid.addWidget(title, row, 0);
    QLineEdit* line = makeLine(option, help);
    grid.addWidget(line, row, 1);
    fields_.push_back({option, line});
    if (option.affectsResult) {
        addChips(fields_.back(), grid, row);
    }
    QLabel* caption = makeText(help, "caption");
    caption->setContentsMargins(0, 0, 0, 4);
    grid.addWidget(caption, row + 1, 1);
    grid.setRowMinimumHeight(row + 1, scaled(19));
}

QLineEdit* OptionFields::makeLine(const launch::RecipeOption& option, const QString& help) {
    auto* line = new QLineEdit;
    line->setProperty("size", "small");
    line->setFont(monoFont());
    line->setPlaceholderText(whenEmpty(option));
    line->setAccessibleName(QString::fromStdString(option.name));
    line->setAccessibleDescription(help);
    line->setToolTip(plainTip(help));
    const auto takeText = [this, name = option.name](const QString& text) { take(name, text); };
    if (!option.choices.empty()) {
        const auto choices = mapped(option.choices, &QString::fromStdString);
        auto* completer = new QCompleter(QStringList(choices.begin(), choices.end()), line);
        completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
        line->setCompleter(completer);
        connect(completer, qOverload<const QString&>(&QCompleter::activated), this, takeText);
    }
    connect(line, &QLineEdit::textEdited, this, takeText);
    return line;
}

void OptionFields::setValues(const launch::Sweep& values) {
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

void OptionFields::take(const std::string& option, const QString& text) {
    changed(option, text.isEmpty() ? OptionValue{} : OptionValue{text.toStdString()});
}

void OptionFields::addChips(Field& field, QGridLayout& grid, int row) {
    const QString name = QString::fromStdString(field.option.name);
    field.more = new QToolButton;
    field.more->setIcon(icon(QStringLiteral("plus")));
    field.more->setAutoRaise(true);
    field.more->setAccessibleName(tr("%1: several values").arg(name));
    field.more->setToolTip(tr("Several values: each is a series of its own"));
    grid.addWidget(field.more, row, 2);
    const auto judge = [](const QString& text) { return text.isEmpty() ? tr("Write a value") : QString(); };
    field.chips = new ChipRow(name, tr("value"), judge);
    field.chips->hide();
    grid.addWidget(field.chips, row, 1, 1, 2);
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

void OptionFields::openChips(const Field& field) {
    field.line->hide();
    field.more->hide();
    field.chips->show();
}

// The values that the option can have, and those that it has; none of them set is its default.
void OptionFields::showChips(const Field& field, OptionValue value) {
    if (value.size() > 1) {
        openChips(field);
    }
    if (value.empty()) {
        value.push_back(field.option.defaultValue);
    }
    shown_[field.option.name] = value;
    OptionValue all = field.option.choices;
    std::ranges::copy_if(value, std::back_inserter(all),
                         [&](const std::string& one) { return !isAmong(field.option.choices, one); });
    std::vector<ChipRow::Chip> chips;
    chips.reserve(all.size());
    for (const std::string& one : all) {
        const QString text = QString::fromStdString(one);
        chips.push_back({text, text.isEmpty() ? tr("none") : text, isAmong(value, one), {}});
    }
    field.chips->setChips(chips);
}

}  // namespace dlperf::ui
