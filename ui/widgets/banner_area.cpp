// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/banner_area.h"

#include <QEvent>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/widgets/banner.h"

namespace dlperf::ui {

BannerArea::BannerArea(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 10, 12, 10);
    column->setSpacing(10);
    hide();
}

Banner* BannerArea::add(const QString& objectName) {
    auto* banner = new Banner;
    banner->setObjectName(objectName);
    layout()->addWidget(banner);
    banner->installEventFilter(this);
    banners_.push_back(banner);
    return banner;
}

bool BannerArea::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent) {
        setVisible(std::ranges::any_of(banners_, [](const Banner* banner) { return !banner->isHidden(); }));
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace dlperf::ui
