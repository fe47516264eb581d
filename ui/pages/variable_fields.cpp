// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/variable_fields.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>

#include "core/base/text.h"
#include "ui/theme/fonts.h"
#include "ui/widgets/chip_row.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int variableFieldWidth = 190;  // px of the field: NCCL_NET_GDR_LEVEL and some to spare

}  // namespace

VariableFields::VariableFields(QWidget* parent) : QWidget(parent), column_(makeColumn(this, {}, 8)) {
    add_ = new ChipRow(tr("Variable"), QStringLiteral("NCCL_ALGO"),
                       [this](const QString& text) { return judgeName(text); });
    add_->setOther(tr("Add variable"), variableFieldWidth);
    connect(add_, &ChipRow::typed, this, [this](const QString& text) { add(text.toStdString()); });
    column_->addWidget(add_);
}

// As planFromJson() judges names, so that a plan that is shown can be saved and read again.
QString VariableFields::judgeName(const QString& text) const {
    const std::string name = text.toStdString();
    if (!isVariableName(name)) {
        return tr("Write letters, digits and underscores, no digit first");
    }
    if (name.starts_with("DLPERF_")) {
        return tr("Names with DLPERF_ are set by the program; options stand below");
    }
    const bool isThere = std::ranges::find(rows_, name, &Row::name) != rows_.end();
    return isThere ? tr("It is there already") : QString();
}

QString VariableFields::judgeValue(const std::string& name, const QString& text) const {
    const auto values = valuesOf(name);
    const bool isThere = std::ranges::find(values, text.toStdString()) != values.end();
    return isThere ? tr("It is there already") : QString();
}

std::vector<std::string> VariableFields::valuesOf(const std::string& name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? std::vector<std::string>() : found->second;
}

void VariableFields::setVariables(const launch::Sweep& variables) {
    variables_ = variables;
    std::set<std::string> names = unset_;
    for (const auto& [name, values] : variables) {
        unset_.erase(name);
        names.insert(name);
    }
    const auto isGone = [&](const Row& row) { return !names.contains(row.name); };
    for (const Row& row : rows_) {
        if (isGone(row)) {
            takeAway(row);
        }
    }
    std::erase_if(rows_, isGone);
    int place = 0;
    for (const std::string& name : names) {
        const auto at = rows_.begin() + place;
        if (at == rows_.end() || at->name != name) {
            const auto made = rows_.insert(at, makeRowOf(name));
            column_->insertWidget(place, made->host);
            made->host->show();  // at once, to take the keyboard
        }
        ++place;
    }
    for (const Row& row : rows_) {
        std::vector<ChipRow::Chip> chips;
        for (const std::string& value : valuesOf(row.name)) {
            const QString text = QString::fromStdString(value);
            chips.push_back({text, text.isEmpty() ? tr("empty") : text, true, tr("Removes this value")});
        }
        row.nothing->setText(chips.empty() ? tr("no value yet") : QString());
        row.chips->setChips(chips);
    }
    orderTabs();
}

VariableFields::Row VariableFields::makeRowOf(const std::string& name) {
    const QString text = QString::fromStdString(name);
    Row row{.name = name,
            .host = new QWidget(this),
            .nothing = makeLabel({}, "caption"),
            .remove = makeIconButton(QStringLiteral("close"), tr("Remove %1").arg(text)),
            .chips = new ChipRow(text, tr("value"),
                                 [this, name](const QString& value) { return judgeValue(name, value); })};
    QVBoxLayout* column = makeColumn(row.host, {}, 2);
    QHBoxLayout* head = makeRow(nullptr, {}, 8);
    auto* title = new ElidedLabel(text);
    title->setFont(monoFont());
    head->addWidget(title, 1);
    head->addWidget(row.nothing);
    head->addWidget(row.remove);
    column->addLayout(head);
    row.chips->setOther(tr("Add value"));
    column->addWidget(row.chips);
    connect(row.remove, &QToolButton::clicked, this, [this, name] { remove(name); });
    connect(row.chips, &ChipRow::toggled, this,
            [this, name](const QString& value, bool on) { setValue(name, value.toStdString(), on); });
    connect(row.chips, &ChipRow::typed, this,
            [this, name](const QString& value) { setValue(name, value.toStdString(), true); });
    return row;
}

void VariableFields::add(const std::string& name) {
    unset_.insert(name);
    setVariables(launch::Sweep(variables_));
    // The value is next, unless the name was ended by a click somewhere else.
    const QWidget* focused = QApplication::focusWidget();
    if (focused != nullptr && add_->isAncestorOf(focused)) {
        std::ranges::find(rows_, name, &Row::name)->chips->openField();
    }
}

void VariableFields::remove(const std::string& name) {
    unset_.erase(name);
    if (variables_.contains(name)) {
        changed(name, {});
    } else {
        setVariables(launch::Sweep(variables_));
    }
}

// The row of a variable that lost its last value stays: one click too many must not take the name along.
void VariableFields::setValue(const std::string& name, const std::string& value, bool on) {
    auto values = valuesOf(name);
    std::erase(values, value);
    if (on) {
        values.push_back(value);
    }
    if (values.empty()) {
        unset_.insert(name);
    }
    changed(name, values);
}

// Its click may be on the way up. The keyboard goes on where the next variable is removed, or one is added.
void VariableFields::takeAway(const Row& row) {
    const QWidget* focused = QApplication::focusWidget();
    if (focused != nullptr && row.host->isAncestorOf(focused)) {
        const auto next =
            std::ranges::find_if(rows_, [&](const Row& other) { return other.name > row.name; });
        if (next != rows_.end()) {
            next->remove->setFocus(Qt::OtherFocusReason);
        } else {
            add_->focusOther();
        }
    }
    column_->removeWidget(row.host);
    row.host->hide();
    row.host->deleteLater();
}

// Rows come when everything else on the page has its place in the order of Tab.
void VariableFields::orderTabs() {
    std::vector<QWidget*> stops;
    for (const Row& row : rows_) {
        stops.push_back(row.remove);
        std::ranges::copy(row.chips->tabStops(), std::back_inserter(stops));
    }
    std::ranges::copy(add_->tabStops(), std::back_inserter(stops));
    QWidget* previous = this;
    for (QWidget* stop : stops) {
        setTabOrder(previous, stop);
        previous = stop;
    }
}

}  // namespace dlperf::ui
