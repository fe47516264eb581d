// SPDX-License-Identifier: Apache-2.0
// Compare: filters, one legend, throughput and speedup, and the same figures as a table. Its filters, pivot
// table, exports and views are in files of their own, compare_*.cpp.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/launch/plan.h"
#include "core/report/compare_view.h"
#include "core/report/report.h"
#include "ui/pages/comparison_charts.h"
#include "ui/widgets/page.h"

class QMenu;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace dlperf::ui {

class Banner;
class BeforeAfterPanel;
class ChartView;
class ComparisonLegend;
class Drawer;
class FilterPanel;
class LegendBar;
class LegendList;
class LossPanel;
class PivotFields;
class PivotPanel;
class ResultsPanel;
class Segments;
class SeriesCombo;
class Session;
class UndoBanner;
class MeasurementRangeActions;
class NamedMenu;

class ComparePage final : public Page {
    Q_OBJECT

public:
    explicit ComparePage(Session& session, QWidget* parent = nullptr);

    const report::Comparison& comparison() const { return comparison_; }
    [[nodiscard]] report::ChartOptions chartOptions() const;
    // For the report: the results behind what is shown, and how they are shown.
    [[nodiscard]] std::vector<RunResult> shownResults() const;
    [[nodiscard]] report::ReportView reportView() const;

    [[nodiscard]] report::CompareView view() const;
    void setView(const report::CompareView& view);

    // Chooses what shows the results of this import, as soon as they are read.
    void showImport(const std::string& name);

    // Holds these campaigns against each other.
    void showBeforeAfter(const std::string& before, const std::string& after);

    // What the filter chooses, of hidden series as well.
    [[nodiscard]] std::span<const RunResult* const> filtered() const { return filtered_; }

    // For the next time that this workspace is opened.
    void keepView() const;
    // Of another window's, which goes: what can be undone there.
    void takeOver(const ComparePage& other);

    void changeMeasurementRange();
    // Throughput on a linear or a logarithmic axis.
    void switchLogFigures();

    void enter() override;

signals:
    void comparisonChanged();
    void reportRequested();
    void launchRequested();
    void planRequested(const dlperf::launch::Plan& plan);  // of something to try
    void runRequested(const QString& id);                  // of one's own

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void buildHeader();
    [[nodiscard]] QPushButton* makeExportButton();
    void stackCharts();
    void connectLegend();
    void showLegend();
    [[nodiscard]] QWidget* buildBanners();
    QWidget* buildCharts();
    void connectCharts();
    void buildRangeActions();
    void connectFilters();
    void takeResults();
    void takeNames();  // of campaigns
    void useKeptView();
    void choose();  // the filter changed
    void buildPivot();
    void showMode();
    [[nodiscard]] QWidget* contentOf(report::CompareMode mode);
    LossPanel& lossPanel();
    BeforeAfterPanel& beforeAfterPanel();
    void showPivot();
    void openRuns(const std::string& seriesId, const Topology& topology);
    [[nodiscard]] report::CompareMode mode() const;
    void showCharts();
    void showFigures();
    void showWarnings();
    [[nodiscard]] ComparisonCharts::Choices choices() const;
    [[nodiscard]] bool isChosen(report::WarningKind kind) const;
    void highlight(const QString& key);
    void showChartMenu(ChartView& chart, const QPoint& where);
    void addSeriesActions(QMenu& menu, const QString& key);
    [[nodiscard]] std::vector<RunResult> selectedRuns() const;
    void exportTable(const QString& ending);
    void exportFigures();
    void exportChart(const report::ChartSpec& spec);
    // Asks where to; `name` is proposed. Empty where nobody wants it.
    [[nodiscard]] QString askForFile(const QString& title, const QString& name, const QString& kinds);
    void write(const QString& file, const Result<std::string>& bytes);
    void copyChart(const report::ChartSpec& spec);

    Session& session_;
    std::shared_ptr<const std::vector<RunResult>> results_;  // published and own
    report::ResultFilter filter_;
    bool chosenByUser_ = false;
    bool asItWasLeft_ = false;                // what was kept is read, once the results are there
    std::string awaitedImport_;               // to be shown when it is there
    bool chartsWait_ = false;                 // for the page to be looked at
    std::vector<const RunResult*> filtered_;  // of results_
    report::Comparison comparison_;
    report::CampaignNames campaignNames_;

    FilterPanel* filters_;
    QStackedWidget* stack_;
    Segments* mode_;
    PivotFields* pivotFields_;
    PivotPanel* pivot_;
    LossPanel* loss_ = nullptr;
    report::LossUnit lossUnit_;  // while there is no panel
    BeforeAfterPanel* beforeAfter_ = nullptr;
    report::BeforeAfterView beforeAfterView_;  // until there is a panel that has it
    Drawer* filterDrawer_;
    ComparisonLegend* legendRow_;
    LegendBar* legend_;       // in it
    LegendList* legendList_;  // in place of it, past nine series
    QSplitter* chartsAndList_;
    ComparisonCharts* charts_;
    SeriesCombo* base_;
    NamedMenu* views_;
    ResultsPanel* table_;
    QPushButton* launch_;  // where nothing of one's own is to be seen
    Banner* note_;
    Banner* written_;  // the file that was exported last
    QString writtenFile_;
    QString pointedAt_;  // the key of the series under the pointer
    MeasurementRangeActions* ranges_;
    UndoBanner* said_;  // what was just done
};

}  // namespace dlperf::ui
