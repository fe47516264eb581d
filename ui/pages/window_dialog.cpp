// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/window_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <atomic>
#include <set>
#include <utility>

#include "core/measure/reanalyze.h"
#include "ui/theme/fonts.h"
#include "ui/theme/look.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/table_header.h"

namespace dlperf::ui {
namespace {

constexpr int changeRowHeight = 28;
constexpr int fieldWidth = 110;
constexpr int lastIteration = 100'000'000;
constexpr int whileTyping = 300;   // ms
constexpr int lookInterval = 100;  // ms
constexpr int readingSteps = 1000;
constexpr QSize changeSize{760, 520};
enum Column { Title, Repetition, Before, After, Change, Remark, ColumnCount };
// px at 100 %, in the order of the columns; the last one takes the rest.
constexpr std::array columnWidths{210, 90, 110, 110, 90};

// "20:120", or all of them where the runs differ.
QString windowsOf(const std::vector<RunResult>& runs) {
    std::set<Window> windows;
    for (const RunResult& run : runs) {
        windows.insert(run.originalWindow.value_or(run.window));
    }
    QStringList texts;
    for (const Window& window : windows) {
        texts << QString::fromStdString(toString(window));
    }
    return texts.join(QStringLiteral(", "));
}

bool anyChanged(const std::vector<RunResult>& runs) {
    return std::ranges::any_of(runs, [](const RunResult& run) { return run.originalWindow.has_value(); });
}

}  // namespace

struct WindowDialog::Reading {
    std::stop_source stop;
    std::atomic<std::uint64_t> done{0};
    std::atomic<std::uint64_t> of{0};
};

WindowDialog::WindowDialog(const store::Workspace& workspace, const Vocabulary& vocabulary,
                           const analysis::FormatBook& formats, std::vector<RunResult> runs, QWidget* parent)
    : QDialog(parent),
      workspace_(workspace),
      formats_(formats),
      runs_(std::move(runs)),
      figures_(runs_, vocabulary, formats_) {
    setWindowTitle(tr("Change window"));
    build();
    resize(
        QSize(scaled(changeSize.width()), scaled(changeSize.height())).boundedTo(screen()->availableSize()));
    patience_.setSingleShot(true);
    patience_.setInterval(whileTyping);
    connect(&patience_, &QTimer::timeout, this, &WindowDialog::read);
    look_.setInterval(lookInterval);
    connect(&look_, &QTimer::timeout, this, &WindowDialog::showProgress);
    showRows();
    change();
}

WindowDialog::~WindowDialog() {
    stop();
}

void WindowDialog::build() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(dialogMargin, dialogMargin, dialogMargin, dialogMargin);
    column->setSpacing(dialogSpacing);
    const bool one = runs_.size() == 1;
    column->addWidget(
        makeLabel(one ? tr("One run, run with the window %1").arg(windowsOf(runs_))
                      : tr("%1 runs, run with the window %2").arg(runs_.size()).arg(windowsOf(runs_)),
                  "strong"));
    QLabel* word =
        makeLabel(tr("Their logs are read again. What was written when they ran stays as it is, and "
                     "the original window can be restored at any time."),
                  "secondary");
    word->setWordWrap(true);
    column->addWidget(word);
    buildFields(*column);
    column->addWidget(buildTable(), 1);
    buildProgress(*column);
    buildButtons(*column);
}

void WindowDialog::buildFields(QVBoxLayout& column) {
    auto* row = new QHBoxLayout;
    row->setSpacing(dialogSpacing / 2);
    const Window now = runs_.front().window;
    warmup_ = addNumber(*row, tr("Warmup"), tr("Iterations that are left out"), now.warmup);
    row->addSpacing(dialogSpacing);
    train_ = addNumber(*row, tr("Train"), tr("The number of the last iteration that is measured"), now.train);
    row->addSpacing(dialogSpacing);
    measured_ = makeLabel({}, "secondary");
    row->addWidget(measured_);
    row->addStretch(1);
    column.addLayout(row);
    problemRow_ = new QWidget(this);
    auto* line = new QHBoxLayout(problemRow_);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(makeIcon(QStringLiteral("state-fail"), "fail"), 0, Qt::AlignTop);
    problem_ = makeLabel({});
    problem_->setObjectName(QStringLiteral("problem"));
    problem_->setWordWrap(true);
    setState(problem_, "fail");
    line->addWidget(problem_, 1);
    problemRow_->hide();
    column.addWidget(problemRow_);
}

QSpinBox* WindowDialog::addNumber(QHBoxLayout& row, const QString& title, const QString& tip, int value) {
    auto* box = new QSpinBox;
    box->setRange(0, lastIteration);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setValue(value);
    box->setAccessibleName(title);
    box->setToolTip(tip);
    setScaledWidth(box, fieldWidth);
    QLabel* label = makeLabel(title, "section");
    label->setBuddy(box);
    row.addWidget(label);
    row.addWidget(box);
    connect(box, &QSpinBox::valueChanged, this, &WindowDialog::change);
    return box;
}

QWidget* WindowDialog::buildTable() {
    auto* panel = new Panel(this);
    rows_ = new QStandardItemModel(0, ColumnCount, this);
    rows_->setHorizontalHeaderLabels(
        {tr("Case"), tr("Repetition"), tr("Before"), tr("After"), tr("Change"), tr("Remark")});
    for (const Column column : {Before, After, Change}) {
        rows_->setHeaderData(column, Qt::Horizontal, int(Qt::AlignRight | Qt::AlignVCenter),
                             Qt::TextAlignmentRole);
    }
    table_ = new QTableView;
    table_->setProperty("kind", "rows");
    table_->setHorizontalHeader(new TableHeader(table_));
    table_->setModel(rows_);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setTextElideMode(Qt::ElideMiddle);
    table_->setWordWrap(false);
    setUpRowTable(table_, tr("Figures before and after"), changeRowHeight);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (std::size_t i = 0; i < columnWidths.size(); ++i) {
        table_->setColumnWidth(static_cast<int>(i), scaled(columnWidths[i]));
    }
    panel->body()->addWidget(table_);
    return panel;
}

void WindowDialog::buildProgress(QVBoxLayout& column) {
    progressRow_ = new QWidget(this);
    auto* row = new QHBoxLayout(progressRow_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(dialogSpacing);
    row->addWidget(makeLabel(tr("Reading the logs …"), "secondary"));
    progress_ = new QProgressBar;
    progress_->setRange(0, readingSteps);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Reading the logs"));
    row->addWidget(progress_, 1);
    QPushButton* stopButton = makeSmallButton(tr("Stop"), QStringLiteral("stop"));
    stopButton->setAutoDefault(false);
    connect(stopButton, &QPushButton::clicked, this, [this] {
        stop();
        showProblem(tr("The logs were not read to their ends. Choose a window to read them again."));
    });
    row->addWidget(stopButton);
    progressRow_->hide();
    column.addWidget(progressRow_);
}

void WindowDialog::buildButtons(QVBoxLayout& column) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    accept_ = makeButton(tr("Change window"), {}, "primary");
    accept_->setObjectName(QStringLiteral("accept"));
    buttons->addButton(accept_, QDialogButtonBox::AcceptRole);
    if (anyChanged(runs_)) {
        QPushButton* original = makeButton(tr("Restore original window"));
        original->setAutoDefault(false);
        buttons->addButton(original, QDialogButtonBox::ResetRole);
        connect(original, &QPushButton::clicked, this, &WindowDialog::restore);
    }
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column.addWidget(buttons);
}

Window WindowDialog::asked() const {
    return {warmup_->value(), train_->value()};
}

void WindowDialog::change() {
    stop();
    if (!std::exchange(changed_, {}).empty()) {
        showRows();  // what was known is of another window
    }
    const Window window = asked();
    measured_->setText(window.train > window.warmup
                           ? tr("%1 iterations are measured").arg(window.train - window.warmup)
                           : QString());
    const auto good = measure::checkWindow(formats_, runs_, window);
    showProblem(good ? QString()
                     : QString::fromStdString(describe({good.error().what, {}, good.error().remedy})));
    if (good) {
        patience_.start();
    } else {
        patience_.stop();
    }
    showAcceptance();
}

void WindowDialog::read() {
    reading_ = std::make_shared<Reading>();
    look_.start();
    background_.ask(
        this,
        [reading = reading_, workspace = workspace_, formats = formats_, runs = runs_, window = asked()] {
            return measure::reanalyze(workspace, formats, runs, window, reading->stop.get_token(),
                                      [&](const measure::Progress& progress) {
                                          reading->done = progress.done;
                                          reading->of = progress.of;
                                      });
        },
        [this, reading = reading_](const Result<std::vector<store::ChangedWindow>>& changed) {
            if (reading == reading_) {
                take(changed);
            }
        });
}

void WindowDialog::take(const Result<std::vector<store::ChangedWindow>>& changed) {
    stop();
    if (!changed) {
        showProblem(QString::fromStdString(describe(changed.error())));
        return;
    }
    changed_ = *changed;
    const bool any = std::ranges::any_of(changed_, [](const auto& one) { return one.figure.has_value(); });
    showProblem(any ? QString() : tr("No run has a figure in this window."));
    showRows();
    showAcceptance();
}

// What was asked for and has not come is not waited for.
void WindowDialog::stop() {
    if (reading_) {
        reading_->stop.request_stop();
        reading_.reset();
    }
    look_.stop();
    if (progressRow_ != nullptr) {
        progressRow_->hide();
    }
}

void WindowDialog::showProgress() {
    const auto of = static_cast<double>(reading_ ? reading_->of.load() : 0);
    progressRow_->setVisible(of > 0);
    if (of > 0) {
        progress_->setValue(static_cast<int>(static_cast<double>(reading_->done.load()) / of * readingSteps));
    }
}

void WindowDialog::showProblem(const QString& text) {
    problem_->setText(text);
    problemRow_->setVisible(!text.isEmpty());
}

void WindowDialog::showAcceptance() {
    const Window window = asked();
    const bool another =
        std::ranges::any_of(runs_, [&](const RunResult& run) { return run.window != window; });
    const bool any = std::ranges::any_of(changed_, [](const auto& one) { return one.figure.has_value(); });
    accept_->setEnabled(another && any);
}

void WindowDialog::showRows() {
    const std::vector<WindowRow> rows = figures_.rows(changed_);
    rows_->setRowCount(0);
    for (const WindowRow& row : rows) {
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
    const auto otherTitle = [&](const WindowRow& row) { return row.title != rows.front().title; };
    table_->setColumnHidden(Title, std::ranges::none_of(rows, otherTitle));
}

void WindowDialog::restore() {
    restored_ = true;
    accept();
}

store::WindowChanges WindowDialog::changes() const {
    store::WindowChanges changes;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        if (restored_) {
            changes[runs_[i].id] = std::nullopt;
        } else if (i < changed_.size()) {
            changes[runs_[i].id] = changed_[i].window == runs_[i].originalWindow.value_or(runs_[i].window)
                                       ? std::nullopt
                                       : std::optional(changed_[i]);
        }
    }
    return changes;
}

}  // namespace dlperf::ui
