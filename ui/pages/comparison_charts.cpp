// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/comparison_charts.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>

#include "core/report/series_points.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/legend_bar.h"
#include "ui/theme/fonts.h"
#include "ui/theme/localized.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/segments.h"

namespace dlperf::ui {
namespace {

constexpr int around = 34;           // px: margins and the handle between them
constexpr int settingLetters = 8;    // that the box of settings would like to show, and
constexpr int leastSettingBox = 66;  // px, the least: its panel is no wider with it than without

enum LeftKind { Total, PerDevice, OverSetting, Repetitions, Relative };
enum RightKind { Speedup, Efficiency };

}  // namespace

ComparisonCharts::ComparisonCharts(const report::Comparison& comparison, const Vocabulary& vocabulary,
                                   QWidget* parent)
    : QSplitter(Qt::Horizontal, parent), comparison_(comparison), vocabulary_(vocabulary) {
    buildLeft();
    buildRight();
    setHandleWidth(10);
    setChildrenCollapsible(false);
    addWidget(leftPanel_);
    addWidget(rightPanel_);
    setSizes({566, 434});  // five switches and a box left, two right
    connectCharts();
    nextTurn_.setSingleShot(true);
    nextTurn_.setInterval(0);
    connect(&nextTurn_, &QTimer::timeout, this, &ComparisonCharts::drawNext);
}

void ComparisonCharts::buildLeft() {
    leftPanel_ = new ui::Panel(this);
    leftKind_ = new Segments(tr("Throughput chart"),
                             {tr("Total"), tr("Per device"), tr("Setting"), tr("Spread"), tr("Relative")});
    QHBoxLayout* head = leftPanel_->addHeader(tr("Throughput"));
    head->addWidget(makeSettingBox());
    head->addWidget(leftKind_);
    left_ = new ChartView;
    addFullScreenButton(*head, *left_);
    leftPanel_->body()->addWidget(left_, 1);
}

// Left of the switches, in room that is free: they stay where they are when it comes.
QWidget* ComparisonCharts::makeSettingBox() {
    setting_ = new ElidedCombo;
    setting_->setProperty("size", "small");
    setting_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setting_->setMinimumContentsLength(settingLetters);
    setting_->setMinimumWidth(scaled(leastSettingBox));
    setting_->setAccessibleName(tr("Over which setting"));
    setting_->setToolTip(tr(
        "On the x axis: the batch size, or an option or variable that the series have different values of"));
    setting_->hide();
    connect(setting_, &QComboBox::activated, this, [this] {
        wantedSetting_ = chosenSetting();
        emit changed();
    });
    connect(leftKind_, &Segments::changed, this, [this](int kind) {
        if (kind == OverSetting) {
            wantedSetting_ = chosenSetting();
        }
        showSettingBox();
    });
    return setting_;
}

void ComparisonCharts::buildRight() {
    rightPanel_ = new ui::Panel(this);
    rightKind_ = new Segments(tr("Speedup chart"), {tr("Speedup"), tr("Efficiency")});
    logAxes_ = makeChip(QStringLiteral("log2"), true);
    logAxes_->setToolTip(tr("Logarithmic axes: every doubling is one step"));
    QHBoxLayout* head = rightPanel_->addHeader(tr("Speedup"));
    head->addWidget(rightKind_);
    head->addWidget(logAxes_);
    right_ = new ChartView;
    addFullScreenButton(*head, *right_);
    rightPanel_->body()->addWidget(right_, 1);
}

void ComparisonCharts::connectCharts() {
    connect(leftKind_, &Segments::changed, this, &ComparisonCharts::changed);
    connect(rightKind_, &Segments::changed, this, &ComparisonCharts::changed);
    connect(logAxes_, &QToolButton::toggled, this, &ComparisonCharts::changed);
    for (ChartView* chart : {left_, right_}) {
        connect(chart, &ChartView::seriesHovered, this, &ComparisonCharts::seriesHovered);
        chart->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(chart, &ChartView::customContextMenuRequested, this,
                [this, chart](const QPoint& where) { emit menuAsked(*chart, chart->mapToGlobal(where)); });
    }
}

void ComparisonCharts::offerKinds() {
    const auto offer = [this](LeftKind kind, bool isPossible, const QString& whyNot) {
        leftKind_->setAvailable(kind, isPossible, whyNot);
        if (!isPossible && leftKind_->current() == kind) {
            leftKind_->setCurrent(Total);
        }
    };
    const auto settings = report::sweptSettings(comparison_);
    if (!offerSettings(settings) && isOverSetting()) {
        leftKind_->setCurrent(Total);
    }
    offer(OverSetting, !settings.empty(),
          tr("Choose two batch sizes or more, or runs that differ in an option or variable"));
    const bool times = report::showsTimes(comparison_);
    offer(PerDevice, !times, tr("A time is not shared out among devices"));
    rightKind_->setVisible(!times);
    const bool repeated = std::ranges::any_of(comparison_.series, [](const report::ComparedSeries& series) {
        return std::ranges::any_of(series.cells,
                                   [](const report::Cell& cell) { return cell.repetitions.size() > 1; });
    });
    offer(Repetitions, repeated, tr("No case was run more than once"));
    showSettingBox();
}

// True if the wanted one is among them.
bool ComparisonCharts::offerSettings(const std::vector<report::Setting>& settings) {
    const QSignalBlocker quiet(setting_);
    setting_->clear();
    for (const report::Setting& one : settings) {
        const QString name = QString::fromStdString(one.name);
        setting_->addItem(one.isBatchSize() ? tr("batch size") : name, name);
    }
    const int found = setting_->findData(QString::fromStdString(wantedSetting_.name));
    setting_->setCurrentIndex(std::max(0, found));
    return found >= 0;
}

report::Setting ComparisonCharts::chosenSetting() const {
    return {setting_->currentData().toString().toStdString()};
}

bool ComparisonCharts::isOverSetting() const {
    return leftKind_->current() == OverSetting;
}

void ComparisonCharts::showSettingBox() {
    setting_->setVisible(isOverSetting());
    emit needsRoom();
}

void ComparisonCharts::show(Choices choices) {
    choices_ = std::move(choices);
    report::ChartSpec left = leftChart();
    report::ChartSpec right = rightChart();
    left.warnings.clear();  // the page has them, once
    right.warnings.clear();
    leftPanel_->setTitle(leftTitle(), localized(left.unit));
    rightPanel_->setTitle(localized(right.title), localized(right.unit));
    next_ = {{left_, std::move(left)}, {right_, std::move(right)}};
    nextTurn_.start();
}

// A chart a turn: with many series each of them is the most that may hold the window.
void ComparisonCharts::drawNext() {
    const auto [view, spec] = std::move(next_.front());
    next_.erase(next_.begin());
    if (!next_.empty()) {
        nextTurn_.start();
    }
    view->setSpec(spec);
}

void ComparisonCharts::highlight(const QString& seriesKey) {
    left_->highlight(seriesKey);
    right_->highlight(seriesKey);
}

report::ChartOptions ComparisonCharts::options(const Choices& choices) const {
    report::ChartOptions options;
    options.hidden = choices.hidden;
    options.logFigures = logFigures_;
    options.logAxes = logAxes_->isChecked();
    options.perDevice = leftKind_->current() == PerDevice;
    options.relative = leftKind_->current() == Relative;
    options.relativeTo = choices.baseline;
    return options;
}

void ComparisonCharts::switchLogFigures() {
    logFigures_ = !logFigures_;
    emit changed();
}

void ComparisonCharts::writeTo(report::CompareView& view) const {
    view.throughput = leftKind_->current();
    view.scaling = rightKind_->current();
    view.logFigures = logFigures_;
    view.logAxes = logAxes_->isChecked();
    view.setting = wantedSetting_.name;
}

void ComparisonCharts::readFrom(const report::CompareView& view) {
    wantedSetting_ = {view.setting};
    leftKind_->setCurrent(std::clamp<int>(view.throughput, Total, Relative));
    offerKinds();  // what the results do not have cannot be shown
    rightKind_->setCurrent(std::clamp<int>(view.scaling, Speedup, Efficiency));
    logFigures_ = view.logFigures;
    logAxes_->setChecked(view.logAxes);
}

report::ChartSpec ComparisonCharts::shownBy(const ChartView& chart) const {
    return partOf(&chart == left_    ? leftChart()
                  : &chart == right_ ? rightChart()
                                     : chart.spec(),
                  chart.part());
}

void ComparisonCharts::addActions(QMenu& menu, const ChartView& chart) {
    if (&chart != left_) {
        return;
    }
    QAction* logarithmic =
        menu.addAction(tr("Logarithmic throughput"), this, &ComparisonCharts::switchLogFigures);
    logarithmic->setCheckable(true);
    logarithmic->setChecked(logFigures_);
    logarithmic->setEnabled(leftKind_->current() != Repetitions);  // those are off a zero
    menu.addSeparator();
}

std::optional<Topology> ComparisonCharts::sweptTopology() const {
    return choices_.topology ? choices_.topology : report::sweepTopology(comparison_, chosenSetting());
}

report::ChartSpec ComparisonCharts::leftChart() const {
    const auto topology = sweptTopology();
    if (isOverSetting() && topology) {
        return report::throughputOver(chosenSetting(), comparison_, vocabulary_, *topology,
                                      options(choices_));
    }
    return leftKind_->current() == Repetitions
               ? report::repetitionDots(comparison_, vocabulary_, options(choices_))
               : report::throughputBars(comparison_, vocabulary_, options(choices_));
}

// Of times there is no speedup to show; the memory that they cost stands beside them.
report::ChartSpec ComparisonCharts::rightChart() const {
    if (report::showsTimes(comparison_)) {
        return report::memoryBars(comparison_, vocabulary_, options(choices_));
    }
    return rightKind_->current() == Efficiency
               ? report::efficiencyLines(comparison_, vocabulary_, options(choices_))
               : report::speedupLines(comparison_, vocabulary_, options(choices_));
}

QString ComparisonCharts::leftTitle() const {
    if (leftKind_->current() == Repetitions) {
        return tr("Spread");
    }
    if (leftKind_->current() == Relative) {
        return tr("Relative");
    }
    const auto topology = sweptTopology();
    const QString figure = report::showsTimes(comparison_) ? tr("Time") : tr("Throughput");
    return isOverSetting() && topology ? tr("%1, %2").arg(figure, QString::fromStdString(toString(*topology)))
                                       : figure;
}

bool ComparisonCharts::fit(int room) {
    const auto needed = [this] {
        return leftPanel_->minimumSizeHint().width() + rightPanel_->minimumSizeHint().width() + around;
    };
    if (!leftKind_->isBox()) {
        roomForKinds_ = needed();
    }
    leftKind_->setMost(room < roomForKinds_ ? 0 : Segments::mostInARow);
    for (QWidget* part = leftKind_; part != this; part = part->parentWidget()) {
        if (part->layout() != nullptr) {
            part->layout()->activate();  // else the panel learns of it in a later turn
        }
    }
    const bool isNarrow = room < needed();
    setOrientation(isNarrow ? Qt::Vertical : Qt::Horizontal);
    return isNarrow;
}

}  // namespace dlperf::ui
