// SPDX-License-Identifier: Apache-2.0
// The legend of a page. Click hides a series, Ctrl+click shows only this one.
#pragma once

#include <QPixmap>
#include <QWidget>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "core/report/chart_spec.h"
#include "ui/theme/series_style.h"
#include "ui/theme/theme.h"

class QHBoxLayout;
class QToolButton;

namespace dlperf::ui {

class ChartView;

// A series' key before its name, or the sign of a hidden one.
inline constexpr QSize legendIconSize(24, 14);  // with room before the name
[[nodiscard]] QPixmap legendPicture(const SeriesStyle& look, bool isShown, double ratio = 2);

class LegendBar final : public QWidget {
    Q_OBJECT

public:
    explicit LegendBar(QWidget* parent = nullptr);

    // Past this many series it shows none of them: a list does, which acts on this legend.
    void setMost(std::size_t series) { most_ = series; }
    // Points are not needed. Keeps what is hidden among the series that stay.
    void setSeries(const std::vector<report::Series>& series);
    const std::vector<report::Series>& series() const { return series_; }
    [[nodiscard]] bool isFull() const { return series_.size() > most_; }
    // Is this chart's legend from now on: takes its series, lights and hides them.
    void follow(ChartView& chart);
    const std::set<std::string>& hidden() const { return hidden_; }
    // Of the series that it has. An empty chart helps nobody: to hide all of them shows all.
    void setHidden(const std::set<std::string>& keys);
    void highlight(const QString& key);
    void toggle(const QString& key);
    void showOnly(const QString& key);
    // What a click on a series does: hides or shows it, with Ctrl shows only it.
    void click(const QString& key);

signals:
    void hiddenChanged();
    void seriesHovered(const QString& key);                   // empty when none is
    void menuAsked(const QString& key, const QPoint& where);  // on the screen

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addButton();
    void nameButtons();
    void applyTheme();

    std::vector<report::Series> series_;
    std::set<std::string> hidden_;
    std::size_t most_ = std::numeric_limits<std::size_t>::max();
    std::vector<QToolButton*> buttons_;
    Look look_;
};

class Panel;

// One chart on the whole screen, with title and legend. It follows its source; F11 or Esc leaves.
class FullChart final : public QWidget {
    Q_OBJECT

public:
    explicit FullChart(ChartView& source);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void takeSpec();

    ChartView& source_;
    Panel* panel_;
    ChartView* chart_;
};

void addFullScreenButton(QHBoxLayout& header, ChartView& chart);

}  // namespace dlperf::ui
