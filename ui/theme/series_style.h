// SPDX-License-Identifier: Apache-2.0
// Colour follows the entity: a framework keeps its hue and its marker everywhere. Its series differ by how
// they are filled: the first full, the second hollow, further ones in part. The marker is the second clue for
// print and for colour-blind readers.
#pragma once

#include <QColor>
#include <QPainter>
#include <string_view>

#include "ui/theme/theme.h"

namespace dlperf::ui {

enum class Marker { Circle, Square, Triangle, Diamond, Pentagon, Star, None };

// Of markers; bars are full, tinted, or hatched in three directions.
enum class Fill { Full, Hollow, Lower, Dot, Left };

struct SeriesStyle {
    QColor color;
    Marker marker = Marker::Circle;
    Fill fill = Fill::Full;
};

inline constexpr int frameworkLooks = 15;
// By framework id of the vocabulary; an unknown one takes the colour for any other. fill says which of the
// framework's looks it is; 1 is hollow.
[[nodiscard]] SeriesStyle frameworkStyle(const Theme& theme, std::string_view framework, int fill);
inline constexpr int positionHues = 6;
// By position: nodes, and series that are coloured by something else than their framework.
[[nodiscard]] SeriesStyle styleAt(const Theme& theme, int position);
[[nodiscard]] inline SeriesStyle seriesStyle(const Theme& theme, std::string_view framework, int fill) {
    return framework.empty() ? styleAt(theme, fill) : frameworkStyle(theme, framework, fill);
}

// What fills a bar: the full hue, a tint of it on the panel (hollow), or half a tint below a hatch.
[[nodiscard]] QColor barFill(const Theme& theme, const SeriesStyle& style);
void drawHatch(QPainter& painter, const QRectF& bar, const SeriesStyle& style);

// A marker of the given size (px) around a point; what is not filled shows the ground.
void drawMarker(QPainter& painter, const QPointF& center, const SeriesStyle& style, const QColor& ground,
                double size = 8);
// Line, marker, line: how a legend, a table and a queue name a series. Fills the rectangle's width.
void drawKey(QPainter& painter, const QRectF& where, const SeriesStyle& style, const QColor& ground);

}  // namespace dlperf::ui
