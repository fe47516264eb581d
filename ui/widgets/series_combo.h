// SPDX-License-Identifier: Apache-2.0
// "Compared to: fastest": a series to choose as the baseline, or none. The choice stays while the series come
// and go.
#pragma once

#include <utility>
#include <vector>

#include "ui/widgets/elided.h"

namespace dlperf::ui {

class SeriesCombo final : public ElidedCombo {
    Q_OBJECT

public:
    // "Compared to: %1"; `none` is the text of the first entry, which chooses no series.
    SeriesCombo(QString pattern, QString none, QWidget* parent = nullptr);

    // Ids and titles.
    void setSeries(const std::vector<std::pair<QString, QString>>& series);
    // Empty: none is chosen, or the one that was is not there now.
    [[nodiscard]] QString chosen() const;
    void choose(const QString& id);

    QSize minimumSizeHint() const override;

signals:
    void changed();

private:
    QString pattern_;
    QString none_;
    QString wanted_;
};

}  // namespace dlperf::ui
