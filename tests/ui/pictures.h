// SPDX-License-Identifier: Apache-2.0
// Pictures of a dialog for who wants to look at it: DLPERF_PICTURES=FOLDER keeps one in light and one in
// dark.
#pragma once

#include <QWidget>
#include <QtTest>

#include "ui/theme/theme_control.h"

namespace dlperf::ui::test {

inline void keepPictures(QWidget& dialog, ThemeControl& theme, const QString& name) {
    const QString folder = qEnvironmentVariable("DLPERF_PICTURES");
    if (folder.isEmpty()) {
        return;
    }
    for (const auto& [choice, word] : {std::pair{ThemeChoice::Dark, "dark"}, {ThemeChoice::Light, "light"}}) {
        theme.start(choice);
        QTest::qWait(200);  // parts get the theme one after the other
        QVERIFY(dialog.grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, name, QLatin1String(word))));
    }
}

}  // namespace dlperf::ui::test
