// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_header.h"

#include <QDateTime>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/report/series_title.h"
#include "ui/models/queue_model.h"
#include "ui/theme/fonts.h"
#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"
#include "ui/theme/tips.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/elided.h"

namespace dlperf::ui {
namespace {

constexpr int headerHeight = 58;
constexpr int holdMilliseconds = 1500;  // longer than somebody takes who is about to click
constexpr double longestTime = 1e9;     // s; a log may say anything

QString timeOfDay(TimePoint time) {
    return QDateTime::fromMSecsSinceEpoch(time.time_since_epoch().count())
        .toString(QStringLiteral("HH:mm:ss"));
}

std::chrono::seconds elapsed(const run::RunState& status) {
    const TimePoint end = status.ended.value_or(now());
    return status.started ? std::chrono::duration_cast<std::chrono::seconds>(end - *status.started)
                          : std::chrono::seconds{0};
}

constexpr int mostLetters = 500;
constexpr int roomForOneRow = 880;  // px at 100 %

// Nothing was typed that it could undo: Ctrl+Z goes on to what was done with the run.
class RemarkField final : public QLineEdit {
protected:
    bool event(QEvent* event) override {
        if (event->type() == QEvent::ShortcutOverride && !isUndoAvailable() &&
            static_cast<QKeyEvent*>(event)->matches(QKeySequence::Undo)) {
            event->ignore();
            return true;
        }
        return QLineEdit::event(event);
    }
};

QLineEdit* addField(QWidget* host, const QString& word, const QString& iconName, const QString& hint) {
    QHBoxLayout* row = makeRow(host, {}, 8);
    row->addWidget(makeIcon(iconName, "idle"));
    row->addWidget(makeLabel(word, "section"));
    auto* field = new RemarkField;
    field->setProperty("size", "small");
    field->setPlaceholderText(hint);
    field->setAccessibleName(word);
    field->setMaxLength(mostLetters);
    row->addWidget(field, 1);
    return field;
}

void setQuietly(QLineEdit* field, const std::string& text) {
    const QString shown = QString::fromStdString(text);
    if (field->text() != shown) {
        field->setText(shown);
    }
    field->setModified(false);
}

}  // namespace

RunRemarks::RunRemarks(QWidget* parent) : QWidget(parent) {
    QHBoxLayout* row = makeRow(this, {14, 0, 12, 8}, 16);
    reasonRow_ = new QWidget(this);
    reason_ = addField(reasonRow_, tr("Excluded, because"), QStringLiteral("state-cancelled"),
                       tr("the reason, for the report"));
    reason_->setObjectName(QStringLiteral("reason"));
    row->addWidget(reasonRow_, 1);
    noteRow_ = new QWidget(this);
    text_ =
        addField(noteRow_, tr("Note"), QStringLiteral("report"), tr("what is to be remembered of this run"));
    text_->setObjectName(QStringLiteral("note"));
    row->addWidget(noteRow_, 1);
    connect(reason_, &QLineEdit::editingFinished, this, &RunRemarks::commit);
    connect(text_, &QLineEdit::editingFinished, this, &RunRemarks::commit);
    arrange();
}

void RunRemarks::showNote(const std::string& runId, const store::RunNote& note) {
    const bool same = runId == runId_;
    if (!same) {
        commit();  // what was typed belongs to the run before
        noteOpen_ = false;
    }
    runId_ = runId;
    note_ = note;
    for (const auto& [field, text] : {std::pair(reason_, note.reason), std::pair(text_, note.note)}) {
        if (!same || !field->isModified()) {
            setQuietly(field, text);
        }
    }
    arrange();
}

void RunRemarks::commit() {
    if (runId_.empty() || (!reason_->isModified() && !text_->isModified())) {
        return;
    }
    reason_->setModified(false);
    text_->setModified(false);
    note_.note = text_->text().trimmed().toStdString();
    note_.reason = note_.excluded ? reason_->text().trimmed().toStdString() : std::string();
    const std::string runId = runId_;
    const store::RunNote note = note_;
    emit edited(runId, note);
}

void RunRemarks::arrange() {
    reasonRow_->setVisible(note_.excluded);
    noteRow_->setVisible(noteOpen_ || !note_.note.empty() || text_->isModified());
    setVisible(!reasonRow_->isHidden() || !noteRow_->isHidden());
}

void RunRemarks::editNote() {
    noteOpen_ = true;
    arrange();
    text_->setFocus(Qt::ShortcutFocusReason);
}

void RunRemarks::editReason() {
    arrange();
    reason_->setFocus(Qt::ShortcutFocusReason);
}

RunHeader::RunHeader(const Vocabulary& vocabulary, QWidget* parent) : Panel(parent), vocabulary_(vocabulary) {
    body()->addWidget(buildLine(this));
    remarks_ = new RunRemarks;
    body()->addWidget(remarks_);
}

QWidget* RunHeader::buildLine(QWidget* parent) {
    auto* host = new QWidget(parent);
    line_ = makeRow(host, {14, 0, 12, 0}, 0);
    words_ = buildWords(host);
    line_->addWidget(words_, 1);
    figures_ = new QWidget(host);
    QHBoxLayout* row = makeRow(figures_, {}, 8);
    iteration_ = addFigure(row, 64);
    throughput_ = addFigure(row, 110);
    elapsed_ = addFigure(row, 58);
    left_ = addFigure(row, 58);
    row->addStretch(1);
    addButtons(row);
    line_->addWidget(figures_);
    fit();
    return host;
}

void RunHeader::fit() {
    // By the window's width alone: what becomes known of a run moves nothing.
    const bool narrow = width() < scaled(roomForOneRow);
    line_->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    for (QWidget* part : {words_, figures_}) {
        part->setFixedHeight(scaled(headerHeight));
    }
    // Of a run that has ended its place stays where others would move; else the buttons need it.
    QSizePolicy place = left_.host->sizePolicy();
    place.setRetainSizeWhenHidden(!narrow);
    left_.host->setSizePolicy(place);
}

void RunHeader::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    fit();
}

void RunHeader::changeEvent(QEvent* event) {
    Panel::changeEvent(event);
    const bool other = event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange;
    if (other && figures_ != nullptr) {
        fit();
    }
}

QWidget* RunHeader::buildWords(QWidget* parent) {
    auto* host = new QWidget(parent);
    QVBoxLayout* words = makeColumn(host, {0, 0, 12, 0}, 3);
    words->addStretch(1);
    QHBoxLayout* first = makeRow(nullptr, {}, 6);
    key_ = new KeySign;
    title_ = new ElidedLabel;  // beside many figures it has to give way
    title_->setProperty("kind", "keyfigure");
    first->addWidget(key_);
    first->addWidget(title_);
    topology_ = makeLabel({}, "tag");
    first->addWidget(topology_);
    first->addStretch(1);
    words->addLayout(first);
    detail_ = new ElidedLabel;
    detail_->setProperty("kind", "secondary");
    words->addWidget(detail_);
    words->addStretch(1);
    return host;
}

void RunHeader::addButtons(QHBoxLayout* row) {
    QToolButton* note = makeIconButton(QStringLiteral("report"), tr("Note on this run"));
    connect(note, &QToolButton::clicked, this, [this] { remarks_->editNote(); });
    row->addWidget(note);
    QToolButton* versions = makeIconButton(QStringLiteral("info"), tr("Versions of this run"));
    connect(versions, &QToolButton::clicked, this, &RunHeader::versionsRequested);
    row->addWidget(versions);
    QToolButton* folder = makeIconButton(QStringLiteral("folder"), tr("Folder of this run"));
    connect(folder, &QToolButton::clicked, this, &RunHeader::folderRequested);
    row->addWidget(folder);
    exclude_ = makeSmallButton(tr("Exclude"), QStringLiteral("hidden"));
    connect(exclude_, &QPushButton::clicked, this, [this] { emit excludeRequested(!excluded_); });
    row->addWidget(exclude_);
    cancel_ = makeSmallButton(tr("Cancel run"), QStringLiteral("stop"), "destructive");
    held_.setSingleShot(true);
    connect(&held_, &QTimer::timeout, this, &RunHeader::enableCancel);
    // Another run may be shown by the time the button is let go.
    connect(cancel_, &QPushButton::pressed, this, [this] { pressedRun_ = shownRun_; });
    connect(cancel_, &QPushButton::clicked, this, [this] { emit cancelRequested(pressedRun_); });
    row->addWidget(cancel_);
    for (QPushButton* button : {exclude_, cancel_}) {  // never both: showRun() shows the one that fits
        button->hide();
    }
}

void RunHeader::setCancellable(bool cancellable) {
    cancellable_ = cancellable;
    enableCancel();
}

void RunHeader::enableCancel() {
    cancel_->setEnabled(cancellable_ && !held_.isActive());
}

void RunHeader::showNote(const std::string& runId, const store::RunNote& note) {
    excluded_ = note.excluded;
    exclude_->setText(excluded_ ? tr("Include again") : tr("Exclude"));
    remarks_->showNote(runId, note);
}

// As wide as the widest that it usually shows, in px at 100 %.
RunHeader::Figure RunHeader::addFigure(QHBoxLayout* row, int widest) {
    auto* host = new QWidget(figures_);
    QHBoxLayout* line = makeRow(host, {0, 10, 0, 10}, 10);
    line->addWidget(makeVerticalSeparator());
    QVBoxLayout* column = makeColumn(nullptr, {}, 2);
    Figure figure{makeLabel({}, "keyfigure"), makeLabel({}, "secondary"), host};
    column->addWidget(figure.value);
    column->addWidget(figure.caption);
    line->addLayout(column);
    figure.value->setMinimumWidth(scaled(widest));
    row->addWidget(host);
    return figure;
}

void RunHeader::set(const Figure& figure, const QString& value, const QString& caption) {
    figure.value->setText(value.isEmpty() ? missing : value);
    figure.caption->setText(caption);
}

void RunHeader::showRun(const run::RunState& status, const LiveUpdate* live, bool isWatched) {
    if (std::exchange(shownRun_, status.id) != status.id && (underMouse() || cancel_->hasFocus())) {
        held_.start(holdMilliseconds);
        enableCancel();
    }
    const Configuration& configuration = status.benchmarkCase.configuration;
    key_->setFramework(configuration.framework, fill_);
    title_->setText(localized(report::trainerText(configuration, vocabulary_)));
    topology_->setText(QString::fromStdString(toString(status.benchmarkCase.topology)));
    const bool finished = status.phase == run::RunPhase::Finished;
    QString detail = QStringLiteral("b%1").arg(configuration.batchSize) + comma();
    if (!configuration.precision.empty()) {
        detail += QString::fromStdString(configuration.precision) + comma();
    }
    if (const std::string settings = report::settingsText(configuration, vocabulary_); !settings.empty()) {
        detail += QString::fromStdString(settings) + comma();
    }
    detail += tr("repetition %1").arg(status.repetition);
    if (const QString nodes = nodesText(status); !nodes.isEmpty()) {
        detail += comma() + nodes;
    }
    if (status.phase == run::RunPhase::InQueue) {
        detail += comma() + localized(status.message);
    } else if (status.started) {
        detail += tr(", started %1").arg(timeOfDay(*status.started));
    }
    detail += finished ? comma() + outcomeText(status) : QString();
    if (status.originalRange) {
        detail += tr(", measurement range %1 instead of %2")
                      .arg(QString::fromStdString(toString(status.range)),
                           QString::fromStdString(toString(*status.originalRange)));
    }
    const QString disturbed = disturbanceText(status);
    detail += disturbed.isEmpty() ? QString() : tr(", disturbed");  // how, in the tip: the row is short
    detail_->setText(detail);
    words_->setToolTip(plainTip(disturbed));
    const std::int64_t iteration = live != nullptr ? live->iteration : 0;
    const int train = status.originalRange.value_or(status.range).train;  // that it was to reach
    const QString toReach = iteration <= train ? QStringLiteral(" / %1").arg(train) : QString();
    set(iteration_, iteration > 0 ? QString::number(iteration) + toReach : QString(),
        live != nullptr && live->countsLines ? tr("counted line") : tr("iteration"));
    const QString unit = localized(status.unit);
    if (finished && status.throughput) {
        set(throughput_, figureText(*status.throughput), unit);
    } else if (live != nullptr && live->median && !finished) {
        set(throughput_, figureText(*live->median), tr("%1, median").arg(unit));
    } else {
        set(throughput_, {}, unit);
    }
    set(elapsed_, status.started && (finished || isWatched) ? durationText(elapsed(status)) : QString(),
        finished ? tr("took") : tr("elapsed"));
    const bool known = live != nullptr && live->secondsLeft && !finished && isWatched;
    set(left_,
        known ? durationText(std::chrono::seconds(std::llround(std::min(*live->secondsLeft, longestTime))))
              : QString(),
        tr("left, about"));
    left_.host->setVisible(!finished);
    // Of a run that was cancelled its place stays: what is beside it would come under a second click.
    cancel_->setVisible(!finished || status.outcome == Outcome::Cancelled);
    exclude_->setVisible(finished && status.outcome == Outcome::Ok);
    fit();
}

RunHints::RunHints(QWidget* parent) : QWidget(parent) {
    QVBoxLayout* column = makeColumn(this, {}, 10);
    for (std::size_t i = 0; i < banners_.size(); ++i) {
        banners_.at(i) = new Banner(this);
        column->addWidget(banners_.at(i));
        connect(banners_.at(i), &Banner::actionTriggered, this,
                [this, i] { emit lineRequested(shown_.at(i).node, shown_.at(i).line); });
        connect(banners_.at(i), &Banner::closed, this, [this, i] {
            closed_.insert(shown_.at(i).rule);
            arrange();
        });
    }
    hide();
}

void RunHints::showHints(const std::string& runId, std::vector<diagnosis::Hint> hints) {
    if (runId != runId_) {
        runId_ = runId;
        closed_.clear();
        shown_.clear();
    } else if (hints == hints_) {
        return;  // a button that is about to be pressed stays what it is
    }
    hints_ = std::move(hints);
    arrange();
}

void RunHints::arrange() {
    std::vector<diagnosis::Hint> next;
    for (const diagnosis::Hint& hint : hints_) {
        if (next.size() < mostShown && !closed_.contains(hint.rule)) {
            next.push_back(hint);
        }
    }
    shown_ = std::move(next);
    for (std::size_t i = 0; i < banners_.size(); ++i) {
        if (i < shown_.size()) {
            fill(*banners_.at(i), shown_[i]);
        } else {
            banners_.at(i)->hide();
        }
    }
    setVisible(!shown_.empty());
}

// A failure goes when it is over; a warning may be closed.
void RunHints::fill(Banner& banner, const diagnosis::Hint& hint) {
    const bool isWarning = hint.severity == diagnosis::Severity::Warn;
    QString why = localized(hint.why);
    QString remedy = localized(hint.remedy);
    if (!hint.command.empty()) {
        why += QLatin1Char(' ') + remedy;
        remedy = QString::fromStdString(hint.command);
    }
    banner.showMessage(
        isWarning ? "warn" : "fail", localized(hint.what), why, remedy,
        hint.line > 0 ? tr("Show line %1").arg(numberLocale().toString(static_cast<qlonglong>(hint.line)))
                      : QString());
    banner.setClosable(isWarning);
}

}  // namespace dlperf::ui
