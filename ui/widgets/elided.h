// SPDX-License-Identifier: Apache-2.0
// A text that gives way: where there is no room it ends in "…" and the whole is its tool tip.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <utility>
#include <vector>

namespace dlperf::ui {

class ElidedLabel final : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);

    QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

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

// "Compared to: fastest": a series as the baseline, or none. The choice stays while series come and go.
class SeriesCombo final : public ElidedCombo {
    Q_OBJECT

public:
    // "Compared to: %1"; `none` is the text of the first entry, which chooses no series.
    SeriesCombo(QString pattern, QString none, QWidget* parent = nullptr);

    // Ids and titles.
    void setSeries(const std::vector<std::pair<QString, QString>>& series);
    // Empty: none is chosen, or the one that was is not there now.
    [[nodiscard]] QString chosen() const { return currentData().toString(); }
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
