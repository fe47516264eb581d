// SPDX-License-Identifier: Apache-2.0
// The legend of many series as a list beside the charts: search, sort by value, hide, show only one. It acts
// on a LegendBar, which knows the series and what is hidden.
#pragma once

#include "core/report/comparison.h"
#include "ui/widgets/parts.h"

class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace dlperf::ui {

class LegendBar;
class LegendModel;

class LegendList final : public Panel {
    Q_OBJECT

public:
    explicit LegendList(LegendBar& legend, QWidget* parent = nullptr);
    ~LegendList() override;

    // The comparison whose series the legend has: their figures at the topology where it compares scaling.
    void setComparison(const report::Comparison& comparison);
    // Marks the row of the series; none for an empty key.
    void highlight(const QString& key);

    void focusSearch();

    QSize sizeHint() const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void build();
    [[nodiscard]] QString keyAt(const QModelIndex& index) const;
    void showMenu(const QPoint& where);

    LegendBar& legend_;
    LegendModel* model_;
    QLineEdit* words_;
    QSortFilterProxyModel* sorted_;
    QTableView* table_;
};

}  // namespace dlperf::ui
