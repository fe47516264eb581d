// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/planned_runs.h"

#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "ui/theme/fonts.h"
#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"
#include "ui/theme/series_style.h"
#include "ui/theme/theme.h"
#include "ui/theme/tips.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/table_header.h"

namespace dlperf::ui {
namespace {

constexpr int plannedRowHeight = 28;
constexpr int nameWidth = 130;
constexpr int timeWidth = 70;
constexpr int barHeight = 8;

class ShareBar final : public QWidget {
public:
    ShareBar(std::string framework, bool hollow, double share)
        : framework_(std::move(framework)), hollow_(hollow), share_(share) {
        setFixedHeight(barHeight);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.fillRect(rect(), currentTheme().press);
        QRectF part = rect();
        part.setWidth(width() * share_);
        const Theme& theme = currentTheme();
        painter.fillRect(part, barFill(theme, frameworkStyle(theme, framework_, hollow_ ? 1 : 0)));
    }

private:
    std::string framework_;
    bool hollow_;
    double share_;
};

}  // namespace

RecipeTimes::RecipeTimes(const Vocabulary& vocabulary, QWidget* parent)
    : QWidget(parent), vocabulary_(vocabulary), column_(makeColumn(this, {14, 12, 14, 12}, 8)) {
    hide();
}

void RecipeTimes::showRuns(const std::vector<launch::PlannedRun>& runs, const launch::ExpectedTimes& times) {
    std::vector<Row> rows;
    for (const launch::PlannedRun& run : runs) {
        auto row = std::ranges::find(rows, run.recipe, &Row::recipe);
        if (row == rows.end()) {
            const Configuration& configuration = run.benchmarkCase.configuration;
            rows.push_back(
                {run.recipe, configuration.framework, !vocabulary_.isMain(configuration.implementation)});
            row = std::prev(rows.end());
        }
        const auto time = times.of(run);
        row->known = row->known && time.has_value();
        row->time += time.value_or(std::chrono::seconds{0});
    }
    std::erase_if(rows, [](const Row& row) { return !row.known; });
    setVisible(rows.size() > 1);
    if (rows == rows_) {
        return;
    }
    rows_ = rows;
    emptyLayout(column_);
    column_->addWidget(makeLabel(tr("Time by recipe"), "section"));
    for (const Row& row : rows) {
        addRow(row, std::ranges::max(rows, {}, &Row::time).time);
    }
}

void RecipeTimes::addRow(const Row& row, std::chrono::seconds longest) {
    auto* host = new QWidget(this);
    QHBoxLayout* line = makeRow(host, {}, 8);
    line->addWidget(new KeySign(row.framework, row.hollow ? 1 : 0));
    auto* name = new ElidedLabel(QString::fromStdString(row.recipe));
    name->setFixedWidth(scaled(nameWidth));
    line->addWidget(name);
    const double share = longest.count() > 0
                             ? static_cast<double>(row.time.count()) / static_cast<double>(longest.count())
                             : 0;
    line->addWidget(new ShareBar(row.framework, row.hollow, share), 1);
    QLabel* time = makeLabel(roughly(row.time), "mono");
    time->setMinimumWidth(scaled(timeWidth));
    time->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    line->addWidget(time);
    column_->addWidget(host);
}

PlannedRuns::PlannedRuns(const Vocabulary& vocabulary, QWidget* parent) : Panel(parent) {
    QHBoxLayout* head = addHeader(tr("Runs"));
    kinds_ = new Segments(tr("Planned runs as"), {tr("Matrix"), tr("List")});
    head->addWidget(kinds_);
    body()->addWidget(buildFigures());
    stack_ = new QStackedWidget(this);
    buildMatrix(vocabulary);
    stack_->addWidget(buildList());
    connect(kinds_, &Segments::changed, stack_, &QStackedWidget::setCurrentIndex);
    body()->addWidget(stack_, 1);
    body()->addWidget(buildFoot());
}

QWidget* PlannedRuns::buildFigures() {
    auto* host = new QFrame(this);
    host->setProperty("kind", "panelheader");
    QHBoxLayout* row = makeRow(host, {}, 0);
    const auto add = [&](const QString& unit) {
        if (row->count() > 0) {
            row->addWidget(makeVerticalSeparator());
        }
        QVBoxLayout* column = makeColumn(nullptr, {14, 9, 10, 9}, 2);
        QLabel* value = makeLabel({}, "figure");
        column->addWidget(value);
        column->addWidget(makeLabel(unit, "secondary"));
        row->addLayout(column, 1);
        return value;
    };
    runCount_ = add(tr("Runs"));
    caseCount_ = add(tr("Cases"));
    time_ = add(tr("Time, about"));
    nodeCount_ = add(tr("Most nodes"));
    return host;
}

void PlannedRuns::buildMatrix(const Vocabulary& vocabulary) {
    auto* content = new QWidget;
    stack_->addWidget(makeScrolled(content));
    QVBoxLayout* column = makeColumn(content, {}, 0);
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
    list_->setProperty("dense", true);
    list_->setHorizontalHeader(new TableHeader(list_, TableHeader::densePadding));
    list_->setModel(model_);
    setUpRowTable(list_, tr("Runs in their order"), plannedRowHeight);
    list_->horizontalHeader()->setStretchLastSection(false);
    list_->horizontalHeader()->setSectionResizeMode(RunListModel::Recipe, QHeaderView::Stretch);
    list_->setTextElideMode(Qt::ElideMiddle);  // settings stand at the end
    list_->setWordWrap(false);
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
    auto* foot = new QFrame(this);
    foot->setProperty("kind", "panelfooter");
    QHBoxLayout* row = makeRow(foot, {12, 11, 12, 11});
    QVBoxLayout* words = makeColumn(nullptr, {}, 2);
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
    fitList();
    const MatrixTotals& totals = matrix_->totals();
    const int repetitions = draft.plan.repetitions;
    setTitle(tr("Runs"), repetitions == 1 ? tr("1 repetition in each cell")
                                          : tr("%1 repetitions in each cell").arg(repetitions));
    runCount_->setText(numberLocale().toString(static_cast<qulonglong>(runs.size())) +
                       (draft.plan.addsRuns() ? QStringLiteral("+") : QString()));
    caseCount_->setText(QString::number(totals.cases));
    time_->setText(totals.time ? roughly(*totals.time) : missing);
    time_->setToolTip(totals.time ? QString() : tr("The first run tells: no earlier run to judge by"));
    nodeCount_->setText(QString::number(totals.nodes));
}

// Titles and figures are read whole; the recipe has the rest of the room. Qt would keep room for the arrow of
// a sorted column, and looks at as many rows.
void PlannedRuns::fitList() {
    constexpr int rowsLookedAt = 1000;
    const auto& header = dynamic_cast<const TableHeader&>(*list_->horizontalHeader());
    for (int column = 0; column < model_->columnCount(); ++column) {
        if (column == RunListModel::Recipe) {
            continue;
        }
        const QFontMetrics metrics(model_->index(0, column).data(Qt::FontRole).value<QFont>());
        int text = 0;
        for (int row = 0; row < std::min(model_->rowCount(), rowsLookedAt); ++row) {
            text = std::max(text, metrics.horizontalAdvance(model_->index(row, column).data().toString()));
        }
        list_->setColumnWidth(column,
                              std::max(text + 2 * TableHeader::densePadding + 1, header.widthFor(column)));
    }
}

void PlannedRuns::setStart(const QString& text, bool possible, const QString& why, const QString& first) {
    start_->setText(text);
    start_->setEnabled(possible);
    start_->setToolTip(plainTip(why));
    first_->setText(first);
}

RunListModel::RunListModel(QObject* parent) : ColumnsModel(parent) {
    using Row = PlannedRunRow;
    const auto figures = [](const QString& title, std::function<QString(const Row&)> text) {
        return ColumnsModel::Column{.title = title, .text = std::move(text), .right = true, .mono = true};
    };
    setColumns(
        {figures(tr("No."), [](const Row& row) { return QString::number(row.number); }),
         {tr("Recipe"),
          [](const Row& row) {
              const QString recipe = recipeText(row.benchmarkCase.configuration);
              return row.settings.isEmpty() ? recipe : recipe + comma() + row.settings;
          }},
         {tr("Topology"),
          [](const Row& row) {
              return QString::fromStdString(dlperf::toString(row.benchmarkCase.topology));
          }},
         figures(tr("Batch"),
                 [](const Row& row) { return QString::number(row.benchmarkCase.configuration.batchSize); }),
         {tr("Precision"),
          [](const Row& row) { return QString::fromStdString(row.benchmarkCase.configuration.precision); }},
         figures(tr("Repetition"), [](const Row& row) { return QString::number(row.repetition); }),
         figures(tr("About"), [](const Row& row) { return row.time; })});
}

void RunListModel::setRuns(const std::vector<launch::PlannedRun>& runs, const launch::ExpectedTimes& times) {
    beginResetModel();
    rows_.clear();
    const auto settings = settingsApart(runs);
    std::map<Case, QString> texts;  // a case stands in the list once for each repetition
    for (const launch::PlannedRun& run : runs) {
        const auto [time, isNew] = texts.try_emplace(run.benchmarkCase);
        if (isNew) {
            const auto expected = times.of(run);
            time->second = expected ? durationText(*expected) : missing;
        }
        rows_.push_back({static_cast<int>(rows_.size()) + 1, run.benchmarkCase, run.repetition, time->second,
                         settings.at(run.benchmarkCase.configuration)});
    }
    endResetModel();
}

}  // namespace dlperf::ui
