// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/comparison_legend.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QWidgetAction>
#include <algorithm>
#include <iterator>

#include "core/report/series_colours.h"
#include "ui/charts/legend_bar.h"
#include "ui/theme/fonts.h"
#include "ui/theme/localized.h"
#include "ui/theme/tips.h"
#include "ui/widgets/elided.h"

namespace dlperf::ui {
namespace {

constexpr int careWidth = 460;        // px, of what is to be compared with care
constexpr std::size_t mostInBar = 9;  // series; of more the legend is a list
constexpr int colourWidth = 186;      // px

}  // namespace

ComparisonLegend::ComparisonLegend(QWidget* parent) : Panel(parent) {
    build();
    connect(showAll_, &QPushButton::clicked, this, [this] { bar_->setHidden({}); });
    connect(colours_, &SeriesCombo::changed, this, &ComparisonLegend::coloursChanged);
}

void ComparisonLegend::build() {
    body()->setContentsMargins(6, 5, 6, 5);
    bar_ = new LegendBar;
    bar_->setMost(mostInBar);
    // Long names must not push the charts away.
    room_ = makeScrolled(bar_, ScrollBars::VerticalOnly);
    room_->viewport()->installEventFilter(this);
    QHBoxLayout* row = makeRow(nullptr, {}, 8);
    row->addWidget(room_, 1);
    hidden_ = makeLabel({}, "secondary");
    row->addWidget(hidden_);
    showAll_ = makeSmallButton(tr("Show all"));
    row->addWidget(showAll_);
    row->addStretch();
    colours_ = new SeriesCombo(tr("Colour: %1"), tr("framework"));
    colours_->setProperty("size", "small");
    colours_->setAccessibleName(tr("Colour"));
    colours_->setToolTip(
        tr("What the colours of the series tell apart; by itself frameworks, and their series by shade and "
           "fill. Another choice holds here and in the report: in Runs colours stay those of frameworks."));
    colours_->setFixedWidth(scaled(colourWidth));
    row->addWidget(colours_, 0, Qt::AlignTop);
    row->addWidget(makeCareButton(), 0, Qt::AlignTop);
    body()->addLayout(row);
}

// At the legend's end: whether it is there or not, charts and table stay where they are.
QWidget* ComparisonLegend::makeCareButton() {
    care_ = makeSmallButton({}, QStringLiteral("state-warn"), "caution");
    auto* menu = new QMenu(care_);
    careText_ = makeText({});
    careText_->setContentsMargins(12, 8, 12, 8);
    careText_->setFixedWidth(scaled(careWidth));
    careText_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* action = new QWidgetAction(menu);
    action->setDefaultWidget(careText_);
    menu->addAction(action);
    care_->setMenu(menu);
    care_->hide();
    return care_;
}

void ComparisonLegend::offerColours(const report::Comparison& comparison, const Vocabulary& vocabulary) {
    std::vector<std::pair<QString, QString>> fields;
    for (const report::PivotField field : report::differingFields(comparison, vocabulary)) {
        if (field != report::PivotField::Framework) {
            fields.emplace_back(QString::fromLatin1(report::writtenName(field)),
                                localized(titleOf(field)).toLower());
        }
    }
    colours_->setSeries(fields);
    colours_->setEnabled(!fields.empty());
}

std::optional<report::PivotField> ComparisonLegend::colouredBy() const {
    return report::pivotFieldNamed(colours_->chosen().toStdString());
}

void ComparisonLegend::colourBy(std::optional<report::PivotField> field) {
    colours_->choose(field ? QString::fromLatin1(report::writtenName(*field)) : QString());
}

void ComparisonLegend::setComparison(const report::Comparison& comparison) {
    setVisible(!comparison.series.empty());
    std::vector<report::Series> entries;
    std::ranges::transform(comparison.series, std::back_inserter(entries), report::chartSeries);
    bar_->setSeries(entries);
    room_->setVisible(!bar_->isFull());
}

void ComparisonLegend::showHidden() {
    const auto hidden = bar_->hidden().size();
    hidden_->setVisible(bar_->isFull());
    hidden_->setText(tr("%1 series, %2 hidden").arg(bar_->series().size()).arg(hidden));
    showAll_->setVisible(bar_->isFull());
    showAll_->setEnabled(hidden > 0);
}

void ComparisonLegend::showWarnings(const std::vector<report::Warning>& warnings) {
    QStringList lines;
    for (const report::Warning& warning : warnings) {
        lines << localized(warningText(warning) + ".");
    }
    care_->setVisible(!lines.isEmpty());
    care_->setText(tr("Compare with care: %1").arg(lines.size()));
    care_->setToolTip(plainTip(lines.join(QLatin1Char('\n'))));
    careText_->setText(lines.join(QStringLiteral("\n\n")));
}

void ComparisonLegend::fit() {
    constexpr int mostRows = 3;
    const QLayoutItem* first = bar_->layout()->itemAt(0);
    const int row = first == nullptr ? 0 : first->sizeHint().height();
    const int needed = bar_->layout()->heightForWidth(room_->viewport()->width());
    room_->setFixedHeight(std::clamp(needed, row, mostRows * (row + 2)));
}

// The bar's room has its width only after the page's own layout.
bool ComparisonLegend::eventFilter(QObject* watched, QEvent* event) {
    if (watched == room_->viewport() && event->type() == QEvent::Resize) {
        fit();
    }
    return Panel::eventFilter(watched, event);
}

}  // namespace dlperf::ui
