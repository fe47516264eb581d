// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/measurement_range_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/measure/reanalyze.h"
#include "core/model/case.h"
#include "core/report/comparison.h"
#include "core/report/numbers.h"
#include "ui/models/results_model.h"
#include "ui/theme/fonts.h"
#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"
#include "ui/theme/theme.h"
#include "ui/theme/tips.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/table_header.h"

namespace dlperf::ui {
namespace {

constexpr int changeRowHeight = 28;
constexpr int fieldWidth = 110;
constexpr int largestIteration = 100'000'000;
constexpr int whileTyping = 300;   // ms
constexpr int lookInterval = 100;  // ms
constexpr int readingSteps = 1000;
constexpr QSize changeSize{760, 520};
enum Column { Title, Repetition, Before, After, Change, Remark, columns };
// px at 100 %, in the order of the columns; the last one takes the rest.
constexpr std::array columnWidths{210, 90, 110, 110, 90};

QString rangesOf(const std::vector<RunResult>& runs) {
    std::set<MeasurementRange> ranges;
    for (const RunResult& run : runs) {
        ranges.insert(run.originalRange.value_or(run.range));
    }
    QStringList texts;
    for (const MeasurementRange& range : ranges) {
        texts << MeasurementRangeDialog::tr("%1 iterations of warmup, then %2 measured")
                     .arg(range.warmup)
                     .arg(range.train - range.warmup);
    }
    return texts.join(MeasurementRangeDialog::tr("; "));
}

bool anyChanged(const std::vector<RunResult>& runs) {
    return std::ranges::any_of(runs, [](const RunResult& run) { return run.originalRange.has_value(); });
}

struct FigureRow {
    QString title;       // the case: "PyTorch, 2n8g"
    QString repetition;  // "1"; of the last line of a case "median"
    QString before;
    QString after;  // empty: not known yet
    QString change;
    QString remark;  // why there is no figure
    bool isMedian = false;
};

QString figureOrMissing(std::optional<double> figure, int decimals) {
    return figure ? figureText(*figure, decimals) : missing;
}

QString changeOf(std::optional<double> before, std::optional<double> after) {
    return before.value_or(0) > 0 && after ? percentText(*after / *before - 1, true) : QString();
}

std::vector<RunResult> inNewRange(std::vector<RunResult> runs,
                                  const std::vector<store::ChangedRange>& changed) {
    store::ChangedRanges windows;
    for (std::size_t i = 0; i < changed.size(); ++i) {
        windows[runs[i].id] = changed[i];
    }
    for (RunResult& run : runs) {
        store::applyRange(windows, run);
    }
    return runs;
}

FigureRow rowOf(const RunResult& before, const RunResult* after, int decimals) {
    FigureRow row;
    row.repetition = QString::number(before.repetition);
    row.before = figureOrMissing(before.throughput, decimals);
    if (after != nullptr) {
        row.after = figureOrMissing(after->throughput, decimals);
        row.change = changeOf(before.throughput, after->throughput);
        row.remark = localized(after->reason);
    }
    if (before.excluded) {
        row.remark = row.remark.isEmpty() ? MeasurementRangeDialog::tr("excluded")
                                          : MeasurementRangeDialog::tr("excluded; %1").arg(row.remark);
    }
    return row;
}

QString titleOf(const report::ComparedSeries& series, const Topology& topology) {
    return QStringLiteral("%1, %2").arg(localized(series.title), QString::fromStdString(toString(topology)));
}

}  // namespace

// The repetitions of each case and their median, as Compare folds them.
class RangeFigures {
public:
    RangeFigures(const std::vector<RunResult>& runs, const Vocabulary& vocabulary,
                 const analysis::FormatBook& formats)
        : runs_(runs), vocabulary_(vocabulary), formats_(formats) {
        const report::Comparison before = report::compare(runs_, vocabulary_, formats_);
        const SeriesFinder finder(before);
        std::map<std::pair<std::ptrdiff_t, Topology>, std::vector<std::size_t>>
            places;  // as Compare shows them
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            if (const report::ComparedSeries* series = finder.seriesOf(runs_[i])) {
                places[{series - before.series.data(), runs_[i].benchmarkCase.topology}].push_back(i);
            }
        }
        for (auto& [place, ofCase] : places) {
            const report::ComparedSeries& series = before.series[static_cast<std::size_t>(place.first)];
            cases_.push_back({titleOf(series, place.second), report::decimalsOf(series.unit),
                              report::findCell(series, place.second)->fold.median, std::move(ofCase)});
        }
    }

    // `changed` is one for each run, or empty while the logs are not read.
    [[nodiscard]] std::vector<FigureRow> rows(const std::vector<store::ChangedRange>& changed) const {
        std::optional<After> after;
        if (changed.size() == runs_.size()) {
            after.emplace(inNewRange(runs_, changed), vocabulary_, formats_);
        }
        std::vector<FigureRow> rows;
        for (const OneCase& one : cases_) {
            append(rows, one, after ? &*after : nullptr);
        }
        return rows;
    }

private:
    struct OneCase {
        QString title;
        int decimals = 0;
        std::optional<double> median;   // in the present range
        std::vector<std::size_t> runs;  // places in runs_
    };
    struct After {
        After(std::vector<RunResult> inRange, const Vocabulary& vocabulary,
              const analysis::FormatBook& formats)
            : runs(std::move(inRange)),
              comparison(report::compare(runs, vocabulary, formats)),
              finder(comparison) {}

        std::vector<RunResult> runs;
        report::Comparison comparison;
        SeriesFinder finder;
    };
    void append(std::vector<FigureRow>& rows, const OneCase& one, const After* after) const {
        for (const std::size_t i : one.runs) {
            rows.push_back(rowOf(runs_[i], after != nullptr ? &after->runs[i] : nullptr, one.decimals));
            rows.back().title = one.title;
        }
        if (one.runs.size() < 2) {
            return;
        }
        FigureRow row;
        row.title = one.title;
        row.isMedian = true;
        row.repetition = MeasurementRangeDialog::tr("median");
        row.before = figureOrMissing(one.median, one.decimals);
        if (after != nullptr) {
            const RunResult& any = after->runs[one.runs.front()];
            const auto median =
                report::findCell(*after->finder.seriesOf(any), any.benchmarkCase.topology)->fold.median;
            row.after = figureOrMissing(median, one.decimals);
            row.change = changeOf(one.median, median);
        }
        rows.push_back(row);
    }

    const std::vector<RunResult>& runs_;
    const Vocabulary& vocabulary_;
    const analysis::FormatBook& formats_;
    std::vector<OneCase> cases_;
};

struct MeasurementRangeDialog::Reading {
    std::stop_source stop;
    std::atomic<std::uint64_t> done{0};
    std::atomic<std::uint64_t> of{0};
};

MeasurementRangeDialog::MeasurementRangeDialog(const store::Workspace& workspace,
                                               const Vocabulary& vocabulary,
                                               const analysis::FormatBook& formats,
                                               std::vector<RunResult> runs, QWidget* parent)
    : QDialog(parent),
      workspace_(workspace),
      formats_(formats),
      runs_(std::move(runs)),
      figures_(std::make_unique<RangeFigures>(runs_, vocabulary, formats_)),
      last_(runs_.front().range.train) {
    setWindowTitle(tr("Change the measurement range"));
    build();
    resize(
        QSize(scaled(changeSize.width()), scaled(changeSize.height())).boundedTo(screen()->availableSize()));
    typing_.setSingleShot(true);
    typing_.setInterval(whileTyping);
    connect(&typing_, &QTimer::timeout, this, &MeasurementRangeDialog::read);
    following_.setInterval(lookInterval);
    connect(&following_, &QTimer::timeout, this, &MeasurementRangeDialog::showProgress);
    showRows();
    change();
}

MeasurementRangeDialog::~MeasurementRangeDialog() {
    stop();
}

void MeasurementRangeDialog::build() {
    QVBoxLayout* column = makeDialogColumn(this);
    const bool one = runs_.size() == 1;
    column->addWidget(makeLabel(one ? tr("One run: %1").arg(rangesOf(runs_))
                                    : tr("%1 runs: %2").arg(runs_.size()).arg(rangesOf(runs_)),
                                "strong"));
    column->addWidget(
        makeText(tr("Their logs are read again. What was written when they ran stays as it is, and "
                    "the original range can be restored at any time."),
                 "secondary"));
    buildFields(*column);
    column->addWidget(buildTable(), 1);
    buildProgress(*column);
    buildButtons(*column);
}

void MeasurementRangeDialog::buildFields(QVBoxLayout& column) {
    QHBoxLayout* row = makeRow(nullptr, {}, dialogSpacing / 2);
    const MeasurementRange now = runs_.front().range;
    warmup_ = addNumber(*row, tr("Warmup"), tr("Iterations that are not measured"), now.warmup);
    row->addSpacing(dialogSpacing);
    measured_ = addNumber(*row, tr("Measured"), tr("Iterations after the warmup"), now.train - now.warmup);
    row->addSpacing(dialogSpacing);
    iterations_ = makeLabel({}, "secondary");
    row->addWidget(iterations_);
    row->addStretch(1);
    column.addLayout(row);
    problem_ = new ProblemLine(this);
    column.addWidget(problem_);
}

QSpinBox* MeasurementRangeDialog::addNumber(QHBoxLayout& row, const QString& title, const QString& tip,
                                            int value) {
    auto* box = new QSpinBox;
    box->setRange(0, largestIteration);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setValue(value);
    box->setAccessibleName(title);
    box->setToolTip(tip);
    setScaledWidth(box, fieldWidth);
    QLabel* label = makeLabel(title, "section");
    label->setBuddy(box);
    row.addWidget(label);
    row.addWidget(box);
    connect(box, &QSpinBox::valueChanged, this, [this, box] {
        if (box == warmup_) {  // a log has no more iterations for a longer warmup: the last one stays
            const QSignalBlocker quiet(measured_);
            measured_->setValue(last_ - warmup_->value());
        } else {
            last_ = warmup_->value() + measured_->value();
        }
        change();
    });
    return box;
}

QWidget* MeasurementRangeDialog::buildTable() {
    auto* panel = new Panel(this);
    rows_ = new QStandardItemModel(0, columns, this);
    rows_->setHorizontalHeaderLabels(
        {tr("Case"), tr("Repetition"), tr("Before"), tr("After"), tr("Change"), tr("Remark")});
    for (const Column column : {Before, After, Change}) {
        rows_->setHeaderData(column, Qt::Horizontal, int(Qt::AlignRight | Qt::AlignVCenter),
                             Qt::TextAlignmentRole);
    }
    table_ = makeRowsTable(rows_, tr("Figures before and after"), changeRowHeight);
    table_->setTextElideMode(Qt::ElideMiddle);
    table_->setWordWrap(false);
    for (std::size_t i = 0; i < columnWidths.size(); ++i) {
        table_->setColumnWidth(static_cast<int>(i), scaled(columnWidths[i]));
    }
    panel->body()->addWidget(table_);
    return panel;
}

void MeasurementRangeDialog::buildProgress(QVBoxLayout& column) {
    progressRow_ = new QWidget(this);
    QHBoxLayout* row = makeRow(progressRow_, {}, dialogSpacing);
    row->addWidget(makeLabel(tr("Reading the logs …"), "secondary"));
    progress_ = new QProgressBar;
    progress_->setRange(0, readingSteps);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Reading the logs"));
    row->addWidget(progress_, 1);
    QPushButton* stopButton = makeSmallButton(tr("Stop"), QStringLiteral("stop"));
    connect(stopButton, &QPushButton::clicked, this, [this] {
        stop();
        problem_->showProblem(tr("The logs were not read to their ends. Choose a range to read them again."));
    });
    row->addWidget(stopButton);
    progressRow_->hide();
    column.addWidget(progressRow_);
}

void MeasurementRangeDialog::buildButtons(QVBoxLayout& column) {
    QDialogButtonBox* buttons = makeDialogButtons(QDialogButtonBox::Cancel, this);
    accept_ = makeButton(tr("Change the measurement range"), {}, "primary");
    accept_->setObjectName(QStringLiteral("accept"));
    buttons->addButton(accept_, QDialogButtonBox::AcceptRole);
    accept_->setDefault(true);  // Return, in a field too
    if (anyChanged(runs_)) {
        QPushButton* original = makeButton(tr("Restore the original range"));
        buttons->addButton(original, QDialogButtonBox::ResetRole);
        connect(original, &QPushButton::clicked, this, &MeasurementRangeDialog::restore);
    }
    column.addWidget(buttons);
}

MeasurementRange MeasurementRangeDialog::asked() const {
    return {warmup_->value(), warmup_->value() + measured_->value()};
}

void MeasurementRangeDialog::change() {
    if (!changed_.empty() && changed_.front().range == asked()) {
        return;  // Return in a field says its number again, and is to reach the button
    }
    stop();
    if (!std::exchange(changed_, {}).empty()) {
        showRows();  // what was known is of another range
    }
    const MeasurementRange range = asked();
    iterations_->setText(range.train > range.warmup
                             ? tr("iterations %1 to %2").arg(range.warmup + 1).arg(range.train)
                             : QString());
    const auto good = measure::checkRange(formats_, runs_, range);
    problem_->showProblem(good ? QString()
                               : localized(describe({good.error().what, {}, good.error().remedy})));
    if (good) {
        typing_.start();
    } else {
        typing_.stop();
    }
    showAcceptance();
}

void MeasurementRangeDialog::read() {
    reading_ = std::make_shared<Reading>();
    following_.start();
    background_.ask(
        this,
        [reading = reading_, workspace = workspace_, formats = formats_, runs = runs_, range = asked()] {
            return measure::reanalyze(workspace, formats, runs, range, reading->stop.get_token(),
                                      [&](const measure::Progress& progress) {
                                          reading->done = progress.done;
                                          reading->of = progress.of;
                                      });
        },
        [this, reading = reading_](const Result<std::vector<store::ChangedRange>>& changed) {
            if (reading == reading_) {
                take(changed);
            }
        });
}

void MeasurementRangeDialog::take(const Result<std::vector<store::ChangedRange>>& changed) {
    stop();
    if (!changed) {
        problem_->showProblem(localized(describe(changed.error())));
        return;
    }
    changed_ = *changed;
    const bool any = std::ranges::any_of(changed_, [](const auto& one) { return one.figure.has_value(); });
    problem_->showProblem(any ? QString() : tr("No run has a figure in this range."));
    showRows();
    showAcceptance();
}

// An answer that is still to come no longer counts.
void MeasurementRangeDialog::stop() {
    if (reading_) {
        reading_->stop.request_stop();
        reading_.reset();
    }
    following_.stop();
    if (progressRow_ != nullptr) {
        progressRow_->hide();
    }
}

void MeasurementRangeDialog::showProgress() {
    const auto of = static_cast<double>(reading_ ? reading_->of.load() : 0);
    progressRow_->setVisible(of > 0);
    if (of > 0) {
        progress_->setValue(static_cast<int>(static_cast<double>(reading_->done.load()) / of * readingSteps));
    }
}

void MeasurementRangeDialog::showAcceptance() {
    const MeasurementRange range = asked();
    const bool another = std::ranges::any_of(runs_, [&](const RunResult& run) { return run.range != range; });
    const bool any = std::ranges::any_of(changed_, [](const auto& one) { return one.figure.has_value(); });
    accept_->setEnabled(another && any);
}

void MeasurementRangeDialog::showRows() {
    const std::vector<FigureRow> rows = figures_->rows(changed_);
    rows_->setRowCount(0);
    for (const FigureRow& row : rows) {
        QList<QStandardItem*> items;
        for (const QString& text :
             {row.title, row.repetition, row.before, row.after, row.change, row.remark}) {
            auto* item = new QStandardItem(text);
            item->setToolTip(plainTip(text));
            items << item;
        }
        for (const Column column : {Before, After, Change}) {
            items[column]->setFont(monoFont(size::secondary, row.isMedian ? QFont::Bold : QFont::Normal));
            items[column]->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        }
        rows_->appendRow(items);
    }
    const auto otherTitle = [&](const FigureRow& row) { return row.title != rows.front().title; };
    table_->setColumnHidden(Title, std::ranges::none_of(rows, otherTitle));
}

void MeasurementRangeDialog::restore() {
    restored_ = true;
    accept();
}

store::RangeChanges MeasurementRangeDialog::changes() const {
    store::RangeChanges changes;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        if (restored_) {
            changes[runs_[i].id] = std::nullopt;
        } else if (i < changed_.size()) {
            changes[runs_[i].id] = changed_[i].range == runs_[i].originalRange.value_or(runs_[i].range)
                                       ? std::nullopt
                                       : std::optional(changed_[i]);
        }
    }
    return changes;
}

}  // namespace dlperf::ui
