// SPDX-License-Identifier: Apache-2.0
// The tip of a crosshair: every series with its marker and its value at one x.
#pragma once

#include <QFrame>

#include "ui/charts/crosshair.h"

namespace dlperf::ui {

class ValueTip final : public QFrame {
    Q_OBJECT

public:
    explicit ValueTip(QWidget* owner);

    // `at` is a point in global coordinates beside which the tip stands.
    void showFor(const Plot& plot, const Crosshair& crosshair, const QPoint& at);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Row {
        SeriesStyle look;
        QString name;
        QString value;
    };
    QString title_;
    std::vector<Row> rows_;
    int more_ = 0;  // series that have no room
};

}  // namespace dlperf::ui
