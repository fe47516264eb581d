// SPDX-License-Identifier: Apache-2.0
// Compare's "Before and after": two campaigns held against each other case by case, as `dlperf compare BEFORE
// AFTER` does: what became slower or faster, by how much, and what else differs.
#pragma once

#include <QWidget>
#include <optional>
#include <string>
#include <utility>

#include "core/report/before_after.h"
#include "core/report/compare_view.h"
#include "core/run/campaign_names.h"

class QLabel;
class QSortFilterProxyModel;
class QSpinBox;
class QSplitter;
class QStackedWidget;
class QTableView;
class QTextBrowser;

namespace dlperf::ui {

class BeforeAfterModel;
class ChartView;
class ElidedCombo;
class LegendBar;
class Panel;
class Session;

class BeforeAfterPanel final : public QWidget {
    Q_OBJECT

public:
    explicit BeforeAfterPanel(Session& session, QWidget* parent = nullptr);

    // Of the campaigns that the session has now. Those that were chosen stay; else they are the last two of
    // one plan.
    void showCampaigns();
    [[nodiscard]] const report::BeforeAfterView& view() const { return view_; }
    // What is of no campaign that is there is shown once it is.
    void setView(const report::BeforeAfterView& view);
    // What all cases have in common, in the window's language.
    [[nodiscard]] QString title() const;
    // The cases as they are sorted, with all columns.
    [[nodiscard]] report::Table shownTable() const;
    void focusTable();

signals:
    void chosen();   // by the user: campaigns or tolerance
    void changed();  // title and table are new
    void launchRequested();
    void menuAsked(dlperf::ui::ChartView& chart, const QPoint& where);

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* buildChoice();
    void buildChart();
    void buildEnvironment();
    void buildCases(QSplitter& rows);
    void offerCampaigns();
    [[nodiscard]] run::CampaignPair lastTwo() const;
    void choose();  // what the boxes say
    void swapSides();
    void read();
    void take(const Result<report::BeforeAfter>& compared);
    void showCompared();
    void showChart();
    void showEnvironment();
    [[nodiscard]] QStringList notes() const;
    void sort();
    void layOut();
    [[nodiscard]] report::Table tableOf(const std::vector<int>& rows) const;
    [[nodiscard]] double limit() const { return view_.tolerance / 100.0; }

    Session& session_;
    report::BeforeAfterView view_;
    std::optional<report::BeforeAfter> compared_;
    std::optional<Error> problem_;  // why there is none
    int asked_ = 0;                 // comparisons so far: an answer to an older question is late
    QStackedWidget* stack_;
    ElidedCombo* before_;
    ElidedCombo* after_;
    QSpinBox* tolerance_;
    QLabel* counts_;
    QLabel* notes_;
    QSplitter* upper_;
    LegendBar* legend_;
    ChartView* chart_;
    QLabel* nothing_;  // why there is no chart
    QTextBrowser* environment_;
    Panel* casesPanel_;
    BeforeAfterModel* model_;
    QSortFilterProxyModel* sorted_;
    QTableView* table_;
};

}  // namespace dlperf::ui
