// SPDX-License-Identifier: Apache-2.0
// Compare: which results the filters choose, and what comparison they make.
#include <algorithm>

#include "core/report/comparison.h"
#include "core/report/series_colours.h"
#include "ui/charts/legend_bar.h"
#include "ui/models/results_model.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/comparison_legend.h"
#include "ui/pages/filter_panel.h"
#include "ui/pages/named_menu.h"
#include "ui/pages/results_panel.h"
#include "ui/session/session.h"
#include "ui/widgets/elided.h"

namespace dlperf::ui {

void ComparePage::connectFilters() {
    const auto changed = [this] {
        chosenByUser_ = true;
        views_->leave();
        choose();
    };
    connect(filters_, &FilterPanel::modelChosen, this, [this, changed](const QString& id) {
        filter_.model = id.toStdString();
        filter_.hiddenTopologies.clear();
        const report::FilterChoices choices = choicesFor(*results_, filter_);
        if (choices.precisions.empty() && !choices.sources.empty()) {
            filter_.sources = {choices.sources.begin()->first};
        }
        for (const report::Source source : filter_.sources) {
            makeVisible(filter_, source, *results_);
        }
        changed();
    });
    connect(filters_, &FilterPanel::edited, this, [this, changed](const FilterEdit& edit) {
        edit(filter_);
        changed();
    });
    connect(filters_, &FilterPanel::sourceToggled, this, [this, changed](report::Source source, bool on) {
        if (on) {
            filter_.sources.insert(source);
            makeVisible(filter_, source, *results_);
        } else {
            filter_.sources.erase(source);
        }
        changed();
    });
    connect(filters_, &FilterPanel::allAsked, this, [this, changed] {
        report::showAll(filter_, *results_);
        changed();
    });
    connect(filters_, &FilterPanel::cleared, this, [this] {
        filter_ = report::firstFilter(*results_);
        chosenByUser_ = false;
        views_->leave();
        choose();
    });
}

void ComparePage::takeResults() {
    filtered_.clear();
    results_ = session_.results();
    // Not before one's own have been read: then it would come and go.
    launch_->setVisible(session_.isLoaded() && std::ranges::all_of(*results_, [](const RunResult& result) {
                            return result.origin == Origin::Published;
                        }));
    if (!chosenByUser_) {
        filter_ = report::firstFilter(*results_);
    }
    if (!awaitedImport_.empty() && makeVisible(filter_, awaitedImport_, *results_)) {
        awaitedImport_.clear();
        chosenByUser_ = true;
    }
    choose();
    if (session_.isLoaded() && !asItWasLeft_) {
        useKeptView();
    }
}

void ComparePage::takeNames() {
    if (session_.campaignNames() != campaignNames_) {
        choose();
    }
}

void ComparePage::choose() {
    // A handler of a chip leads here and the chips are made anew: let the handler end first.
    QMetaObject::invokeMethod(
        filters_, [this] { filters_->show(filter_, choicesFor(*results_, filter_), campaignNames_); },
        Qt::QueuedConnection);
    filtered_.clear();
    for (const RunResult& result : *results_) {
        if (filter_.passes(result)) {
            filtered_.push_back(&result);
        }
    }
    // Hidden topologies go last: speedups rest on them.
    campaignNames_ = session_.campaignNames();
    report::Comparison whole = report::withCampaignNames(
        report::withLooks(report::compareChosen(filtered_, session_.vocabulary(), session_.formats()),
                          session_.looks()),
        campaignNames_);
    base_->setSeries(titlesOf(whole));
    comparison_ = report::withoutTopologies(report::overBase(std::move(whole), base_->chosen().toStdString()),
                                            filter_.hiddenTopologies);
    comparison_ = report::withSpread(std::move(comparison_), table_->spread());
    std::erase_if(comparison_.series, [this](const auto& series) { return !filter_.passes(series); });
    legendRow_->offerColours(comparison_, session_.vocabulary());
    comparison_ =
        report::withColours(std::move(comparison_), legendRow_->colouredBy(), session_.vocabulary());
    showLegend();
    charts_->offerKinds();
    showMode();
    legendRow_->fit();
}

std::vector<RunResult> ComparePage::shownResults() const {
    const auto hidden = legend_->hidden();
    const SeriesFinder finder(comparison_);
    std::vector<RunResult> shown;
    for (const RunResult* result : filtered_) {
        const report::ComparedSeries* series = finder.seriesOf(*result);
        if (series != nullptr && !hidden.contains(series->id)) {
            shown.push_back(*result);
        }
    }
    return shown;
}

void ComparePage::showImport(const std::string& name) {
    awaitedImport_ = name;
    takeResults();
}

// The user chose it himself where the filters say so.
bool ComparePage::isChosen(report::WarningKind kind) const {
    return (kind == report::WarningKind::Precisions && filter_.precisions.size() > 1) ||
           (kind == report::WarningKind::BatchSizes && filter_.batchSizes.size() > 1) ||
           (kind == report::WarningKind::Machines && filter_.sources.size() > 1);
}

void ComparePage::showWarnings() {
    auto warnings = report::warningsOf(comparison_, session_.vocabulary(), legend_->hidden());
    std::erase_if(warnings, [this](const report::Warning& warning) { return isChosen(warning.kind); });
    legendRow_->showWarnings(warnings);
}

}  // namespace dlperf::ui
