// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/settings_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/shell/window_memory.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"
#include "ui/theme/theme_control.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int percentStep = 5;

}  // namespace

SettingsDialog::SettingsDialog(ThemeControl& theme, QWidget* parent)
    : QDialog(parent), theme_(theme), later_(makeLabel({}, "secondary")) {
    setWindowTitle(tr("Settings"));
    setAttribute(Qt::WA_DeleteOnClose);
    QVBoxLayout* column =
        makeColumn(this, {dialogMargin, dialogMargin, dialogMargin, dialogMargin}, dialogMargin);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(dialogMargin);
    form->setVerticalSpacing(10);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addTheme(*form);
    addFontSize(*form);
    addLanguage(*form);
    column->addLayout(form);
    later_->setWordWrap(true);
    later_->setMinimumHeight(2 * later_->fontMetrics().height());  // nothing jumps when it says something
    column->addWidget(later_);
    QDialogButtonBox* buttons = makeDialogButtons(QDialogButtonBox::Close, this);
    column->addWidget(buttons);
    setMinimumWidth(380);
}

void SettingsDialog::addTheme(QFormLayout& form) {
    auto* choice = new QComboBox;
    choice->setObjectName(QStringLiteral("theme"));
    choice->addItems(ThemeControl::titles());
    const auto show = [this, choice] { choice->setCurrentIndex(static_cast<int>(theme_.choice())); };
    show();
    connect(&theme_, &ThemeControl::changed, choice, show);
    connect(choice, &QComboBox::activated, this,
            [this](int index) { theme_.choose(static_cast<ThemeChoice>(index)); });
    form.addRow(tr("&Theme"), choice);
}

void SettingsDialog::addFontSize(QFormLayout& form) {
    auto* percent = new QSpinBox;
    percent->setObjectName(QStringLiteral("fontPercent"));
    percent->setRange(smallestFontPercent, largestFontPercent);
    percent->setSingleStep(percentStep);
    percent->setSuffix(tr(" %"));
    percent->setKeyboardTracking(false);  // "1" and "12" are on the way to "120"
    percent->setValue(fontPercent());
    connect(percent, &QSpinBox::valueChanged, this, [this](int value) {
        theme_.chooseFontPercent(value);
        later_->setText(tr("Some texts take the new size when the window is opened again."));
    });
    form.addRow(tr("&Font size"), percent);
}

void SettingsDialog::addLanguage(QFormLayout& form) {
    auto* language = new QComboBox;
    language->setObjectName(QStringLiteral("language"));
    language->addItem(tr("System"), QString());
    language->addItem(QStringLiteral("English"), QStringLiteral("en"));
    if (hasChinese()) {
        language->addItem(QString::fromUtf8("\xe7\xae\x80\xe4\xbd\x93\xe4\xb8\xad\xe6\x96\x87"),
                          QStringLiteral("zh_CN"));
    }
    language->setCurrentIndex(std::max(0, language->findData(storedLanguage())));
    connect(language, &QComboBox::activated, this, [this, language] {
        storeLanguage(language->currentData().toString());
        emit languageChosen();
    });
    form.addRow(tr("&Language"), language);
}

}  // namespace dlperf::ui
