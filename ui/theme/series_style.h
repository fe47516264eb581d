// SPDX-License-Identifier: Apache-2.0
// Colour follows the entity: a framework keeps its hue and its marker everywhere; a second implementation of
// it is hollow. The marker is the second clue for print and for colour-blind readers.
#pragma once

#include <QColor>
#include <QPainter>
#include <string_view>

#include "ui/theme/theme.h"

namespace dlperf::ui {

enum class Marker { Circle, Square, Triangle, Diamond, Pentagon, Star };

struct SeriesStyle {
    QColor color;
    Marker marker = Marker::Circle;
    bool hollow = false;
};

// By framework id of the vocabulary; an unknown one takes the colour for any other.
[[nodiscard]] SeriesStyle frameworkStyle(const Theme& theme, std::string_view framework, bool hollow);
// Nodes in a live chart, by position.
[[nodiscard]] SeriesStyle nodeStyle(const Theme& theme, int position);

// What fills a bar: the full hue, or a tint of it on the panel (hollow).
[[nodiscard]] QColor barFill(const Theme& theme, const SeriesStyle& style);

// A marker of the given size (px) around a point; hollow ones are filled with the panel.
void drawMarker(QPainter& painter, const QPointF& center, const SeriesStyle& style, const QColor& ground,
                double size = 8);
// Line, marker, line: how a legend, a table and a queue name a series. Fills the rectangle's width.
void drawKey(QPainter& painter, const QRectF& where, const SeriesStyle& style, const QColor& ground);

}  // namespace dlperf::ui
