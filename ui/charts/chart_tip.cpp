// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_tip.h"

#include <QGuiApplication>
#include <QLabel>
#include <QPainter>
#include <QScreen>
#include <QVBoxLayout>

#include "ui/theme/fonts.h"

namespace dlperf::ui {
namespace {

constexpr int widest = 320;
constexpr int away = 14;  // px from the point

}  // namespace

ChartTip::ChartTip(QWidget* owner) : QFrame(owner, Qt::ToolTip | Qt::FramelessWindowHint) {
    setAttribute(Qt::WA_ShowWithoutActivating);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 10, 8);
    layout->setSpacing(3);
    title_ = new QLabel;
    body_ = new QLabel;
    finding_ = new QLabel;
    for (QLabel* label : {title_, body_, finding_}) {
        label->setTextFormat(Qt::PlainText);  // series names and findings may quote logs
        label->setWordWrap(true);
        label->setMaximumWidth(widest);
        layout->addWidget(label);
    }
    title_->setWordWrap(false);
    hide();
}

void ChartTip::showFor(const report::Series& series, const report::Point& point, const SeriesStyle& look,
                       const Theme& theme, const QPoint& at) {
    setStyleSheet(QStringLiteral("QFrame { background: %1; border: none; border-radius: 6px; }"
                                 "QLabel { color: %2; font-size: 12px; background: transparent; }")
                      .arg(theme.tip.name(), theme.tipText.name()));
    title_->setText(QString::fromStdString(series.title));
    title_->setFont(textFont(size::secondary, QFont::DemiBold));
    title_->setStyleSheet(QStringLiteral("font-weight: 600; border-left: 4px solid %1; padding-left: 6px;")
                              .arg(look.color.name()));
    body_->setText(QString::fromStdString(point.tip));
    body_->setVisible(!point.tip.empty());
    finding_->setText(QString::fromStdString(point.finding));
    finding_->setStyleSheet(QStringLiteral("color: %1;").arg(theme.dark ? "#8A5A00" : "#E8B84A"));
    finding_->setVisible(!point.finding.empty());
    adjustSize();
    QPoint corner = at + QPoint(away, away);
    if (const QScreen* screen = QGuiApplication::screenAt(at)) {
        const QRect room = screen->availableGeometry();
        if (corner.x() + width() > room.right()) {
            corner.setX(at.x() - away - width());
        }
        if (corner.y() + height() > room.bottom()) {
            corner.setY(at.y() - away - height());
        }
    }
    move(corner);
    show();
    raise();
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
