// SPDX-License-Identifier: Apache-2.0
// Pictures for who wants to look at them: DLPERF_PICTURES=FOLDER keeps them.
#pragma once

#include <QDir>
#include <QWidget>
#include <QtTest>

#include "ui/theme/theme_control.h"

namespace dlperf::ui::test {

inline void keepPicture(QWidget& shown, const QString& name) {
    const QString folder = qEnvironmentVariable("DLPERF_PICTURES");
    if (!folder.isEmpty()) {
        QTest::qWait(300);  // what has just changed is painted, with the theme that parts get in turns
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(shown.grab().save(QStringLiteral("%1/%2.png").arg(folder, name)));
    }
}

// One in light and one in dark.
inline void keepPictures(QWidget& dialog, ThemeControl& theme, const QString& name) {
    if (qEnvironmentVariableIsEmpty("DLPERF_PICTURES")) {
        return;
    }
    for (const auto& [choice, word] : {std::pair{ThemeChoice::Dark, "dark"}, {ThemeChoice::Light, "light"}}) {
        theme.start(choice);
        keepPicture(dialog, name + QLatin1Char('-') + QLatin1String(word));
    }
}

}  // namespace dlperf::ui::test
