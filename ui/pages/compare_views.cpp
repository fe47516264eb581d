// SPDX-License-Identifier: Apache-2.0
// Compare: what it shows, as a view that is saved under a name, kept for the next start, or made a report of.
#include <QSettings>

#include "core/base/json.h"
#include "ui/charts/legend_bar.h"
#include "ui/pages/before_after_panel.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/comparison_legend.h"
#include "ui/pages/loss_panel.h"
#include "ui/pages/pivot_fields.h"
#include "ui/pages/results_panel.h"
#include "ui/session/session.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/segments.h"

namespace dlperf::ui {
namespace {

constexpr QLatin1String keptView("compareView");  // in the workspace's settings
constexpr QLatin1String keptFilters("compareFiltersChosen");

}  // namespace

// The page opens as it was left in this workspace. Filters that nobody chose follow the newest campaign.
void ComparePage::useKeptView() {
    QSettings settings;
    settings.beginGroup(session_.settingsGroup());
    const std::string kept = settings.value(keptView).toByteArray().toStdString();
    const auto json = kept.empty() ? Failure(Error{}) : parseJson(kept, {});
    auto view = json ? report::parseView(*json, {}) : Failure(json.error());
    if (view && !chosenByUser_) {  // else somebody was faster than the results
        const bool chosen = settings.value(keptFilters).toBool();
        if (!chosen) {
            view->filter = filter_;
        }
        view->lossUnit = lossUnit_;  // remembered for all workspaces
        setView(*view);
        chosenByUser_ = chosen;
    }
    asItWasLeft_ = true;  // from here on it is kept
}

void ComparePage::keepView() const {
    if (!asItWasLeft_) {
        return;
    }
    QSettings settings;
    settings.beginGroup(session_.settingsGroup());
    settings.setValue(keptView, QByteArray::fromStdString(toJson(view()).dump()));
    settings.setValue(keptFilters, chosenByUser_);
}

report::CompareView ComparePage::view() const {
    report::CompareView view;
    view.filter = filter_;
    view.hidden = legend_->hidden();
    view.speedupBase = base_->chosen().toStdString();
    view.baseline = table_->baseline();
    view.spread = table_->spread();
    charts_->writeTo(view);
    view.table = table_->tableView();
    view.mode = mode();
    view.pivot = pivotFields_->layoutOfTable();
    view.colouredBy = legendRow_->colouredBy();
    view.beforeAfter = beforeAfter_ != nullptr ? beforeAfter_->view() : beforeAfterView_;
    view.lossUnit = loss_ != nullptr ? loss_->unit() : lossUnit_;
    return view;
}

void ComparePage::setView(const report::CompareView& view) {
    filter_ = view.filter;
    chosenByUser_ = true;
    mode_->setCurrent(static_cast<int>(view.mode));
    pivotFields_->setLayoutOfTable(view.pivot);
    beforeAfterView_ = view.beforeAfter;
    if (beforeAfter_ != nullptr) {
        beforeAfter_->setView(view.beforeAfter);
    }
    lossUnit_ = view.lossUnit;
    if (loss_ != nullptr) {
        loss_->setUnit(lossUnit_);
    }
    legendRow_->colourBy(view.colouredBy);
    base_->choose(QString::fromStdString(view.speedupBase));  // chooses anew
    table_->setBaseline(view.baseline);
    table_->setSpread(view.spread);
    charts_->readFrom(view);
    table_->setTableView(view.table);
    legend_->setHidden(view.hidden);  // shows the charts
}

report::ReportView ComparePage::reportView() const {
    return {chartOptions(),           filter_.hiddenTopologies, base_->chosen().toStdString(),
            table_->spread(),         session_.formats(),       pivotFields_->layoutOfTable(),
            legendRow_->colouredBy(), campaignNames_,           session_.looks()};
}

}  // namespace dlperf::ui
