// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/key_sign.h"

#include <QPainter>

#include "ui/theme/series_style.h"

namespace dlperf::ui {

KeySign::KeySign(std::string framework, bool hollow, QWidget* parent)
    : QWidget(parent), framework_(std::move(framework)), hollow_(hollow) {
    setFixedSize(22, 16);
}

void KeySign::setFramework(const std::string& framework, bool hollow) {
    framework_ = framework;
    hollow_ = hollow;
    update();
}

void KeySign::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = currentTheme();
    drawKey(painter, QRectF(1, 0, 20, 16), frameworkStyle(theme, framework_, hollow_ ? 1 : 0), theme.panel);
}

}  // namespace dlperf::ui
