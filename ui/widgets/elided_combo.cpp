// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/elided_combo.h"

#include <QStyleOptionComboBox>
#include <QStylePainter>

namespace dlperf::ui {

// The style would cut the text off without a sign.
void ElidedCombo::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    const QRect room =
        style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, room.width() - 4);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

}  // namespace dlperf::ui
