// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/icons.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <algorithm>
#include <array>

namespace dlperf::ui {
namespace {

QPixmap render(const QString& name, const QColor& color, const QSize& size) {
    if (size.isEmpty()) {
        return {};  // a button that was squeezed to nothing
    }
    const QString key = QStringLiteral("dlperf-icon/%1/%2/%3x%4")
                            .arg(name, color.name(QColor::HexArgb))
                            .arg(size.width())
                            .arg(size.height());
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) {
        return pixmap;
    }
    pixmap = QPixmap(size);
    pixmap.fill(Qt::transparent);
    QFile file(QStringLiteral(":/dlperf/icons/%1.svg").arg(name));
    if (file.open(QIODevice::ReadOnly)) {
        QByteArray svg = file.readAll();
        svg.replace("#000", color.name().toLatin1());
        QSvgRenderer renderer(svg);
        // Square, at the left: what a button's icon size has beyond that parts the icon from the text.
        const int side = std::min(size.width(), size.height());
        QPainter painter(&pixmap);
        renderer.render(&painter, QRectF(0, (size.height() - side) / 2.0, side, side));
    }
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

// Asks the application's palette each time it paints: a change of theme needs no new icons.
class InkEngine final : public QIconEngine {
public:
    InkEngine(QString name, Ink ink) : name_(std::move(name)), ink_(ink) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        const double ratio = painter->device() != nullptr ? painter->device()->devicePixelRatioF() : 1.0;
        QPixmap picture = pixmap(rect.size() * ratio, mode, state);
        picture.setDevicePixelRatio(ratio);
        painter->drawPixmap(rect.topLeft(), picture);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override {
        const Theme& theme = currentTheme();
        return render(name_, mode == QIcon::Disabled ? theme.disabled : inkColor(theme, ink_), size);
    }
    QIconEngine* clone() const override { return new InkEngine(name_, ink_); }
    QString iconName() override { return name_; }

private:
    QString name_;
    Ink ink_;
};

}  // namespace

// In the order of Ink.
QColor inkColor(const Theme& theme, Ink ink) {
    const std::array<QColor, 11> colors{theme.text,
                                        theme.text2,
                                        theme.text3,
                                        Qt::white,
                                        theme.dark ? theme.link : theme.accent,
                                        theme.link,
                                        theme.ok.text,
                                        theme.warn.text,
                                        theme.fail.text,
                                        theme.info.text,
                                        theme.idle.text};
    return colors.at(static_cast<std::size_t>(ink));
}

QIcon icon(const QString& name, Ink ink) {
    return QIcon(new InkEngine(name, ink));
}

QColor stateColor(const Theme& theme, const QString& state) {
    if (state == QLatin1String("ok")) {
        return theme.ok.text;
    }
    if (state == QLatin1String("fail")) {
        return theme.fail.text;
    }
    if (state == QLatin1String("warn")) {
        return theme.warn.text;
    }
    return state == QLatin1String("running") ? theme.info.text : theme.idle.text;
}

QPixmap iconPixmap(const QString& name, const QColor& color, int size, double ratio) {
    QPixmap pixmap = render(name, color, QSize(size, size) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    return pixmap;
}

}  // namespace dlperf::ui
