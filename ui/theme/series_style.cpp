// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/series_style.h"

#include <QPolygonF>
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
constexpr int roundCorners = 24;      // of a circle that is cut

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

// Counts a framework's series: the sixth looks as the second.
Fill fillAt(int position) {
    return position <= 0 ? Fill::Full : static_cast<Fill>(1 + (position - 1) % furtherFills);
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
    for (std::size_t i = 0; i < looks.size(); ++i) {
        if (looks[i].id == framework) {
            return {theme.series[i], looks[i].marker, fillAt(fill)};
        }
    }
    return {theme.series.back(), Marker::Star, fillAt(fill)};
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
