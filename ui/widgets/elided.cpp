// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/elided.h"
#include "ui/theme/tips.h"

#include <QPainter>
#include <QSignalBlocker>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <algorithm>

#include "ui/theme/fonts.h"

namespace dlperf::ui {

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {
    setTextFormat(Qt::PlainText);
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, width());
    setToolTip(shown == text() ? QString() : plainTip(text()));
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(rect(), static_cast<int>(alignment()) | Qt::TextSingleLine, shown);
}

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

SeriesCombo::SeriesCombo(QString pattern, QString none, QWidget* parent)
    : ElidedCombo(parent), pattern_(std::move(pattern)), none_(std::move(none)) {
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    // The style makes room for so many times an X, which a Chinese character is wider than.
    const QString first = pattern_.arg(none_);
    const int wide =
        fontMetrics().horizontalAdvance(first) / fontMetrics().horizontalAdvance(QLatin1Char('X')) + 1;
    setMinimumContentsLength(std::max(static_cast<int>(first.size()), wide));
    setSeries({});
    connect(this, &QComboBox::activated, this, [this] {
        wanted_ = chosen();
        emit changed();
    });
}

void SeriesCombo::setSeries(const std::vector<std::pair<QString, QString>>& series) {
    const QSignalBlocker quiet(this);
    clear();
    addItem(pattern_.arg(none_), QString());
    for (const auto& [id, title] : series) {
        addItem(pattern_.arg(title), id);
    }
    setCurrentIndex(std::max(0, findData(wanted_)));
}

// Beside many topologies its end may be hidden; open, it shows the whole.
QSize SeriesCombo::minimumSizeHint() const {
    return {scaled(120), QComboBox::minimumSizeHint().height()};
}

void SeriesCombo::choose(const QString& id) {
    wanted_ = id;  // also of a series that comes later
    setCurrentIndex(std::max(0, findData(id)));
    emit changed();
}

}  // namespace dlperf::ui
