// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/theme_control.h"

#include <QApplication>
#include <QSettings>

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

namespace dlperf::ui {
namespace {

const QString settingName = QStringLiteral("theme");
const QString fontSettingName = QStringLiteral("fontPercent");

bool isDark(const QPalette& palette) {
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

}  // namespace

ThemeControl::ThemeControl(QApplication& application)
    : QObject(&application), application_(application), systemIsDark_(isDark(QApplication::palette())) {}

ThemeChoice ThemeControl::stored() {
    return parseThemeChoice(QSettings().value(settingName).toString());
}

void ThemeControl::prepare(ThemeChoice choice) {
    choice_ = choice;
    applyColors(application_, choice, systemIsDark_);
}

void ThemeControl::start(ThemeChoice choice) {
    choice_ = choice;
    applyTheme(application_, choice, systemIsDark_);
    emit changed();
}

void ThemeControl::choose(ThemeChoice choice) {
    QSettings().setValue(settingName, toString(choice));
    start(choice);
}

int ThemeControl::storedFontPercent() {
    return QSettings().value(fontSettingName, 100).toInt();
}

void ThemeControl::chooseFontPercent(int percent) {
    QSettings().setValue(fontSettingName, percent);
    setFontPercent(percent);
    start(choice_);
}

void ThemeControl::toggle() {
    choose(currentTheme().dark ? ThemeChoice::Light : ThemeChoice::Dark);
}

}  // namespace dlperf::ui
