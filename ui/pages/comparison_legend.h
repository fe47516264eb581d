// SPDX-License-Identifier: Apache-2.0
// The row above Compare's charts: the series and which are hidden, what their colours tell apart, and what is
// to be compared with care. Of many series it only counts them: a list beside the charts is their legend.
#pragma once

#include <optional>
#include <vector>

#include "core/report/comparison.h"
#include "core/report/pivot.h"
#include "ui/widgets/parts.h"

class QLabel;
class QPushButton;
class QScrollArea;

namespace dlperf::ui {

class LegendBar;
class SeriesCombo;

class ComparisonLegend final : public Panel {
    Q_OBJECT

public:
    explicit ComparisonLegend(QWidget* parent = nullptr);

    // Knows what is hidden, and whether it is full: then the list is to be shown.
    LegendBar& bar() const { return *bar_; }

    // The fields that the comparison's series differ in may be told apart by colours.
    void offerColours(const report::Comparison& comparison, const Vocabulary& vocabulary);
    // The one that the user chose, where the series differ in it.
    [[nodiscard]] std::optional<report::PivotField> colouredBy() const;
    void colourBy(std::optional<report::PivotField> field);

    void setComparison(const report::Comparison& comparison);
    void showHidden();
    // For both charts and the table, where all of them are seen; files carry them each.
    void showWarnings(const std::vector<report::Warning>& warnings);
    // As high as its rows need, up to a few.
    void fit();

signals:
    void coloursChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    [[nodiscard]] QWidget* makeCareButton();

    LegendBar* bar_;
    QScrollArea* room_;
    QLabel* hidden_;
    QPushButton* showAll_;
    SeriesCombo* colours_;  // what they tell apart
    QPushButton* care_;     // what is to be compared with care
    QLabel* careText_;
};

}  // namespace dlperf::ui
