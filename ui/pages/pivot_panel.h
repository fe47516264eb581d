// SPDX-License-Identifier: Apache-2.0
// Compare's pivot table: the user's own rows, columns and value, as a heat map.
#pragma once

#include <string>

#include "core/report/pivot.h"
#include "core/report/table.h"
#include "ui/widgets/parts.h"

class QAction;
class QLabel;
class QMenu;
class QTableView;

namespace dlperf::ui {

class PivotModel;

class PivotPanel final : public Panel {
    Q_OBJECT

public:
    explicit PivotPanel(QWidget* parent = nullptr);

    void setPivot(report::Pivot pivot);
    // Sorted as shown.
    [[nodiscard]] const report::Pivot& pivot() const;
    [[nodiscard]] report::Table shownTable() const;
    void focusTable();

signals:
    void cellActivated(const std::string& seriesId, const dlperf::Topology& topology);
    void comparisonAsked(const QString& columnHeading);  // empty: with nothing

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildTable();
    void layOut();
    void showMenu(const QPoint& where);
    void copySelection() const;

    PivotModel* model_;
    QTableView* table_;
    QAction* copy_;
    QLabel* notes_;
    QLabel* marks_;  // what bold and the shade mean
    QLabel* mixed_;  // what else the cells differ in
};

}  // namespace dlperf::ui
