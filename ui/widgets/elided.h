// SPDX-License-Identifier: Apache-2.0
// A text that gives way: where there is no room it ends in "…" and the whole is its tool tip.
#pragma once

#include <QComboBox>
#include <QLabel>

namespace dlperf::ui {

class ElidedLabel final : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);

    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

// A box to choose from that ends in dots where its choice is longer than the room; open, it shows the whole.
class ElidedCombo : public QComboBox {
    Q_OBJECT

public:
    using QComboBox::QComboBox;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace dlperf::ui
