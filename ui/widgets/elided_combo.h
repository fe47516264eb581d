// SPDX-License-Identifier: Apache-2.0
// A box to choose from that ends in dots where its choice is longer than the room; open, it shows the whole.
#pragma once

#include <QComboBox>

namespace dlperf::ui {

class ElidedCombo : public QComboBox {
    Q_OBJECT

public:
    using QComboBox::QComboBox;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace dlperf::ui
