// SPDX-License-Identifier: Apache-2.0
// The legend of a page: one for its charts and its table. Click hides a series, Ctrl+click shows only this
// one.
#pragma once

#include <QWidget>
#include <set>
#include <string>
#include <vector>

#include "core/report/chart_spec.h"
#include "ui/theme/look.h"

class QToolButton;

namespace dlperf::ui {

class LegendBar final : public QWidget {
    Q_OBJECT

public:
    explicit LegendBar(QWidget* parent = nullptr);

    // Points are not needed. Keeps what is hidden among the series that stay.
    void setSeries(const std::vector<report::Series>& series);
    [[nodiscard]] std::set<std::string> hidden() const;
    void setHidden(const std::set<std::string>& keys);
    void highlight(const QString& key);

signals:
    void hiddenChanged();
    void seriesHovered(const QString& key);  // empty when none is

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addButton();
    void dress();
    void clicked(std::size_t index);
    void showOnly(std::size_t index);

    std::vector<report::Series> series_;
    std::vector<QToolButton*> buttons_;
    Look look_;
};

}  // namespace dlperf::ui
