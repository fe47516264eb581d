// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/option_fields.h"

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>

#include "ui/theme/fonts.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {

OptionFields::OptionFields(const launch::Recipe& recipe, QWidget* parent) : QWidget(parent) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    for (const launch::RecipeOption& option : recipe.options) {
        const int row = grid->rowCount();
        const QString name = QString::fromStdString(option.name);
        QString help = QString::fromStdString(option.help);
        if (option.affectsResult) {
            help += tr("; part of the case");
        }
        QLabel* title = makeLabel(name, "secondary");
        title->setToolTip(plainTip(help));
        grid->addWidget(title, row, 0);
        auto* line = new QLineEdit;
        line->setProperty("size", "small");
        line->setFont(monoFont());
        line->setPlaceholderText(option.defaultValue.empty() ? tr("none")
                                                             : QString::fromStdString(option.defaultValue));
        line->setAccessibleName(name);
        line->setAccessibleDescription(help);
        line->setToolTip(plainTip(help));
        connect(line, &QLineEdit::textEdited, this, [this, option = option.name](const QString& text) {
            emit changed(option, text.toStdString());
        });
        grid->addWidget(line, row, 1);
        QLabel* caption = makeLabel(help, "caption");
        caption->setWordWrap(true);
        caption->setContentsMargins(0, 0, 0, 4);
        grid->addWidget(caption, row + 1, 1);
        grid->setRowMinimumHeight(row + 1, scaled(19));
        fields_.push_back({option.name, line});
    }
}

void OptionFields::setValues(const OptionTexts& values) {
    for (const Field& field : fields_) {
        const auto found = values.find(field.option);
        const QString text = found == values.end() ? QString() : QString::fromStdString(found->second);
        if (field.line->text() != text && !field.line->hasFocus()) {
            field.line->setText(text);
        }
    }
}

}  // namespace dlperf::ui
