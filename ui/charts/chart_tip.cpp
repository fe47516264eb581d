// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_tip.h"

#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QScreen>
#include <QVBoxLayout>
#include <algorithm>

namespace dlperf::ui {
namespace {

constexpr int widest = 340;
constexpr int narrowestTip = 220;
constexpr int away = 14;  // px from the point

QPixmap signOf(const SeriesStyle& look, const Theme& theme, double ratio) {
    constexpr int side = 12;
    QPixmap pixmap(QSize(side, side) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    drawMarker(painter, QPointF(side / 2.0, side / 2.0), look, theme.tip, 9);
    return pixmap;
}

}  // namespace

ChartTip::ChartTip(QWidget* owner) : QFrame(owner, Qt::ToolTip | Qt::FramelessWindowHint) {
    setAttribute(Qt::WA_ShowWithoutActivating);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 10, 8);
    layout->setSpacing(3);
    auto* head = new QHBoxLayout;
    head->setSpacing(7);
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
        label->setMaximumWidth(widest);
        layout->addWidget(label);
    }
    hide();
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
    placeBeside(*this, at);
}

void placeBeside(QWidget& tip, const QPoint& at) {
    QPoint corner = at + QPoint(away, away);
    if (const QScreen* screen = QGuiApplication::screenAt(at)) {
        const QRect room = screen->availableGeometry();
        if (corner.x() + tip.width() > room.right()) {
            corner.setX(at.x() - away - tip.width());
        }
        if (corner.y() + tip.height() > room.bottom()) {
            corner.setY(std::max(room.top(), at.y() - away - tip.height()));
        }
    }
    tip.move(corner);
    tip.show();
    tip.raise();
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

}  // namespace dlperf::ui
