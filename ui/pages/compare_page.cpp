// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/compare_page.h"

#include <QDesktopServices>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolTip>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "core/report/cancelled_cases.h"
#include "core/report/comparison.h"
#include "core/run/campaign_names.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/legend_bar.h"
#include "ui/models/results_model.h"
#include "ui/pages/before_after_panel.h"
#include "ui/pages/comparison_charts.h"
#include "ui/pages/comparison_legend.h"
#include "ui/pages/filter_panel.h"
#include "ui/pages/legend_list.h"
#include "ui/pages/loss_panel.h"
#include "ui/pages/named_menu.h"
#include "ui/pages/pivot_fields.h"
#include "ui/pages/pivot_panel.h"
#include "ui/pages/results_panel.h"
#include "ui/pages/run_actions.h"
#include "ui/session/session.h"
#include "ui/theme/fonts.h"
#include "ui/theme/localized.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/segments.h"

namespace dlperf::ui {
namespace {

constexpr int leastTable = 240;       // px, where the page scrolls
constexpr int roomForActions = 1090;  // px; below, the header's buttons are as narrow as can be

}  // namespace

ComparePage::ComparePage(Session& session, QWidget* parent)
    : Page(tr("Compare"), {620, 600}, parent), session_(session), lossUnit_(rememberedLossUnit()) {
    build();
    connectFilters();
    // In a turn of its own: Launch and the status bar count the results in the one that tells of them.
    connect(&session_, &Session::resultsChanged, this, &ComparePage::takeResults, Qt::QueuedConnection);
    connect(&session_, &Session::notesChanged, this, &ComparePage::takeNames, Qt::QueuedConnection);
    connect(&session_, &Session::statusChanged, this, &ComparePage::takeNames, Qt::QueuedConnection);
    connect(this, &ComparePage::comparisonChanged, this, &ComparePage::keepView);
    takeResults();
}

void ComparePage::takeOver(const ComparePage& other) {
    said_->takeOver(*other.said_);
}

void ComparePage::build() {
    buildHeader();
    QHBoxLayout* columns = makeRow(nullptr, {}, 0);
    body()->addLayout(columns, 1);
    filters_ = new FilterPanel(session_.vocabulary(), body()->parentWidget());
    columns->addWidget(filters_);
    auto* content = new QWidget(body()->parentWidget());
    QVBoxLayout* rows = makeColumn(content, {}, 0);
    rows->addWidget(buildBanners());
    stack_ = new QStackedWidget(content);
    rows->addWidget(stack_, 1);
    stack_->addWidget(buildCharts());
    QPushButton* clear = makeButton(tr("Reset filters"), {}, "primary");
    connect(clear, &QPushButton::clicked, filters_, &FilterPanel::cleared);
    stack_->addWidget(makeEmptyPage(stack_, tr("Nothing matches these filters"),
                                    tr("Each box needs a choice, and \"Only with a finding\" leaves out all "
                                       "that have none."),
                                    clear));
    buildPivot();
    columns->addWidget(content, 1);
    filterDrawer_ =
        &addDrawer(*columns, *filters_, Drawer::Side::Left, QStringLiteral("filter"), tr("Filters"));
}

void ComparePage::buildHeader() {
    launch_ = makeButton(tr("Go to Launch"), QStringLiteral("launch"));
    launch_->setAccessibleName(tr("Go to Launch"));
    launch_->setToolTip(
        tr("All that is shown was published by others; Launch has a plan ready for this machine"));
    connect(launch_, &QPushButton::clicked, this, &ComparePage::launchRequested);
    addAction(launch_);
    mode_ = new Segments(tr("Shown as"), {tr("Charts"), tr("Pivot"), tr("Table"), tr("Where it goes"),
                                          tr("Before and after")});  // as CompareMode counts
    connect(mode_, &Segments::changed, this, &ComparePage::showMode);
    addAction(mode_);
    views_ = new MenuOf<report::CompareView>(
        session_, session_.workspace().views(),
        {tr("Views"), tr("View: %1"),
         tr("Filters, hidden series, baselines, axes and the pivot table under a name"), tr("No saved views"),
         tr("Save view …"), tr("Save view"), tr("Delete view")},
        {[resources = session_.resources(), workspace = session_.workspace()] {
             return report::readViews(resources, workspace);
         },
         [this] { return view(); }, [this](const report::CompareView& view) { setView(view); }});
    connect(views_, &NamedMenu::problemFound, this, [this](const Error& error) { note_->showError(error); });
    addAction(views_);
    base_ = new SeriesCombo(tr("Speedup base: %1"), tr("own 1n1g"));
    base_->setAccessibleName(tr("Speedup base"));
    base_->setToolTip(tr("Speedups over each series' own figure for one device, or over that of one series"));
    connect(base_, &SeriesCombo::changed, this, &ComparePage::choose);
    addAction(base_);
    addAction(makeExportButton());
}

// Above whatever is shown: all of it can be exported, saved as a view and have its measurement range changed.
QWidget* ComparePage::buildBanners() {
    auto* area = new BannerArea;
    area->layout()->setContentsMargins(12, 12, 12, 0);  // as what stands below has one above
    note_ = area->add(QStringLiteral("compareProblem"));
    written_ = area->add(QStringLiteral("written"));
    connect(written_, &Banner::actionTriggered, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(writtenFile_)); });
    said_ = new UndoBanner(this);
    area->add(said_);
    return area;
}

// Made when it is first looked at: not all do.
LossPanel& ComparePage::lossPanel() {
    if (loss_ == nullptr) {
        loss_ = new LossPanel(session_, stack_);
        connect(loss_, &LossPanel::menuAsked, this, &ComparePage::showChartMenu);
        connect(loss_, &LossPanel::planRequested, this, &ComparePage::planRequested);
        connect(loss_, &LossPanel::unitChosen, views_, &NamedMenu::leave);
        loss_->setStacked(charts_->orientation() == Qt::Vertical);
        loss_->setUnit(lossUnit_);
        stack_->addWidget(loss_);
    }
    return *loss_;
}

BeforeAfterPanel& ComparePage::beforeAfterPanel() {
    if (beforeAfter_ == nullptr) {
        beforeAfter_ = new BeforeAfterPanel(session_, stack_);
        connect(beforeAfter_, &BeforeAfterPanel::menuAsked, this, &ComparePage::showChartMenu);
        connect(beforeAfter_, &BeforeAfterPanel::launchRequested, this, &ComparePage::launchRequested);
        connect(beforeAfter_, &BeforeAfterPanel::chosen, views_, &NamedMenu::leave);
        connect(beforeAfter_, &BeforeAfterPanel::changed, this, [this] {
            if (mode() == report::CompareMode::BeforeAfter) {
                setSubtitle(beforeAfter_->title());
            }
        });
        beforeAfter_->setView(beforeAfterView_);
        stack_->addWidget(beforeAfter_);
    }
    return *beforeAfter_;
}

void ComparePage::showBeforeAfter(const std::string& before, const std::string& after) {
    report::BeforeAfterView view = this->view().beforeAfter;
    view.before = before;
    view.after = after;
    mode_->setCurrent(static_cast<int>(report::CompareMode::BeforeAfter));
    views_->leave();
    beforeAfterPanel().setView(view);
    showMode();
}

report::CompareMode ComparePage::mode() const {
    return static_cast<report::CompareMode>(mode_->current());
}

// Filters without a match leave something to choose before and after of.
QWidget* ComparePage::contentOf(report::CompareMode mode) {
    if (mode == report::CompareMode::BeforeAfter) {
        return &beforeAfterPanel();
    }
    if (comparison_.series.empty() && session_.isLoaded()) {
        return stack_->widget(1);
    }
    return mode == report::CompareMode::Loss ? &lossPanel()
                                             : stack_->widget(mode == report::CompareMode::Pivot ? 2 : 0);
}

void ComparePage::showMode() {
    pivotFields_->setVisible(mode() == report::CompareMode::Pivot);
    chartsAndList_->setVisible(mode() == report::CompareMode::Charts);
    filterDrawer_->setOffered(mode() != report::CompareMode::BeforeAfter);
    QWidget* content = contentOf(mode());
    // Those behind are not laid out for the window's width: what they would need of it is nobody's.
    for (int i = 0; i < stack_->count(); ++i) {
        const auto policy = stack_->widget(i) == content ? QSizePolicy::Preferred : QSizePolicy::Ignored;
        stack_->widget(i)->setSizePolicy(policy, policy);
    }
    if (stack_->currentWidget() != content) {
        stack_->setCurrentWidget(content);
        scrollToTop();
    }
    showCharts();
}

// One's own run of the case, or an imported one; of others there is none to show.
void ComparePage::openRuns(const std::string& seriesId, const Topology& topology) {
    const SeriesFinder finder(comparison_);
    for (const RunResult* result : filtered_) {
        const report::ComparedSeries* series = finder.seriesOf(*result);
        if (series == nullptr || series->id != seriesId || result->benchmarkCase.topology != topology) {
            continue;
        }
        if (result->origin != Origin::Published) {
            emit runRequested(QString::fromStdString(result->id));
        } else {
            QToolTip::showText(QCursor::pos(),
                               tr("Published by others: %1").arg(QString::fromStdString(result->campaign)));
        }
        return;
    }
}

QWidget* ComparePage::buildCharts() {
    auto* content = new LeastHeight(stack_);
    QVBoxLayout* column = makeColumn(content, {12, 12, 12, 12}, 10);
    legendRow_ = new ComparisonLegend(content);
    legend_ = &legendRow_->bar();
    column->addWidget(legendRow_);
    auto* rows = new QSplitter(Qt::Vertical, content);
    chartsAndList_ = new QSplitter(Qt::Horizontal, rows);
    chartsAndList_->setHandleWidth(10);
    chartsAndList_->setChildrenCollapsible(false);
    charts_ = new ComparisonCharts(comparison_, session_.vocabulary(), chartsAndList_);
    legendList_ = new LegendList(*legend_, chartsAndList_);
    chartsAndList_->setStretchFactor(0, 1);
    table_ = new ResultsPanel(rows);
    rows->setHandleWidth(10);
    rows->setChildrenCollapsible(false);
    rows->addWidget(chartsAndList_);
    rows->addWidget(table_);
    rows->setStretchFactor(0, 1);
    rows->setStretchFactor(1, 1);
    rows->setSizes({322, 344});
    column->addWidget(rows, 1);
    connectCharts();
    buildRangeActions();
    return content;
}

void ComparePage::connectCharts() {
    connect(charts_, &ComparisonCharts::changed, this, &ComparePage::showCharts);
    connect(charts_, &ComparisonCharts::seriesHovered, this, &ComparePage::highlight);
    connect(charts_, &ComparisonCharts::menuAsked, this, &ComparePage::showChartMenu);
    // Where the header's new least width is too much the charts stand one below the other.
    connect(charts_, &ComparisonCharts::needsRoom, this, &ComparePage::stackCharts, Qt::QueuedConnection);
    connect(table_, &ResultsPanel::spreadChanged, this, &ComparePage::choose);
    connect(table_, &ResultsPanel::baselineChanged, this, [this] {
        if (chartOptions().relative) {
            showCharts();
        }
    });
    connect(table_, &ResultsPanel::topologyChosen, this, [this] {
        if (charts_->isOverSetting()) {
            showCharts();
        }
    });
    connectLegend();
}

void ComparePage::connectLegend() {
    connect(legend_, &LegendBar::hiddenChanged, this, &ComparePage::showCharts);
    connect(legend_, &LegendBar::seriesHovered, this, &ComparePage::highlight);
    connect(legend_, &LegendBar::menuAsked, this, [this](const QString& key, const QPoint& where) {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        addSeriesActions(*menu, key);
        menu->popup(where);
    });
    auto* find = new QShortcut(QKeySequence::Find, this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, this,
            [this] { legendList_->isVisible() ? legendList_->focusSearch() : table_->focusTable(); });
    connect(legendRow_, &ComparisonLegend::coloursChanged, this, &ComparePage::choose);
}

void ComparePage::buildRangeActions() {
    ranges_ = new MeasurementRangeActions(session_, this);
    connect(ranges_, &MeasurementRangeActions::done, said_, &UndoBanner::sayShared);
    connect(&session_, &Session::rangesChanged, said_, &UndoBanner::forgetShared);
    connect(table_, &ResultsPanel::menuAsked, this, [this](QMenu& menu) {
        ranges_->addTo(menu, selectedRuns());
        if (const QString key = table_->selectedSeries(); !key.isEmpty()) {
            addSeriesActions(menu, key);
        }
    });
}

void ComparePage::showLegend() {
    legendRow_->setComparison(comparison_);
    legendList_->setVisible(legend_->isFull());
    if (legend_->isFull()) {
        legendList_->setComparison(comparison_);
    }
    QMetaObject::invokeMethod(this, &ComparePage::stackCharts, Qt::QueuedConnection);
}

ComparisonCharts::Choices ComparePage::choices() const {
    return {legend_->hidden(), table_->baseline(), table_->chosenTopology()};
}

report::ChartOptions ComparePage::chartOptions() const {
    return charts_->options(choices());
}

// All of the page that stands beside another where there is room.
void ComparePage::stackCharts() {
    const int list = legend_->isFull() ? legendList_->minimumWidth() + chartsAndList_->handleWidth() : 0;
    const bool isNarrow = charts_->fit(bodyWidth() - (hasDrawersIn() ? 0 : filters_->width()) - list);
    if (loss_ != nullptr) {
        loss_->setStacked(isNarrow);
    }
    table_->setMinimumHeight(isNarrow ? scaled(leastTable) : 0);  // the page scrolls then
}

void ComparePage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    const bool narrow = width() < scaled(roomForActions);
    mode_->setMost(narrow ? 0 : Segments::mostInARow);
    views_->setNarrow(narrow);
    launch_->setText(narrow ? QString() : launch_->accessibleName());
    stackCharts();
}

// Charts and table of many series take a while to make: not while another page is looked at.
void ComparePage::showCharts() {
    chartsWait_ = !isVisible();
    if (!chartsWait_) {
        switch (mode()) {
            case report::CompareMode::Pivot:
                showPivot();
                break;
            case report::CompareMode::Loss:
                setSubtitle(localized(comparison_.title));
                lossPanel().show(comparison_, filtered_);
                break;
            case report::CompareMode::BeforeAfter:
                setSubtitle(beforeAfterPanel().title());
                beforeAfterPanel().showCampaigns();
                break;
            case report::CompareMode::Charts:
            case report::CompareMode::Table:
                showFigures();
        }
    }
    emit comparisonChanged();
}

void ComparePage::showFigures() {
    const QString title = localized(comparison_.title);
    const QString said = comparison_.titleIsOfAll ? title : tr("%1 (mostly)").arg(title);
    const std::size_t cancelled = report::CancelledCases(filtered_).size();
    setSubtitle(cancelled == 0 || said.isEmpty() ? said
                : cancelled == 1                 ? tr("%1; 1 cancelled case is left out").arg(said)
                                 : tr("%1; %2 cancelled cases are left out").arg(said).arg(cancelled));
    showWarnings();
    legendRow_->showHidden();
    charts_->show(choices());
    table_->setComparison(comparison_, legend_->hidden());
}

// Of the series that is pointed at, and of the chart.
void ComparePage::showChartMenu(ChartView& chart, const QPoint& where) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (!pointedAt_.isEmpty()) {
        addSeriesActions(*menu, pointedAt_);
        menu->addSeparator();
    }
    const auto spec = [this, &chart] { return charts_->shownBy(chart); };
    charts_->addActions(*menu, chart);
    menu->addAction(tr("Copy chart"), this, [this, spec] { copyChart(spec()); });
    menu->addAction(tr("Export chart …"), this, [this, spec] { exportChart(spec()); });
    menu->popup(where);
}

void ComparePage::switchLogFigures() {
    charts_->switchLogFigures();
}

void ComparePage::addSeriesActions(QMenu& menu, const QString& key) {
    const auto series = std::ranges::find(comparison_.series, key.toStdString(), &report::ComparedSeries::id);
    if (series == comparison_.series.end()) {
        return;
    }
    menu.addSection(localized(series->title));
    const auto largest =
        std::ranges::find_if(series->cells.rbegin(), series->cells.rend(),
                             [](const report::Cell& cell) { return cell.fold.median.has_value(); });
    if (series->key.origin != Origin::Published && largest != series->cells.rend()) {
        menu.addAction(tr("Show its runs"), this,
                       [this, id = series->id, topology = largest->topology] { openRuns(id, topology); });
    }
    if (series->key.origin == Origin::Own) {
        menu.addAction(tr("Name its campaign …"), this, [this, campaign = series->key.campaign] {
            askForCampaignName(session_, campaign, this);
        });
    }
    if (const std::string before = run::campaignBefore(session_.campaigns(), series->key.campaign);
        !before.empty()) {
        menu.addAction(
            tr("Compare with the campaign before"), this,
            [this, before, campaign = series->key.campaign] { showBeforeAfter(before, campaign); });
    }
    menu.addAction(tr("Compare the others with it"), this,
                   [this, key] { table_->setBaseline(key.toStdString()); });
    menu.addAction(tr("Use as speedup base"), this, [this, key] { base_->choose(key); });
    const bool isHidden = legend_->hidden().contains(key.toStdString());
    menu.addAction(isHidden ? tr("Show") : tr("Hide"), this, [this, key] { legend_->toggle(key); });
    menu.addAction(tr("Show only this one"), this, [this, key] { legend_->showOnly(key); });
    if (!legend_->hidden().empty()) {
        menu.addAction(tr("Show all"), this, [this] { legend_->setHidden({}); });
    }
}

void ComparePage::highlight(const QString& key) {
    pointedAt_ = key;
    charts_->highlight(key);
    legend_->highlight(key);
    legendList_->highlight(key);
    table_->highlight(key);
}

std::vector<RunResult> ComparePage::selectedRuns() const {
    std::map<Topology, std::set<std::string>> chosen;  // series ids
    for (const auto& [id, topology] : table_->selectedCases()) {
        chosen[topology].insert(id);
    }
    const SeriesFinder finder(comparison_);
    std::vector<RunResult> runs;
    for (const RunResult* result : filtered_) {
        const auto ids = chosen.find(result->benchmarkCase.topology);
        if (ids == chosen.end() || result->origin == Origin::Published || !store::mayChangeRange(*result)) {
            continue;
        }
        const report::ComparedSeries* series = finder.seriesOf(*result);
        if (series != nullptr && ids->second.contains(series->id)) {
            runs.push_back(*result);
        }
    }
    return runs;
}

void ComparePage::changeMeasurementRange() {
    ranges_->change(selectedRuns());
}

void ComparePage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (chartsWait_) {
        showCharts();
    }
}

void ComparePage::enter() {
    if (mode() == report::CompareMode::Pivot) {
        pivot_->focusTable();
    } else if (mode() == report::CompareMode::BeforeAfter) {
        beforeAfterPanel().focusTable();
    } else {
        table_->focusTable();
    }
    if (mode() == report::CompareMode::Loss) {
        lossPanel().read();
    }
}

}  // namespace dlperf::ui
