// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/planned_runs.h"

#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/run_list_model.h"
#include "ui/pages/recipe_times.h"
#include "ui/pages/run_matrix.h"
#include "ui/theme/numbers.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/table_header.h"

namespace dlperf::ui {
namespace {

constexpr int plannedRowHeight = 28;

}  // namespace

PlannedRuns::PlannedRuns(const Vocabulary& vocabulary, QWidget* parent) : QWidget(parent) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    panel_ = new Panel(this);
    outer->addWidget(panel_);
    QHBoxLayout* head = panel_->addHeader(tr("Runs"));
    kinds_ = new Segments({tr("Matrix"), tr("List")});
    head->addWidget(kinds_);
    panel_->body()->addWidget(buildFigures());
    stack_ = new QStackedWidget(panel_);
    buildMatrix(vocabulary);
    stack_->addWidget(buildList());
    connect(kinds_, &Segments::changed, stack_, &QStackedWidget::setCurrentIndex);
    panel_->body()->addWidget(stack_, 1);
    panel_->body()->addWidget(buildFoot());
}

QWidget* PlannedRuns::buildFigures() {
    auto* host = new QFrame(panel_);
    host->setProperty("kind", "panelheader");
    auto* row = new QHBoxLayout(host);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    const auto add = [&](const QString& unit) {
        if (row->count() > 0) {
            row->addWidget(makeVerticalSeparator());
        }
        auto* column = new QVBoxLayout;
        column->setContentsMargins(14, 9, 10, 9);
        column->setSpacing(2);
        QLabel* value = makeLabel({}, "figure");
        column->addWidget(value);
        column->addWidget(makeLabel(unit, "secondary"));
        row->addLayout(column, 1);
        return value;
    };
    runCount_ = add(tr("runs"));
    caseCount_ = add(tr("cases"));
    time_ = add(tr("time, about"));
    nodeCount_ = add(tr("nodes at most"));
    return host;
}

void PlannedRuns::buildMatrix(const Vocabulary& vocabulary) {
    auto* content = new QWidget;
    stack_->addWidget(makeScrolled(content));
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    matrix_ = new RunMatrix(vocabulary);
    connect(matrix_, &RunMatrix::caseChosen, this, &PlannedRuns::caseChosen);
    column->addWidget(matrix_);
    notes_ = new PlanNotes;
    connect(notes_, &PlanNotes::triggered, this, &PlannedRuns::noteTriggered);
    column->addWidget(notes_);
    recipeTimes_ = new RecipeTimes(vocabulary);
    column->addWidget(recipeTimes_);
    column->addStretch(1);
}

QWidget* PlannedRuns::buildList() {
    model_ = new RunListModel(this);
    list_ = new QTableView(stack_);
    list_->setProperty("kind", "rows");
    list_->setModel(model_);
    setUpRowTable(list_, tr("Runs in their order"), plannedRowHeight);
    list_->setSelectionMode(QAbstractItemView::SingleSelection);
    connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid()) {
                    emit caseChosen(static_cast<std::size_t>(current.row()));
                }
            });
    return list_;
}

QWidget* PlannedRuns::buildFoot() {
    auto* foot = new QFrame(panel_);
    foot->setProperty("kind", "panelfooter");
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(12, 11, 12, 11);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    first_ = new ElidedLabel;
    first_->setProperty("kind", "strong");
    words->addWidget(first_);
    auto* goesOn = new ElidedLabel(tr("Runs go on when this window is closed."));
    goesOn->setProperty("kind", "caption");
    words->addWidget(goesOn);
    row->addLayout(words, 1);
    start_ = makeButton({}, QStringLiteral("launch"), "primary");
    connect(start_, &QPushButton::clicked, this, &PlannedRuns::startRequested);
    row->addWidget(start_);
    return foot;
}

void PlannedRuns::showDraft(const PlanDraft& draft, const launch::ExpectedTimes& times, const Case& chosen) {
    const auto& runs = draft.prepared.runs;
    const auto first = std::ranges::find(runs, chosen, &launch::PlannedRun::benchmarkCase);
    matrix_->showRuns(runs, times, first == runs.end() ? 0 : static_cast<std::size_t>(first - runs.begin()));
    recipeTimes_->showRuns(runs, times);
    {
        const QSignalBlocker quiet(list_->selectionModel());
        model_->setRuns(runs, times);
    }
    list_->resizeColumnsToContents();
    list_->setColumnWidth(RunListModel::Recipe, list_->columnWidth(RunListModel::Recipe) + 24);
    const MatrixTotals& totals = matrix_->totals();
    panel_->setTitle(tr("Runs"), tr("%1 repetitions in each cell").arg(draft.plan.repetitions));
    runCount_->setText(numberLocale().toString(static_cast<qulonglong>(runs.size())));
    caseCount_->setText(QString::number(totals.cases));
    time_->setText(totals.time ? roughly(*totals.time) : missing);
    time_->setToolTip(totals.time ? QString() : tr("The first run tells: no earlier run to judge by"));
    nodeCount_->setText(QString::number(totals.nodes));
}

void PlannedRuns::setStart(const QString& text, bool possible, const QString& why, const QString& first) {
    start_->setText(text);
    start_->setEnabled(possible);
    start_->setToolTip(plainTip(why));
    first_->setText(first);
}

}  // namespace dlperf::ui
