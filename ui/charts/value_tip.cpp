// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/value_tip.h"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>

#include "ui/charts/chart_tip.h"
#include "ui/charts/series_look.h"
#include "ui/theme/fonts.h"

namespace dlperf::ui {
namespace {

constexpr std::size_t mostRows = 24;  // fits the smallest screen
constexpr int padding = 10;
constexpr int signWidth = 18;
constexpr int tipGap = 16;
constexpr int widestName = 240;
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

}  // namespace

ValueTip::ValueTip(QWidget* owner) : QFrame(owner, Qt::ToolTip | Qt::FramelessWindowHint) {
    setAttribute(Qt::WA_ShowWithoutActivating);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_TranslucentBackground);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void ValueTip::showFor(const Plot& plot, const Crosshair& crosshair, const QPoint& at) {
    title_ = crosshair.title;
    rows_.clear();
    // The tip's ground is the other theme's: so are the hues that can be told apart on it.
    const auto looks = seriesLooks(plot.theme().dark ? lightTheme() : darkTheme(), plot.spec().series);
    const std::size_t count = std::min(crosshair.rows.size(), mostRows);
    const QFontMetrics metrics(nameFont());
    for (std::size_t i = 0; i < count; ++i) {
        const CrosshairRow& row = crosshair.rows[i];
        const QString name = QString::fromStdString(plot.spec().series[row.series].title).simplified();
        rows_.push_back({looks[row.series], metrics.elidedText(name, Qt::ElideRight, widestName), row.value});
    }
    more_ = static_cast<int>(crosshair.rows.size() - count);
    resize(sizeHint());
    placeBeside(*this, at);
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

}  // namespace dlperf::ui
