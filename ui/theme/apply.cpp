// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/apply.h"

#include <QApplication>
#include <QFile>
#include <QStyleFactory>

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

namespace dlperf::ui {

ThemeChoice parseThemeChoice(const QString& text) {
    if (text == QLatin1String("light")) {
        return ThemeChoice::Light;
    }
    return text == QLatin1String("dark") ? ThemeChoice::Dark : ThemeChoice::System;
}

QString toString(ThemeChoice choice) {
    switch (choice) {
        case ThemeChoice::Light:
            return QStringLiteral("light");
        case ThemeChoice::Dark:
            return QStringLiteral("dark");
        case ThemeChoice::System:
            break;
    }
    return QStringLiteral("system");
}

void applyTheme(QApplication& application, ThemeChoice choice, bool systemIsDark) {
    const bool dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && systemIsDark);
    const Theme& theme = dark ? darkTheme() : lightTheme();
    // Each of these polishes every widget anew.
    if (application.styleSheet().isEmpty()) {
        application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    }
    application.setPalette(paletteOf(theme));
    if (QApplication::font() != textFont()) {
        application.setFont(textFont());
    }
    QFile sheet(QStringLiteral(":/dlperf/theme/dashboard.qss"));
    if (sheet.open(QIODevice::ReadOnly)) {
        application.setStyleSheet(withScaledFonts(withTokens(QString::fromUtf8(sheet.readAll()), theme)));
    }
}

}  // namespace dlperf::ui
