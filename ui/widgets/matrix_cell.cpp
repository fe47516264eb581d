// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/matrix_cell.h"

#include <QPainter>

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

namespace dlperf::ui {

MatrixCell::MatrixCell(const QString& runs, const QString& time, QWidget* parent)
    : QAbstractButton(parent), runs_(runs), time_(time) {
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void MatrixCell::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(isChecked() || hasFocus() ? QPen(theme.focus, 2) : QPen(Qt::NoPen));
    painter.setBrush(underMouse() ? theme.press : theme.sel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    const QRect half = rect().adjusted(0, 4, 0, -height() / 2);
    painter.setPen(theme.text);
    painter.setFont(textFont(size::secondary, QFont::DemiBold));
    painter.drawText(time_.isEmpty() ? rect() : half, Qt::AlignCenter, runs_);
    painter.setPen(theme.text2);
    painter.setFont(textFont(size::caption));
    painter.drawText(rect().adjusted(0, height() / 2 - 1, 0, -3), Qt::AlignCenter, time_);
}

}  // namespace dlperf::ui
