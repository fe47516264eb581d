// SPDX-License-Identifier: Apache-2.0
// Compare: the pivot table and the fields beside it.
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/charts/legend_bar.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/filter_panel.h"
#include "ui/pages/named_menu.h"
#include "ui/pages/pivot_fields.h"
#include "ui/pages/pivot_panel.h"
#include "ui/pages/results_panel.h"
#include "ui/session/session.h"
#include "ui/theme/localized.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {

void ComparePage::buildPivot() {
    pivotFields_ = new PivotFields;
    pivotFields_->hide();
    filters_->addAbove(pivotFields_);
    auto* content = new QWidget(stack_);
    pivot_ = new PivotPanel(content);
    makeColumn(content, {12, 12, 12, 12}, 0)->addWidget(pivot_);
    stack_->addWidget(content);
    connect(pivotFields_, &PivotFields::changed, this, [this] {
        views_->leave();
        showCharts();
    });
    connect(pivot_, &PivotPanel::comparisonAsked, pivotFields_, &PivotFields::compareWith);
    connect(pivot_, &PivotPanel::cellActivated, this, &ComparePage::openRuns);
    connect(table_, &ResultsPanel::caseActivated, this, &ComparePage::openRuns);
}

void ComparePage::showPivot() {
    report::Pivot pivot =
        report::pivotOf(comparison_, session_.vocabulary(), pivotFields_->layoutOfTable(), legend_->hidden());
    pivotFields_->show(pivot);
    setSubtitle(localized(pivot.common));
    pivot_->setPivot(std::move(pivot));
}

}  // namespace dlperf::ui
