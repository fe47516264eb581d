// SPDX-License-Identifier: Apache-2.0
// What a theme puts on the application: style, palette, fonts, style sheet.
#pragma once

#include <QString>

class QApplication;

namespace dlperf::ui {

enum class ThemeChoice { System, Light, Dark };

[[nodiscard]] ThemeChoice parseThemeChoice(const QString& text);  // "light", "dark", else System
[[nodiscard]] QString toString(ThemeChoice choice);

// `systemIsDark` is what the desktop's own palette said before any theme was applied.
// Style, palette and font.
void applyColors(QApplication& application, ThemeChoice choice, bool systemIsDark);
// The style sheet in this theme's colours and with fonts of the size that is set.
[[nodiscard]] QString styleSheetOf(ThemeChoice choice, bool systemIsDark);

}  // namespace dlperf::ui
