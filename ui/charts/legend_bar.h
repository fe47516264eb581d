// SPDX-License-Identifier: Apache-2.0
// The legend of a page. Click hides a series, Ctrl+click shows only this one.
#pragma once

#include <QWidget>
#include <set>
#include <string>
#include <vector>

#include "core/report/chart_spec.h"
#include "ui/theme/theme.h"

class QHBoxLayout;
class QToolButton;

namespace dlperf::ui {

class ChartView;

class LegendBar final : public QWidget {
    Q_OBJECT

public:
    explicit LegendBar(QWidget* parent = nullptr);

    // Points are not needed. Keeps what is hidden among the series that stay.
    void setSeries(const std::vector<report::Series>& series);
    // Is this chart's legend from now on: takes its series, lights and hides them.
    void follow(ChartView& chart);
    [[nodiscard]] std::set<std::string> hidden() const;
    void setHidden(const std::set<std::string>& keys);
    void highlight(const QString& key);
    void hideSeries(const QString& key);
    void showOnly(const QString& key);

signals:
    void hiddenChanged();
    void seriesHovered(const QString& key);                   // empty when none is
    void menuAsked(const QString& key, const QPoint& where);  // on the screen

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addButton();
    void applyTheme();
    void clicked(std::size_t index);
    void keepOnly(std::size_t index);
    void tellHidden();

    std::vector<report::Series> series_;
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
