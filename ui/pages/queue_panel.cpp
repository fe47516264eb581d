// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/queue_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMouseEvent>
#include <QPainter>
#include <QShortcut>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <utility>

#include "ui/models/queue_model.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/series_style.h"
#include "ui/widgets/page.h"

namespace dlperf::ui {
namespace {

constexpr int queueWidth = 304;
constexpr int headingHeight = 28;
constexpr int runHeight = 50;
constexpr int settingsHeight = 18;
constexpr int progressTop = 45;  // between the text and the line below the row
constexpr int progressHeight = 3;
constexpr int detailShare = 60;  // % of the line, when there is a note
constexpr int dotSize = 12;
constexpr int leastDot = 7;       // where they are many: before they overlap
constexpr int dotStep = 16;       // from one to the next; less where they are many
constexpr double leastStep = 13;  // before what is said of the case gives way to them
constexpr double closest = 5;     // where they lie over one another, before the case itself does
constexpr int slack = 4;          // a painter's metrics are not quite those of the screen

QRect detailLine(const QRect& row) {
    return {row.left() + 36, row.top() + 26, row.width() - 48, 18};
}

// Below it, where there is something to tell.
int settingsHeightOf(const QModelIndex& index) {
    return index.data(QueueModel::SettingsRole).toString().isEmpty() ? 0 : settingsHeight;
}

// The repetitions of a case in its second line, between what it is and its result.
struct Dots {
    QStringList states;
    int shown = 0;
    QRectF first;
    double step = dotStep;
    int detailWidth = 0;  // of what stands before them

    Dots(const QRect& row, const QModelIndex& index)
        : states(index.data(QueueModel::RepetitionsRole).toStringList()),
          shown(index.data(QueueModel::ShownRole).toInt()) {
        const QRect line = detailLine(row);
        detailWidth = line.width() * detailShare / 100;
        if (states.size() < 2) {
            states.clear();  // the icon of the case says it
            return;
        }
        const QFontMetrics metrics(textFont(size::secondary));
        const auto steps = static_cast<double>(states.size() - 1);
        const int right = metrics.horizontalAdvance(index.data(QueueModel::ResultRole).toString()) + 10;
        const double room = std::max(line.width() - right - 10 - dotSize, 0);
        const double least = std::min(steps * leastStep, room / 2);
        const QString detail = index.data(QueueModel::DetailRole).toString();
        const QString whole = index.data(QueueModel::CaseRole).toString();
        const QString shortest = whole == detail ? whole : whole + QStringLiteral("…");
        const auto fit = [&](const QString& text, double dots) {
            return std::min(metrics.horizontalAdvance(text) + slack, static_cast<int>(room - dots));
        };
        detailWidth = std::max(fit(detail, least), fit(shortest, std::min(steps * closest, room / 2)));
        step = std::min<double>(dotStep, (room - detailWidth) / steps);
        const int edge = std::clamp(static_cast<int>(step) - 1, leastDot, dotSize);
        first = QRectF(line.left() + detailWidth + 10, line.center().y() - edge / 2.0 + 0.5, edge, edge);
    }

    [[nodiscard]] QRectF at(qsizetype number) const {
        return first.translated(step * static_cast<double>(number), 0);
    }
    // The one below the pointer, which may be as far off as the gap between two; -1: none.
    [[nodiscard]] int below(const QPoint& point) const {
        const double margin = std::max(0.0, (step - first.width()) / 2);
        for (qsizetype i = 0; i < states.size(); ++i) {
            if (at(i).adjusted(-margin, -margin, margin, margin).contains(point)) {
                return static_cast<int>(i);
            }
        }
        return -1;
    }
};

void paintProgress(QPainter& painter, const QRectF& track, double progress, const Theme& theme) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.press);
    painter.drawRoundedRect(track, 2, 2);
    painter.setBrush(theme.accent);
    painter.drawRoundedRect(QRectF(track.topLeft(), QSizeF(track.width() * progress, track.height())), 2, 2);
}

class QueueDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (index.data(QueueModel::IsHeadingRole).toBool()) {
            paintHeading(*painter, option, index);
        } else {
            paintRun(*painter, option, index);
        }
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        if (index.data(QueueModel::IsHeadingRole).toBool()) {
            return {0, headingHeight};
        }
        return {0, runHeight + settingsHeightOf(index)};
    }

private:
    void paintHeading(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
        const Theme& theme = currentTheme();
        const QRect rect = option.rect;
        painter.fillRect(rect, theme.header);
        painter.setPen(theme.text2);
        painter.setFont(textFont(size::secondary, QFont::DemiBold));
        painter.drawText(rect.adjusted(12, 0, -12, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         index.data().toString());
        painter.setFont(textFont(size::caption));
        painter.drawText(rect.adjusted(12, 0, -12, 0), Qt::AlignRight | Qt::AlignVCenter,
                         index.data(QueueModel::CountRole).toString());
    }

    void paintRun(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
        const Theme& theme = currentTheme();
        const QRect rect = option.rect;
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        painter.fillRect(rect, selected ? theme.sel : theme.panel);
        const QString state = index.data(QueueModel::StateRole).toString();
        const QColor color = stateColor(theme, state);
        painter.drawPixmap(
            QPoint(rect.left() + 12, rect.top() + 9),
            iconPixmap(QStringLiteral("state-") + state, color, 16, painter.device()->devicePixelRatioF()));
        const SeriesStyle look =
            frameworkStyle(theme, index.data(QueueModel::FrameworkRole).toString().toStdString(),
                           index.data(QueueModel::FillRole).toInt());
        drawKey(painter, QRectF(rect.left() + 36, rect.top() + 9, 20, 16), look,
                selected ? theme.sel : theme.panel);

        QRect line(rect.left() + 64, rect.top() + 7, rect.width() - 76, 20);
        const bool excluded = index.data(QueueModel::ExcludedRole).toBool();
        painter.setPen(excluded ? theme.text3 : theme.text);
        painter.setFont(textFont(size::body, QFont::Medium));
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter,
                         index.data(QueueModel::TopologyRole).toString());
        painter.drawText(
            line, Qt::AlignLeft | Qt::AlignVCenter,
            painter.fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, line.width() - 56));
        const Dots dots(rect, index);
        paintDetail(painter, detailLine(rect), index, dots.detailWidth);
        paintDots(painter, dots, selected);
        paintSettings(painter, detailLine(rect).translated(0, settingsHeight), index);
        if (const double progress = index.data(QueueModel::ProgressRole).toDouble(); progress >= 0) {
            const int top = rect.top() + progressTop + settingsHeightOf(index);
            paintProgress(painter, QRectF(rect.left() + 36, top, rect.width() - 48, progressHeight), progress,
                          theme);
        }
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(theme.grid);
        painter.drawLine(rect.bottomLeft(), rect.bottomRight());
        if (selected && option.state.testFlag(QStyle::State_HasFocus)) {
            painter.setPen(QPen(theme.focus, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(rect.adjusted(1, 1, -1, -1));
        }
    }

    // The shown one of the selected case is framed.
    static void paintDots(QPainter& painter, const Dots& dots, bool selected) {
        const Theme& theme = currentTheme();
        const auto paintOne = [&](qsizetype number) {
            painter.drawPixmap(
                dots.at(number).topLeft(),
                iconPixmap(QStringLiteral("state-") + dots.states[number],
                           stateColor(theme, dots.states[number]), static_cast<int>(dots.first.width()),
                           painter.device()->devicePixelRatioF()));
        };
        for (qsizetype i = 0; i < dots.states.size(); ++i) {
            paintOne(i);
        }
        if (selected && !dots.states.isEmpty()) {
            painter.setPen(QPen(theme.focus, 1));
            painter.setBrush(theme.panel);
            painter.drawRoundedRect(dots.at(dots.shown).adjusted(-1.5, -1.5, 1.5, 1.5), 4, 4);
            paintOne(dots.shown);
        }
    }

    static void paintSettings(QPainter& painter, const QRect& line, const QModelIndex& index) {
        painter.setFont(textFont(size::secondary));
        painter.setPen(currentTheme().text2);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(index.data(QueueModel::SettingsRole).toString(),
                                                          Qt::ElideRight, line.width()));
    }

    // What it is at the left, its result at the right. An excluded figure is struck.
    static void paintDetail(QPainter& painter, const QRect& line, const QModelIndex& index, int detailWidth) {
        const Theme& theme = currentTheme();
        const QString state = index.data(QueueModel::StateRole).toString();
        const bool excluded = index.data(QueueModel::ExcludedRole).toBool();
        QFont font = textFont(size::secondary);
        painter.setFont(font);
        const QFontMetrics metrics = painter.fontMetrics();
        const QString detail =
            metrics.elidedText(index.data(QueueModel::DetailRole).toString(), Qt::ElideRight, detailWidth);
        painter.setPen(theme.text2);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, detail);
        painter.setPen(state == QLatin1String("fail")              ? theme.fail.text
                       : state == QLatin1String("ok") && !excluded ? theme.text
                                                                   : theme.text2);
        font.setStrikeOut(excluded);
        painter.setFont(font);
        const int room = line.width() - metrics.horizontalAdvance(detail) - 10;
        painter.drawText(
            line, Qt::AlignRight | Qt::AlignVCenter,
            metrics.elidedText(index.data(QueueModel::ResultRole).toString(), Qt::ElideRight, room));
    }
};

}  // namespace

QueuePanel::QueuePanel(const Vocabulary& vocabulary, const analysis::FormatBook& formats, QWidget* parent)
    : Panel(parent), model_(new QueueModel(vocabulary, formats, this)), list_(new QListView) {
    setScaledWidth(this, queueWidth);
    QHBoxLayout* row = makeRow(nullptr, {8, 8, 8, 8}, 8);
    buildFilter(row);
    body()->addLayout(row);
    buildList();
    QLabel* none = makeText(tr("No run matches."), "secondary");
    none->setContentsMargins(10, 4, 10, 4);
    none->hide();
    connect(model_, &QAbstractItemModel::modelReset, none,
            [this, none] { none->setVisible(model_->rowCount() == 0); });
    body()->addWidget(none);
    body()->addWidget(list_, 1);
    setEntry(*this, *list_);
}

void QueuePanel::buildFilter(QHBoxLayout* row) {
    words_ = makeFilterField(tr("Filter runs"));
    connect(words_, &QLineEdit::textChanged, this, [this](const QString& text) {
        model_->setFilter(text);
        emit filtered();
    });
    row->addWidget(words_, 1);
    states_ = new QComboBox;
    states_->setAccessibleName(tr("States"));
    using Show = QueueModel::Show;
    const std::pair<QString, Show> choices[] = {
        {tr("All states"), Show::All},          {tr("Active"), Show::Active},
        {tr("Queued"), Show::Queued},           {tr("Finished"), Show::Finished},
        {tr("No figure"), Show::WithoutFigure}, {tr("Excluded"), Show::Excluded}};
    for (const auto& [text, show] : choices) {
        states_->addItem(text, static_cast<int>(show));
    }
    connect(states_, &QComboBox::currentIndexChanged, this, [this] {
        model_->setShown(static_cast<Show>(states_->currentData().toInt()));
        emit filtered();
    });
    row->addWidget(states_);
}

void QueuePanel::takeOver(const QueuePanel& other) {
    words_->setText(other.words_->text());
    states_->setCurrentIndex(other.states_->currentIndex());
}

void QueuePanel::buildList() {
    list_->setModel(model_);
    list_->setItemDelegate(new QueueDelegate(list_));
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    list_->setAccessibleName(tr("Runs"));
    list_->setContextMenuPolicy(Qt::CustomContextMenu);
    // At the run, whether the mouse or a key asked for it.
    connect(list_, &QListView::customContextMenuRequested, this, [this](const QPoint& where) {
        const QRect row = list_->visualRect(list_->currentIndex());
        emit menuRequested(list_->viewport()->mapToGlobal(row.contains(where) ? where : row.center()));
    });
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& index) {
                if (const run::RunState* run = model_->run(index)) {
                    emit chosen(run->id);
                }
            });
    connect(model_, &QAbstractItemModel::modelAboutToBeReset, this, [this] {
        const QModelIndex current = list_->currentIndex();
        looksElsewhere_ =
            current.isValid() && !list_->viewport()->rect().intersects(list_->visualRect(current));
        rememberSelected();
    });
    list_->viewport()->installEventFilter(this);
    const auto onKey = [this](const QKeySequence& key, auto&& action) {
        auto* shortcut = new QShortcut(key, list_);
        shortcut->setContext(Qt::WidgetShortcut);
        connect(shortcut, &QShortcut::activated, this, action);
    };
    onKey(Qt::Key_Delete, [this] { emit removeRequested(runsToRemove()); });
    onKey(Qt::SHIFT | Qt::Key_Delete, [this] { emit deleteRequested(); });
    const auto step = [this](int by) {
        const QModelIndex index = list_->currentIndex();
        showRepetition(index, index.data(QueueModel::ShownRole).toInt() + by);
    };
    onKey(Qt::Key_Left, [step] { step(-1); });
    onKey(Qt::Key_Right, [step] { step(1); });
    onKey(Qt::Key_Home, [this] {  // Qt stops at the first heading, which cannot be chosen
        list_->scrollToTop();
        list_->setCurrentIndex(model_->indexOf(firstRun()));
    });
}

void QueuePanel::showRepetition(const QModelIndex& index, int number) {
    if (const run::RunState* run = model_->repetition(index, number)) {
        const std::string id = run->id;
        model_->setShownRun(id);
        list_->setCurrentIndex(index);
        emit chosen(id);
    }
}

// A press on a repetition's icon shows that one, in whatever row.
bool QueuePanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == list_->viewport() && event->type() == QEvent::MouseButtonPress) {
        const QPoint at = static_cast<QMouseEvent*>(event)->position().toPoint();
        const QModelIndex index = list_->indexAt(at);
        if (const int number = Dots(list_->visualRect(index), index).below(at); number >= 0) {
            showRepetition(index, number);
        }
    }
    return Panel::eventFilter(watched, event);
}

void QueuePanel::select(const std::string& runId) {
    if (const QModelIndex index = model_->indexOf(runId); index.isValid()) {
        model_->setShownRun(runId);
        if (index == list_->currentIndex()) {  // others may be selected beside it
            return;
        }
        list_->setAutoScroll(!std::exchange(looksElsewhere_, false));
        // Not as the list would: a Shift that is held for another key adds nothing.
        list_->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect);
        list_->setAutoScroll(true);
        selectAgain();
    }
}

void QueuePanel::rememberSelected() {
    const QModelIndexList rows = list_->selectionModel()->selectedIndexes();
    selectedBefore_.clear();
    for (const QModelIndex& index : rows) {
        const run::RunState* run = model_->run(index);
        if (rows.size() > 1 && run != nullptr) {
            selectedBefore_.insert(run->id);
        }
    }
}

// Where the row that is selected is one of them.
void QueuePanel::selectAgain() {
    const auto before = std::exchange(selectedBefore_, {});
    const auto isOneOf = [&](const QModelIndex& index) {
        return std::ranges::any_of(runsOf(index), [&](const std::string& id) { return before.contains(id); });
    };
    if (!isOneOf(list_->currentIndex())) {
        return;
    }
    QItemSelection again;
    for (int row = 0; row < model_->rowCount(); ++row) {
        if (const QModelIndex index = model_->index(row); isOneOf(index)) {
            again.select(index, index);
        }
    }
    list_->selectionModel()->select(again, QItemSelectionModel::Select);
}

std::vector<std::string> QueuePanel::runsOf(const QModelIndex& index) const {
    std::vector<std::string> ids;
    for (int number = 0; const run::RunState* run = model_->repetition(index, number); ++number) {
        ids.push_back(run->id);
    }
    return ids;
}

std::vector<std::string> QueuePanel::selectedRuns() const {
    QModelIndexList rows = list_->selectionModel()->selectedIndexes();
    if (rows.isEmpty()) {
        rows << list_->currentIndex();
    }
    std::vector<std::string> ids;
    for (const QModelIndex& row : rows) {
        std::ranges::move(runsOf(row), std::back_inserter(ids));
    }
    return ids;
}

std::vector<std::string> QueuePanel::runsToRemove() const {
    if (list_->selectionModel()->selectedIndexes().size() > 1) {
        return selectedRuns();
    }
    const run::RunState* shown = model_->run(list_->currentIndex());
    return shown == nullptr ? std::vector<std::string>() : std::vector{shown->id};
}

// Down from the current one to the last, then up.
std::string QueuePanel::besides(const std::vector<std::string>& runs) const {
    const std::set<std::string> passed(runs.begin(), runs.end());
    const int current = std::max(list_->currentIndex().row(), 0);
    const int count = model_->rowCount();
    for (int step = 0; step < count; ++step) {
        const int row = current + step < count ? current + step : count - 1 - step;
        for (const std::string& id : runsOf(model_->index(row))) {
            if (!passed.contains(id)) {
                return id;
            }
        }
    }
    return {};
}

std::string QueuePanel::firstRun() const {
    for (int i = 0; i < model_->rowCount(); ++i) {
        if (const run::RunState* run = model_->run(model_->index(i))) {
            return run->id;
        }
    }
    return {};
}

}  // namespace dlperf::ui
