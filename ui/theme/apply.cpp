// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/apply.h"

#include <QApplication>
#include <QFile>
#include <QStyle>
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

namespace {

const Theme& themeFor(ThemeChoice choice, bool systemIsDark) {
    const bool dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && systemIsDark);
    return dark ? darkTheme() : lightTheme();
}

}  // namespace

void applyColors(QApplication& application, ThemeChoice choice, bool systemIsDark) {
    // Each of these polishes every widget anew.
    const QString fusion = QStringLiteral("fusion");
    if (application.styleSheet().isEmpty() && QApplication::style()->name() != fusion) {
        application.setStyle(QStyleFactory::create(fusion));
    }
    application.setPalette(paletteOf(themeFor(choice, systemIsDark)));
    if (QApplication::font() != textFont()) {
        application.setFont(textFont());
    }
}

QString styleSheetOf(ThemeChoice choice, bool systemIsDark) {
    QFile sheet(QStringLiteral(":/dlperf/theme/dashboard.qss"));
    return sheet.open(QIODevice::ReadOnly) ? withScaledFonts(withTokens(QString::fromUtf8(sheet.readAll()),
                                                                        themeFor(choice, systemIsDark)))
                                           : QString();
}

}  // namespace dlperf::ui
