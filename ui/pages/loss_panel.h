// SPDX-License-Identifier: Apache-2.0
// Compare's "Where it goes": what a series loses on more devices, by cause, as a chart and in words; beside
// them how fast the links between the nodes are, as `dlperf bench links` measured them.
#pragma once

#include <QWidget>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/cluster/link_baseline.h"
#include "core/report/loss.h"
#include "core/store/file_stamp.h"
#include "core/tuning/experiments.h"

class QLabel;
class QSplitter;
class QTextBrowser;

namespace dlperf::ui {

class ChartView;
class ElidedCombo;
class LegendBar;
class Panel;
class Segments;
class SeriesCombo;
class Session;

// As the user left it.
[[nodiscard]] report::LossUnit rememberedLossUnit();

// Of the baselines of links, computing and reading.
using BaselineStamps = std::array<std::optional<store::FileStamp>, 3>;

class LossPanel final : public QWidget {
    Q_OBJECT

public:
    explicit LossPanel(Session& session, QWidget* parent = nullptr);

    // Of these series, whose results are among these. The series that was chosen stays.
    void show(const report::Comparison& comparison, const std::vector<const RunResult*>& results);
    // The times of the chosen series, and what was measured of the links: somebody may have measured anew.
    void read();
    // Charts and words one below the other, where there is no room beside.
    void setStacked(bool stacked);
    [[nodiscard]] report::LossUnit unit() const;
    void setUnit(report::LossUnit unit);
    [[nodiscard]] const report::ChartSpec& chart() const;

signals:
    void menuAsked(dlperf::ui::ChartView& chart, const QPoint& where);
    void planRequested(const dlperf::launch::Plan& plan);
    void unitChosen();  // by the user

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildChart();
    void buildWords();
    void buildLinks();
    void take(const std::vector<report::Loss>& losses);
    void showChart();
    void showWords();
    [[nodiscard]] QString wordsOf(const report::Loss& loss) const;
    [[nodiscard]] QString experimentsOf(const report::Loss& loss) const;
    void tryOut(const QUrl& experiment);
    void showLinks();
    [[nodiscard]] const report::ComparedSeries* chosen() const;

    Session& session_;
    std::vector<report::ComparedSeries> series_;  // that can be explained
    std::vector<RunResult> results_;
    std::vector<report::Loss> losses_;
    std::vector<tuning::Tried> tried_;  // or would be
    QString triedProblem_;              // why nothing can be tried; empty where there is none
    std::optional<cluster::LinkBaseline> links_;
    QString linksProblem_;  // why the file with them cannot be read; empty where there is none
    std::string readOf_;    // the runs that losses_ are of
    BaselineStamps readWith_{};
    int asked_ = 0;  // readings so far: an answer to an older one is late
    QSplitter* parts_;
    QSplitter* right_;
    Panel* chartPanel_;
    Panel* wordsPanel_;
    ElidedCombo* choice_;
    Segments* units_;
    QStringList shownUnits_;
    LegendBar* legend_;
    ChartView* chart_;
    QLabel* nothing_;  // why there is no chart
    Segments* topologies_;
    QTextBrowser* words_;
    Panel* linksPanel_;
    QTextBrowser* linksText_;
};

}  // namespace dlperf::ui
