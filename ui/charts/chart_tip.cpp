// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_tip.h"

#include <QFontMetrics>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QScreen>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "core/base/mapped.h"
#include "core/report/sample_line.h"
#include "ui/charts/series_look.h"
#include "ui/theme/fonts.h"
#include "ui/theme/numbers.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int widestTip = 340;
constexpr int narrowestTip = 220;
constexpr int tipDistance = 14;  // px from the point

QPixmap signOf(const SeriesStyle& look, const Theme& theme, double ratio) {
    constexpr int side = 12;
    QPixmap pixmap(QSize(side, side) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    drawMarker(painter, QPointF(side / 2.0, side / 2.0), look, theme.tip, 9);
    return pixmap;
}

constexpr std::size_t mostRows = 24;  // fits the smallest screen
constexpr int padding = 10;
constexpr int signWidth = 18;
constexpr int tipGap = 16;
constexpr int widestName = 420;
constexpr int radius = 6;

QFont titleFont() {
    return textFont(size::secondary, QFont::DemiBold);
}

QFont nameFont() {
    return textFont(size::secondary);
}

int tipRowHeight() {
    return scaled(size::secondary + 7);
}

using report::NumberStyle;

QString valueText(double value, NumberStyle style, bool sign) {
    return style == NumberStyle::Times     ? timesText(value)
           : style == NumberStyle::Percent ? percentText(value / 100, sign)
                                           : figureText(value);
}

QString titleOf(const report::Axis& axis, double x) {
    if (axis.scale == report::AxisScale::Categories) {
        const auto index = static_cast<std::size_t>(std::max(0L, std::lround(x)));
        return index < axis.categories.size() ? QString::fromStdString(axis.categories[index]) : QString();
    }
    const QString number = figureText(x, x == std::round(x) ? 0 : 2);
    return axis.title.empty() ? number : QString::fromStdString(axis.title) + QLatin1Char(' ') + number;
}

// Those with a figure: topologies of one number of devices share an x.
std::vector<report::Point> pointsAt(const report::Series& series, double x) {
    std::vector<report::Point> points;
    if (!series.samples) {
        std::ranges::copy_if(series.points, std::back_inserter(points),
                             [x](const report::Point& point) { return point.x == x && !point.missing; });
    } else if (const auto sample = series.samples->nearest(x); sample && sample->x == x) {
        points.push_back({.x = sample->x, .y = sample->y});
    }
    return points;
}

QString writtenValue(const report::Point& point, const report::ChartSpec& spec) {
    const bool offsets = report::showsOffsets(spec);
    if (offsets && point.low) {
        return valueText(*point.low, spec.y.numbers, true) + QStringLiteral(" – ") +
               valueText(*point.high, spec.y.numbers, true);
    }
    // A median is off itself by nothing.
    return offsets && point.y == 0 ? missing : valueText(point.y, spec.y.numbers, offsets);
}

QString withTopology(const QString& title, const CrosshairRow& row) {
    return row.topology.isEmpty() ? title : title + QLatin1Char(' ') + row.topology;
}

// All x that a crosshair can stop at near `x`: for a series of many samples its nearest one.
template <class Take>
void candidates(const Plot& plot, double x, Take take) {
    for (const report::Series& series : plot.spec().series) {
        if (series.role == report::SeriesRole::Ideal) {
            continue;
        }
        if (series.samples) {
            if (const auto sample = series.samples->nearest(x)) {
                take(sample->x);
            }
            continue;
        }
        for (const report::Point& point : series.points) {
            if (plot.hasPlace(point)) {
                take(point.x);
            }
        }
    }
}

}  // namespace

TipFrame::TipFrame(QWidget* owner) : QFrame(owner, Qt::ToolTip | Qt::FramelessWindowHint) {
    setAttribute(Qt::WA_ShowWithoutActivating);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void TipFrame::showBeside(const QPoint& at) {
    QPoint corner = at + QPoint(tipDistance, tipDistance);
    if (const QScreen* screen = QGuiApplication::screenAt(at)) {
        const QRect room = screen->availableGeometry();
        if (corner.x() + width() > room.right()) {
            corner.setX(at.x() - tipDistance - width());
        }
        if (corner.y() + height() > room.bottom()) {
            corner.setY(std::max(room.top(), at.y() - tipDistance - height()));
        }
    }
    move(corner);
    show();
    raise();
}

ChartTip::ChartTip(QWidget* owner) : TipFrame(owner) {
    QVBoxLayout* layout = makeColumn(this, {10, 8, 10, 8}, 3);
    QHBoxLayout* head = makeRow(nullptr, {}, 7);
    sign_ = new QLabel;
    title_ = new QLabel;
    head->addWidget(sign_);
    head->addWidget(title_, 1);
    layout->addLayout(head);
    body_ = new QLabel;
    finding_ = new QLabel;
    for (QLabel* label : {title_, body_, finding_}) {
        label->setTextFormat(Qt::PlainText);  // series names and findings may quote logs
    }
    for (QLabel* label : {body_, finding_}) {
        label->setWordWrap(true);
        label->setMinimumWidth(narrowestTip);
        label->setMaximumWidth(widestTip);
        layout->addWidget(label);
    }
}

void ChartTip::showFor(const report::Series& series, const report::Point& point, const SeriesStyle& look,
                       const Theme& theme, const QPoint& at) {
    setStyleSheet(QStringLiteral("QFrame { background: %1; border: none; border-radius: 6px; }"
                                 "QLabel { color: %2; font-size: 12px; background: transparent; }")
                      .arg(theme.tip.name(), theme.tipText.name()));
    sign_->setPixmap(signOf(look, theme, devicePixelRatioF()));
    // Where the tip itself begins with the series' name, that line is the title.
    const QString tip = QString::fromStdString(point.tip);
    const QString name = QString::fromStdString(series.title);
    const bool named = tip.startsWith(name);
    title_->setText(named ? tip.section(QLatin1Char('\n'), 0, 0) : name);
    title_->setStyleSheet(QStringLiteral("font-weight: 600;"));
    const QString rest = named ? tip.section(QLatin1Char('\n'), 1) : tip;
    body_->setText(rest);
    body_->setVisible(!rest.isEmpty());
    finding_->setText(QString::fromStdString(point.finding));
    finding_->setStyleSheet(QStringLiteral("color: %1;").arg(theme.dark ? "#8A5A00" : "#E8B84A"));
    finding_->setVisible(!point.finding.empty());
    adjustSize();
    showBeside(at);
}

QString tipText(const report::Series& series, const report::Point& point) {
    QString text = QString::fromStdString(series.title);
    for (const std::string& part : {point.tip, point.finding}) {
        if (!part.empty()) {
            text += QLatin1Char('\n') + QString::fromStdString(part);
        }
    }
    return text;
}

void ValueTip::showFor(const Plot& plot, const Crosshair& crosshair, const QPoint& at) {
    title_ = crosshair.title;
    rows_.clear();
    // The tip's ground is the other theme's: so are the hues that can be told apart on it.
    const auto looks = seriesLooks(plot.theme().dark ? lightTheme() : darkTheme(), plot.spec().series);
    const std::size_t count = std::min(crosshair.rows.size(), mostRows);
    const QFontMetrics metrics(nameFont());
    const QStringList titles = shownTitles(
        mapped(crosshair.rows, [&](const CrosshairRow& row) { return plot.spec().series[row.series].title; }),
        [&](const QString& title) { return metrics.horizontalAdvance(title) <= widestName; });
    for (std::size_t i = 0; i < count; ++i) {
        const CrosshairRow& row = crosshair.rows[i];
        const QString name = withTopology(titles[static_cast<qsizetype>(i)], row).simplified();
        rows_.push_back(
            {looks[row.series], metrics.elidedText(name, Qt::ElideMiddle, widestName), row.value});
    }
    more_ = static_cast<int>(crosshair.rows.size() - count);
    resize(sizeHint());
    showBeside(at);
    update();
}

QSize ValueTip::sizeHint() const {
    const QFontMetrics names(nameFont());
    const QFontMetrics values(monoFont());
    int name = 0;
    int value = 0;
    for (const Row& row : rows_) {
        name = std::max(name, names.horizontalAdvance(row.name));
        value = std::max(value, values.horizontalAdvance(row.value));
    }
    const int lines = static_cast<int>(rows_.size()) + 1 + (more_ > 0 ? 1 : 0);
    const int width =
        std::max(signWidth + name + tipGap + value, QFontMetrics(titleFont()).horizontalAdvance(title_));
    return {2 * padding + width, 2 * padding - 4 + lines * tipRowHeight()};
}

void ValueTip::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.tip);
    painter.drawRoundedRect(rect(), radius, radius);
    QRect line(padding, padding - 2, width() - 2 * padding, tipRowHeight());
    painter.setPen(theme.tipText);
    painter.setFont(titleFont());
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, title_);
    for (const Row& row : rows_) {
        line.translate(0, tipRowHeight());
        SeriesStyle look = row.look;
        look.color = look.marker == Marker::None ? theme.tipText : look.color;  // else the colour of text
        drawMarker(painter, QPointF(line.left() + 5, line.center().y() + 0.5), look, theme.tip);
        painter.setPen(theme.tipText);
        painter.setFont(nameFont());
        painter.drawText(line.adjusted(signWidth, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, row.name);
        painter.setFont(monoFont());
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, row.value);
    }
    if (more_ > 0) {
        line.translate(0, tipRowHeight());
        painter.setFont(nameFont());
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, tr("and %n more", nullptr, more_));
    }
}

Crosshair crosshairAt(const Plot& plot, double x) {
    const report::ChartSpec& spec = plot.spec();
    Crosshair crosshair{x, titleOf(spec.x, x), {}};
    std::set<Topology> topologies;
    for (std::size_t s = 0; s < spec.series.size(); ++s) {
        if (spec.series[s].role == report::SeriesRole::Ideal) {
            continue;
        }
        std::vector<report::Point> points = pointsAt(spec.series[s], x);
        std::erase_if(points, [&](const report::Point& point) { return !plot.isShown(point); });
        for (const report::Point& point : points) {
            const Topology topology = point.topology.value_or(Topology{});
            topologies.insert(topology);
            crosshair.rows.push_back(
                {s, writtenValue(point, spec), QString::fromStdString(toString(topology))});
        }
        if (points.empty()) {
            crosshair.rows.push_back({s, missing});
        }
    }
    for (CrosshairRow& row : crosshair.rows) {
        row.topology = topologies.size() > 1 ? row.topology : QString();
    }
    return crosshair;
}

std::optional<Crosshair> crosshairNear(const Plot& plot, const QPointF& position) {
    const auto pointed = plot.valueAt(position);
    if (!pointed) {
        return std::nullopt;
    }
    std::optional<double> best;
    double nearest = 0;
    const auto scale = plot.spec().x.scale;
    candidates(plot, *pointed, [&](double x) {
        const double distance = std::abs(stepOf(x, scale) - stepOf(*pointed, scale));
        if (plot.shown(true).holds(stepOf(x, scale)) && (!best || distance < nearest)) {
            best = x;
            nearest = distance;
        }
    });
    return best ? std::optional(crosshairAt(plot, *best)) : std::nullopt;
}

QString crosshairText(const Plot& plot, const Crosshair& crosshair) {
    QString text = crosshair.title;
    for (const CrosshairRow& row : crosshair.rows) {
        const QString title = QString::fromStdString(plot.spec().series[row.series].title);
        text += QLatin1Char('\n') + withTopology(title, row) + QLatin1Char('\t') + row.value;
    }
    return text;
}

}  // namespace dlperf::ui
