// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/series_combo.h"

#include <QSignalBlocker>

#include "ui/theme/fonts.h"

namespace dlperf::ui {

SeriesCombo::SeriesCombo(QString pattern, QString none, QWidget* parent)
    : ElidedCombo(parent), pattern_(std::move(pattern)), none_(std::move(none)) {
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(static_cast<int>(pattern_.arg(none_).size()));
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
    return {scaled(130), QComboBox::minimumSizeHint().height()};
}

QString SeriesCombo::chosen() const {
    return currentData().toString();
}

void SeriesCombo::choose(const QString& id) {
    wanted_ = id;  // also of a series that comes later
    setCurrentIndex(std::max(0, findData(id)));
    emit changed();
}

}  // namespace dlperf::ui
