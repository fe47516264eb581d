// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/telemetry_panel.h"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "ui/charts/chart_view.h"
#include "ui/charts/full_chart.h"
#include "ui/charts/legend_bar.h"
#include "ui/widgets/segments.h"

namespace dlperf::ui {

TelemetryPanel::TelemetryPanel(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    panel_ = new Panel(this);
    column->addWidget(panel_);
    QHBoxLayout* head = panel_->addHeader(tr("Node load"));
    legend_ = new LegendBar;
    head->addWidget(legend_, 0, Qt::AlignVCenter);
    choice_ = new Segments;
    choice_->setAccessibleName(tr("What is shown of the nodes"));
    head->addWidget(choice_, 0, Qt::AlignVCenter);
    chart_ = new ChartView;
    addFullScreenButton(*head, *chart_);
    panel_->body()->addWidget(chart_, 1);
    connect(legend_, &LegendBar::hiddenChanged, this, &TelemetryPanel::showChosen);
    connect(legend_, &LegendBar::seriesHovered, chart_, &ChartView::highlight);
    connect(choice_, &Segments::changed, this, &TelemetryPanel::showChosen);
    hide();
}

void TelemetryPanel::showTelemetry(const std::vector<LiveTelemetry>& telemetry) {
    const std::array<QString, report::quantityCount> words{tr("GPU use"),     tr("Power"),  tr("Clock"),
                                                           tr("Temperature"), tr("Memory"), tr("Throttled"),
                                                           tr("CPU"),         tr("Network")};
    const bool isSame =
        std::ranges::equal(telemetry, telemetry_, {}, &LiveTelemetry::quantity, &LiveTelemetry::quantity);
    telemetry_ = telemetry;
    if (!isSame) {
        QStringList texts;
        for (const LiveTelemetry& one : telemetry_) {
            texts << words.at(static_cast<std::size_t>(one.quantity));
        }
        choice_->setTexts(texts, 0);
        legend_->setSeries(telemetry_.empty() ? std::vector<report::Series>() : telemetry_[0].chart.series);
    }
    setVisible(!telemetry_.empty());
    showChosen();
}

void TelemetryPanel::showChosen() {
    const auto chosen = static_cast<std::size_t>(std::max(0, choice_->current()));
    if (chosen >= telemetry_.size()) {
        chart_->setSpec({});
        return;
    }
    report::ChartSpec shown = telemetry_[chosen].chart;
    const auto hidden = legend_->hidden();
    std::erase_if(shown.series, [&](const report::Series& series) { return hidden.contains(series.key); });
    panel_->setTitle(tr("Node load"), QString::fromStdString(shown.unit));
    chart_->setSpec(shown);
}

}  // namespace dlperf::ui
