// SPDX-License-Identifier: Apache-2.0
// Compare's two charts with their switches: throughput (in total, per device, over a setting, its spread, or
// relative) and speedup or efficiency. Side by side, or one below the other where there is too little room.
#pragma once

#include <QSplitter>
#include <QTimer>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/report/compare_view.h"
#include "core/report/comparison.h"

class QMenu;
class QToolButton;

namespace dlperf::ui {

class ChartView;
class ElidedCombo;
class Panel;
class Segments;

class ComparisonCharts final : public QSplitter {
    Q_OBJECT

public:
    // Both outlive this. The comparison changes in place; offerKinds() and show() follow it.
    ComparisonCharts(const report::Comparison& comparison, const Vocabulary& vocabulary,
                     QWidget* parent = nullptr);

    // What is chosen beside the charts.
    struct Choices {
        std::set<std::string> hidden{};      // series ids
        std::string baseline{};              // a series id, or empty
        std::optional<Topology> topology{};  // of a chart over a setting; none: the one that suits it
    };

    // The switches offer what the comparison has something to show for.
    void offerKinds();
    void show(Choices choices);
    void highlight(const QString& seriesKey);

    [[nodiscard]] report::ChartOptions options(const Choices& choices) const;
    [[nodiscard]] bool isOverSetting() const;
    void switchLogFigures();
    void writeTo(report::CompareView& view) const;
    void readFrom(const report::CompareView& view);

    ChartView& left() const { return *left_; }
    ChartView& right() const { return *right_; }
    // What the chart shows now, with its warnings; of any chart of the page.
    [[nodiscard]] report::ChartSpec shownBy(const ChartView& chart) const;
    void addActions(QMenu& menu, const ChartView& chart);

    // Stands side by side as long as the switches of both charts find room in so many pixels. True where they
    // do not.
    bool fit(int room);

signals:
    void changed();    // by the user: show() it
    void needsRoom();  // for its switches, as soon as they are laid out: fit() it
    void seriesHovered(const QString& key);
    void menuAsked(dlperf::ui::ChartView& chart, const QPoint& where);

private:
    void buildLeft();
    void buildRight();
    [[nodiscard]] QWidget* makeSettingBox();
    void connectCharts();
    [[nodiscard]] report::Setting chosenSetting() const;
    bool offerSettings(const std::vector<report::Setting>& settings);
    void showSettingBox();
    [[nodiscard]] std::optional<Topology> sweptTopology() const;
    [[nodiscard]] report::ChartSpec leftChart() const;
    [[nodiscard]] report::ChartSpec rightChart() const;
    [[nodiscard]] QString leftTitle() const;
    void drawNext();

    const report::Comparison& comparison_;
    const Vocabulary& vocabulary_;
    Choices choices_;
    report::Setting wantedSetting_;  // on the x axis of the left chart, where the results have it
    bool logFigures_ = false;
    std::vector<std::pair<ChartView*, report::ChartSpec>> next_;  // to be drawn, each in a turn
    QTimer nextTurn_;
    int roomForKinds_ = 0;  // px, that both charts need with their switches in a row
    ui::Panel* leftPanel_;  // QFrame has a Panel of its own
    ui::Panel* rightPanel_;
    ChartView* left_;
    ChartView* right_;
    Segments* leftKind_;
    Segments* rightKind_;
    ElidedCombo* setting_;
    QToolButton* logAxes_;
};

}  // namespace dlperf::ui
