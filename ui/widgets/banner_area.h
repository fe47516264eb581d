// SPDX-License-Identifier: Apache-2.0
// The place for banners of the whole window: with its margins it takes no room while none of them is shown.
#pragma once

#include <QWidget>
#include <vector>

namespace dlperf::ui {

class Banner;

class BannerArea final : public QWidget {
    Q_OBJECT

public:
    explicit BannerArea(QWidget* parent = nullptr);

    [[nodiscard]] Banner* add(const QString& objectName);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::vector<Banner*> banners_;
};

}  // namespace dlperf::ui
