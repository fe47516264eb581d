// SPDX-License-Identifier: Apache-2.0
// What the pivot table is made of: fields for rows and columns, to be dragged or chosen, the value, the
// shade.
#pragma once

#include <QWidget>

#include "core/report/pivot.h"

class QComboBox;

namespace dlperf::ui {

class FieldList;
class ProblemLine;
class SeriesCombo;

class PivotFields final : public QWidget {
    Q_OBJECT

public:
    explicit PivotFields(QWidget* parent = nullptr);

    // The table that the layout made: its unit and its columns, to compare with.
    void show(const report::Pivot& pivot);
    [[nodiscard]] const report::PivotLayout& layoutOfTable() const { return layout_; }
    void setLayoutOfTable(const report::PivotLayout& layout);  // without a signal
    void compareWith(const QString& columnHeading);

signals:
    void changed();

private:
    void addList(FieldList* list);
    // Between both lists, or within one, or out of both.
    void place(report::PivotField field, FieldList* into, int before);
    void showLists();
    void take();

    report::PivotLayout layout_;
    FieldList* rows_;
    FieldList* columns_;
    ProblemLine* refusal_;  // why a field did not go where it was dropped
    QComboBox* value_;
    QComboBox* shade_;
    SeriesCombo* compared_;
};

}  // namespace dlperf::ui
