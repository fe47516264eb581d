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
constexpr std::array<std::size_t, 4> nodeHues{0, 3, 2, 4};
constexpr double tintLight = 0.30;
constexpr double tintDark = 0.34;
constexpr double markerPen = 1.6;

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

}  // namespace

SeriesStyle frameworkStyle(const Theme& theme, std::string_view framework, bool hollow) {
    for (std::size_t i = 0; i < looks.size(); ++i) {
        if (looks[i].id == framework) {
            return {theme.series[i], looks[i].marker, hollow};
        }
    }
    return {theme.series.back(), Marker::Star, hollow};
}

SeriesStyle nodeStyle(const Theme& theme, int position) {
    const auto hue = nodeHues[static_cast<std::size_t>(position) % nodeHues.size()];
    return {theme.series[hue], looks[hue].marker, position / static_cast<int>(nodeHues.size()) % 2 == 1};
}

QColor barFill(const Theme& theme, const SeriesStyle& style) {
    return style.hollow ? mixed(style.color, theme.panel, theme.dark ? tintDark : tintLight) : style.color;
}

void drawMarker(QPainter& painter, const QPointF& center, const SeriesStyle& style, const QColor& ground,
                double size) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style.color, markerPen, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(style.hollow ? ground : style.color);
    const double half = (size - markerPen) / 2;
    switch (style.marker) {
        case Marker::Circle:
            painter.drawEllipse(center, half, half);
            break;
        case Marker::Square:
            painter.drawRect(QRectF(center.x() - half, center.y() - half, 2 * half, 2 * half));
            break;
        case Marker::Triangle:
            painter.drawPolygon(ring(center + QPointF(0, half * 0.2), 3, half * 1.25, half * 1.25));
            break;
        case Marker::Diamond:
            painter.drawPolygon(ring(center, 4, half * 1.3, half * 1.3));
            break;
        case Marker::Pentagon:
            painter.drawPolygon(ring(center, 5, half * 1.2, half * 1.2));
            break;
        case Marker::Star:
            painter.drawPolygon(ring(center, 10, half * 1.4, half * 0.6));
            break;
    }
    painter.restore();
}

void drawKey(QPainter& painter, const QRectF& where, const SeriesStyle& style, const QColor& ground) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style.color, 2));
    painter.drawLine(QPointF(where.left(), where.center().y()), QPointF(where.right(), where.center().y()));
    painter.restore();
    drawMarker(painter, where.center(), style, ground);
}

}  // namespace dlperf::ui
