// SPDX-License-Identifier: Apache-2.0
// Our own icons, 16 px, 1.4 px stroke, in resources/icons. They hold the colour #000 only and are recoloured
// when they are painted, so they follow the palette by themselves.
#pragma once

#include <QIcon>
#include <QPixmap>
#include <QString>

#include "ui/theme/theme.h"

namespace dlperf::ui {

enum class Ink { Text, Text2, Text3, OnAccent, Accent, Link, Ok, Warn, Fail, Info, Idle };

[[nodiscard]] QColor inkColor(const Theme& theme, Ink ink);
// Of a state's icon: "ok", "fail", "warn", "running"; any other is idle.
[[nodiscard]] QColor stateColor(const Theme& theme, const QString& state);

// An icon by its file's name without ending: "play". Disabled and selected states take their own colours.
[[nodiscard]] QIcon icon(const QString& name, Ink ink = Ink::Text2);
[[nodiscard]] QPixmap iconPixmap(const QString& name, const QColor& color, int size, double ratio);

}  // namespace dlperf::ui
