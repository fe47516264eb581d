// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/series_style.h"

#include <QPolygonF>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace dlperf::ui {
namespace {

struct FrameworkLook {
    std::string_view id;
    Marker marker;
};

// In the order of Theme::series.
constexpr std::array<FrameworkLook, 7> looks{{{"oneflow", Marker::Circle},
                                              {"pytorch", Marker::Square},
                                              {"tensorflow", Marker::Triangle},
                                              {"mxnet", Marker::Diamond},
                                              {"paddle", Marker::Pentagon},
                                              {"mindspore", Marker::Star},
                                              {"dlperf-worker", Marker::Circle}}};
// A position past them has the first hue again.
constexpr std::array<std::size_t, positionHues> hues{0, 3, 2, 4, 1, 5};
constexpr double tintLight = 0.30;
constexpr double tintDark = 0.34;
constexpr double markerPen = 1.6;
constexpr double thinMarkerPen = 1.2;
constexpr double wideLine = 3;  // px; of a running median, which has no marker
constexpr double hatchPen = 1.2;
constexpr double hatchPitch = 4;      // px
constexpr double narrowestHatch = 6;  // px; on less it is noise
constexpr double dotShare = 0.4;      // of the marker
constexpr int furtherFills = 4;       // after Full
// The looks of a framework's series, by their number: even ones are of its main implementation.
struct SeriesLook {
    int shade = 0;
    Fill fill = Fill::Full;
};
constexpr std::array<SeriesLook, frameworkLooks> looksInOrder{{{0, Fill::Full},
                                                               {0, Fill::Hollow},
                                                               {1, Fill::Full},
                                                               {1, Fill::Hollow},
                                                               {2, Fill::Full},
                                                               {2, Fill::Hollow},
                                                               {0, Fill::Lower},
                                                               {0, Fill::Dot},
                                                               {1, Fill::Lower},
                                                               {1, Fill::Dot},
                                                               {2, Fill::Lower},
                                                               {2, Fill::Dot},
                                                               {0, Fill::Left},
                                                               {1, Fill::Left},
                                                               {2, Fill::Left}}};
// Two more of each hue, in the order of Theme::series: the smallest CIEDE2000 of any two of all 24 is 14.8,
// within a framework 16.3; contrast to the panel at least 3.07:1.
using Shades = std::array<std::array<QRgb, 2>, looks.size() + 1>;
constexpr Shades lightShades{{{0xFF1D08F2, 0xFF021745},
                              {0xFFFA5900, 0xFFA4235C},
                              {0xFF432604, 0xFF5D6100},
                              {0xFF11390F, 0xFF2F9D29},
                              {0xFF977AFF, 0xFFC700C4},
                              {0xFF556E72, 0xFF123533},
                              {0xFFA5503C, 0xFF41061E},
                              {0xFF92919C, 0xFF7257A3}}};
constexpr Shades darkShades{{{0xFF27A6B9, 0xFF0071C7},
                             {0xFF946D00, 0xFFFF9314},
                             {0xFF8A9400, 0xFFCEFF47},
                             {0xFF148039, 0xFF28C21F},
                             {0xFFC4BDD5, 0xFFD38BD5},
                             {0xFF00AD86, 0xFF007A94},
                             {0xFFB78D76, 0xFFE7ACBA},
                             {0xFF7580B7, 0xFF707070}}};
constexpr int roundCorners = 24;  // of a circle that is cut

QColor mixed(const QColor& over, const QColor& ground, double share) {
    const auto channel = [&](double a, double b) { return static_cast<float>(a * share + b * (1 - share)); };
    return QColor::fromRgbF(channel(over.redF(), ground.redF()), channel(over.greenF(), ground.greenF()),
                            channel(over.blueF(), ground.blueF()));
}

// Corners on a circle, the first one on top; every second one on the inner radius.
QPolygonF ring(const QPointF& center, int corners, double outer, double inner) {
    QPolygonF polygon;
    for (int i = 0; i < corners; ++i) {
        const double angle = 2 * std::numbers::pi * i / corners;
        const double radius = i % 2 == 0 ? outer : inner;
        polygon << center + QPointF(radius * std::sin(angle), -radius * std::cos(angle));
    }
    return polygon;
}

QPolygonF outlineOf(Marker marker, const QPointF& center, double half) {
    switch (marker) {
        case Marker::Circle:
            return ring(center, roundCorners, half, half);
        case Marker::Square:
            return QRectF(center.x() - half, center.y() - half, 2 * half, 2 * half);
        case Marker::Triangle:
            return ring(center + QPointF(0, half * 0.2), 3, half * 1.25, half * 1.25);
        case Marker::Diamond:
            return ring(center, 4, half * 1.3, half * 1.3);
        case Marker::Pentagon:
            return ring(center, 5, half * 1.2, half * 1.2);
        case Marker::Star:
            return ring(center, 10, half * 1.4, half * 0.6);
        case Marker::None:
            break;
    }
    return {};
}

// The part of a shape left of its center, or below it. Cut here: SVG pictures know no clipping.
QPolygonF halfOf(const QPolygonF& shape, const QPointF& center, bool left) {
    const auto inside = [&](const QPointF& at) { return left ? center.x() - at.x() : at.y() - center.y(); };
    QPolygonF half;
    for (qsizetype i = 0; i < shape.size(); ++i) {
        const QPointF& from = shape[i];
        const QPointF& to = shape[(i + 1) % shape.size()];
        const double here = inside(from);
        const double there = inside(to);
        if (here >= 0) {
            half << from;
        }
        if ((here < 0) != (there < 0)) {
            half << from + (to - from) * (here / (here - there));
        }
    }
    return half;
}

// Counts the series of a hue: the sixth looks as the second.
Fill fillAt(int position) {
    return position <= 0 ? Fill::Full : static_cast<Fill>(1 + (position - 1) % furtherFills);
}

QColor shadeOf(const Theme& theme, std::size_t framework, int shade) {
    const Shades& shades = theme.dark ? darkShades : lightShades;
    return shade == 0 ? theme.series[framework]
                      : QColor(shades.at(framework).at(static_cast<std::size_t>(shade - 1)));
}

// Slanted lines across a bar, rising to the right or falling.
void drawSlanted(QPainter& painter, const QRectF& bar, bool rising) {
    for (double start = hatchPitch; start < bar.width() + bar.height();
         start += hatchPitch * std::numbers::sqrt2) {
        // Along the lower left corner: from the left edge to the bottom edge, both inside the bar.
        const double x1 = std::max(0.0, start - bar.height());
        const double x2 = std::min(start, bar.width());
        const QPointF from(x1, bar.height() - (start - x1));
        const QPointF to(x2, bar.height() - (start - x2));
        const auto at = [&](const QPointF& point) {
            return QPointF(rising ? bar.right() - point.x() : bar.left() + point.x(), bar.top() + point.y());
        };
        painter.drawLine(at(from), at(to));
    }
}

}  // namespace

SeriesStyle frameworkStyle(const Theme& theme, std::string_view framework, int fill) {
    const auto* known = std::ranges::find(looks, framework, &FrameworkLook::id);
    const auto place = static_cast<std::size_t>(known - looks.begin());
    const SeriesLook look =
        looksInOrder.at(static_cast<std::size_t>(std::max(fill, 0)) % looksInOrder.size());
    return {shadeOf(theme, place, look.shade), known == looks.end() ? Marker::Star : known->marker,
            look.fill};
}

SeriesStyle styleAt(const Theme& theme, int position) {
    const auto hue = hues[static_cast<std::size_t>(position) % hues.size()];
    return {theme.series[hue], looks[hue].marker, fillAt(position / static_cast<int>(hues.size()))};
}

QColor barFill(const Theme& theme, const SeriesStyle& style) {
    const double tint = (theme.dark ? tintDark : tintLight) / (style.fill == Fill::Hollow ? 1 : 2);
    return style.fill == Fill::Full ? style.color : mixed(style.color, theme.panel, tint);
}

void drawHatch(QPainter& painter, const QRectF& bar, const SeriesStyle& style) {
    if (style.fill == Fill::Full || style.fill == Fill::Hollow || bar.width() < narrowestHatch) {
        return;
    }
    painter.setPen(QPen(style.color, hatchPen, Qt::SolidLine, Qt::FlatCap));
    if (style.fill != Fill::Left) {
        drawSlanted(painter, bar, style.fill == Fill::Lower);
        return;
    }
    for (double y = bar.bottom() - hatchPitch; y > bar.top(); y -= hatchPitch) {
        painter.drawLine(QPointF(bar.left(), y), QPointF(bar.right(), y));
    }
}

void drawMarker(QPainter& painter, const QPointF& center, const SeriesStyle& style, const QColor& ground,
                double size) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double half = (size - markerPen) / 2;
    const QPolygonF outline = outlineOf(style.marker, center, half);
    const bool inPart = style.fill > Fill::Hollow;  // then what is inside has to be seen
    painter.setPen(
        QPen(style.color, inPart ? thinMarkerPen : markerPen, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(style.fill == Fill::Full ? style.color : ground);
    if (style.marker == Marker::None) {
        painter.fillRect(QRectF(center.x() - half, center.y() - wideLine / 2, 2 * half, wideLine),
                         style.color);
    } else if (style.marker == Marker::Circle) {
        painter.drawEllipse(center, half, half);
    } else {
        painter.drawPolygon(outline);
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(style.color);
    if (style.fill == Fill::Dot) {
        painter.drawEllipse(center, half * dotShare, half * dotShare);
    } else if (style.fill == Fill::Lower || style.fill == Fill::Left) {
        // Most of a triangle lies below its center.
        const QPointF middle = center + QPointF(0, style.marker == Marker::Triangle ? half * 0.4 : 0);
        painter.drawPolygon(halfOf(outline, middle, style.fill == Fill::Left));
    }
    painter.restore();
}

void drawKey(QPainter& painter, const QRectF& where, const SeriesStyle& style, const QColor& ground) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style.color, style.marker == Marker::None ? wideLine : 2));
    painter.drawLine(QPointF(where.left(), where.center().y()), QPointF(where.right(), where.center().y()));
    painter.restore();
    if (style.marker != Marker::None) {
        drawMarker(painter, where.center(), style, ground);
    }
}

}  // namespace dlperf::ui
