// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/log_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <QStringList>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "core/base/mapped.h"
#include "core/log/line_level.h"
#include "ui/log/log_view.h"
#include "ui/session/background.h"
#include "ui/theme/icons.h"
#include "ui/theme/numbers.h"
#include "ui/widgets/segments.h"

namespace dlperf::ui {
namespace {

constexpr int typingPause = 150;       // ms without a further letter until the search begins
constexpr int progressAfter = 300;     // ms: what is over sooner shows no progress
constexpr int progressSteps = 1000;    // of the bar
constexpr int mostSegments = 4;        // nodes beside "All nodes"; more would push the search out of the head
constexpr int roomWithoutNodes = 580;  // px that the rest takes with words, and with a search that is usable
constexpr int noWordsBelow = 690;      // px, with a box of nodes: below, switches have no words
constexpr int narrowestSearch = 90;
constexpr int stepWidth = 26;
constexpr int tightSpacing = 6;  // the fullest head of all

constexpr int gap = 4;

// The rows of formats are read again with the results: the name says whether it is the same one.
bool foldsAlike(const log::Measured& a, const log::Measured& b) {
    const auto name = [](const log::Measured& one) {
        return one.format != nullptr ? std::string_view(one.format->name) : std::string_view();
    };
    return name(a) == name(b) && a.shape == b.shape && a.range == b.range;
}

}  // namespace

// The head of the log: whose it is, the search, warnings and errors, and how it is shown.
class LogTools final : public QObject {
    Q_DECLARE_TR_FUNCTIONS(dlperf::ui::LogTools)

public:
    LogTools(QHBoxLayout* row, QWidget* panel) : QObject(panel) {
        row->setSpacing(tightSpacing);
        row->itemAt(1)->widget()->hide();  // a log has no unit
        addNodes(row);
        addSearch(row, panel);
        addLevels(row);
        addSwitches(row);
    }

    void setNodes(const QStringList& nodes) {
        texts_ = nodes;
        if (nodes.size() > 1) {
            texts_.prepend(tr("All nodes"));
        }
        few_->setTexts(texts_.size() <= mostSegments + 1 ? texts_ : QStringList(), 0);
        for (auto* button : few_->findChildren<QToolButton*>()) {
            button->setProperty("size", "small");
            restyle(button);
        }
        many_->clear();
        many_->addItems(texts_);
        arrange();
    }

    [[nodiscard]] int node() const { return std::max(many_->currentIndex(), 0); }

    void chooseAll() { choose(0); }

    void takeOver(const LogTools& other) {
        choose(other.node());
        search_->takeOver(*other.search_);
        filter_->setChecked(other.filter_->isChecked());
        wrap_->setChecked(other.wrap_->isChecked());
    }

    [[nodiscard]] LogQuery query() const { return {search_->text(), search_->isPattern()}; }

    [[nodiscard]] SearchField& search() { return *search_; }
    void setCounts(std::uint64_t warnings, std::uint64_t errors) {
        showCount(warnings_, QStringLiteral("state-warn"), warnings,
                  tr("%1 warnings; go to the next one").arg(warnings), log::Level::Warning);
        showCount(errors_, QStringLiteral("state-fail"), errors,
                  tr("%1 errors; go to the next one").arg(errors), log::Level::Error);
    }

    // The switch says why it is off: scrolling up did it, End resumes.
    void setFollowing(bool following) {
        following_ = following;
        const QString words = following ? tr("Follow") : tr("Stopped");
        follow_->setText(hasWords() ? words : QString());
        follow_->setAccessibleName(words);
        follow_->setToolTip(following ? tr("Stops when you scroll up")
                                      : tr("Scrolling up has stopped it; the key End takes it up again"));
        const QSignalBlocker quiet(follow_);
        follow_->setChecked(following);
    }

    // Takes less room where the panel is narrow: a box in place of the segments, switches without words.
    void setRoom(int width) {
        room_ = width;
        arrange();
    }

    std::function<void(int index)> nodeChosen;
    std::function<void()> queryChanged;
    std::function<void(bool forward)> hitRequested;
    std::function<void(bool filtered)> filterToggled;
    std::function<void(log::Level level)> levelRequested;
    std::function<void(bool wrapped)> wrapToggled;
    std::function<void(bool follow)> followToggled;

private:
    void choose(int node) {
        few_->setCurrent(node);
        many_->setCurrentIndex(node);
        nodeChosen(node);
    }

    [[nodiscard]] bool hasWords() const {
        return room_ >= (texts_.size() > 1 ? noWordsBelow : roomWithoutNodes);
    }

    void arrange() {
        const bool isChoice = texts_.size() > 1;
        const bool isFew =
            texts_.size() <= mostSegments + 1 && room_ >= roomWithoutNodes + few_->sizeHint().width();
        few_->setVisible(isChoice && isFew);
        many_->setVisible(isChoice && !isFew);
        wrap_->setText(hasWords() ? tr("Wrap") : QString());
        setFollowing(following_);
    }

    void addNodes(QHBoxLayout* row) {
        few_ = new Segments(tr("Nodes"));
        many_ = new QComboBox;
        many_->setProperty("size", "small");
        many_->setAccessibleName(tr("Nodes"));
        many_->hide();
        row->insertWidget(1, few_);
        row->insertWidget(2, many_);
        connect(few_, &Segments::changed, many_, &QComboBox::setCurrentIndex);  // either one may be shown
        connect(many_, &QComboBox::activated, few_, &Segments::setCurrent);
        const auto choose = [this](int index) { nodeChosen(index); };
        connect(few_, &Segments::changed, this, choose);
        connect(many_, &QComboBox::activated, this, choose);
    }

    void addSearch(QHBoxLayout* row, QWidget* panel) {
        search_ = new SearchField;
        search_->setMinimumWidth(narrowestSearch);
        filter_ = makeIconButton(QStringLiteral("filter"), tr("Show only the lines that are found"));
        filter_->setCheckable(true);
        filter_->setObjectName(QStringLiteral("onlyHits"));
        QToolButton* previous = makeIconButton(QStringLiteral("up"), tr("Previous hit (Shift+F3)"));
        QToolButton* next = makeIconButton(QStringLiteral("down"), tr("Next hit (F3)"));
        QHBoxLayout* steps = makeRow(nullptr, {}, 0);
        for (QToolButton* button : {filter_, previous, next}) {
            button->setFixedWidth(stepWidth);
            steps->addWidget(button);
        }
        row->insertWidget(3, search_, 1);
        row->insertLayout(4, steps);
        connect(search_, &SearchField::textChanged, this, [this] { queryChanged(); });
        connect(search_, &SearchField::patternToggled, this, [this] { queryChanged(); });
        connect(filter_, &QToolButton::toggled, this, [this](bool on) { filterToggled(on); });
        const auto go = [this](bool forward) { return [this, forward] { hitRequested(forward); }; };
        connect(search_, &SearchField::returnPressed, this, go(true));
        connect(next, &QToolButton::clicked, this, go(true));
        connect(previous, &QToolButton::clicked, this, go(false));
        connect(new QShortcut(QKeySequence(Qt::Key_F3), panel), &QShortcut::activated, this, go(true));
        connect(new QShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F3), panel), &QShortcut::activated, this,
                go(false));
    }

    void addLevels(QHBoxLayout* row) {
        warnings_ = makeSmallButton({});
        errors_ = makeSmallButton({});
        warnings_->setObjectName(QStringLiteral("warnings"));
        errors_->setObjectName(QStringLiteral("errors"));
        row->insertWidget(5, warnings_);
        row->insertWidget(6, errors_);
        connect(warnings_, &QPushButton::clicked, this, [this] { levelRequested(log::Level::Warning); });
        connect(errors_, &QPushButton::clicked, this, [this] { levelRequested(log::Level::Error); });
        setCounts(0, 0);
    }

    void addSwitches(QHBoxLayout* row) {
        wrap_ = new QCheckBox;
        wrap_->setAccessibleName(tr("Wrap"));
        wrap_->setObjectName(QStringLiteral("wrap"));
        wrap_->setProperty("kind", "switch");
        wrap_->setToolTip(tr("Break lines that are wider than the log"));
        follow_ = new QCheckBox;
        follow_->setProperty("kind", "switch");
        follow_->setObjectName(QStringLiteral("follow"));
        row->addWidget(wrap_);
        row->addWidget(follow_);
        connect(wrap_, &QCheckBox::toggled, this, [this](bool on) { wrapToggled(on); });
        connect(follow_, &QCheckBox::toggled, this, [this](bool on) { followToggled(on); });
    }

    static void showCount(QPushButton* button, const QString& iconName, std::uint64_t count,
                          const QString& words, log::Level level) {
        const Ink ink = level == log::Level::Error ? Ink::Fail : Ink::Warn;
        button->setText(numberLocale().toString(static_cast<qulonglong>(count)));
        button->setIcon(icon(iconName, count > 0 ? ink : Ink::Text3));
        button->setIconSize(QSize(17, 14));
        button->setEnabled(count > 0);
        button->setToolTip(words);
        button->setAccessibleName(words);
    }

    QStringList texts_;  // of the choice of nodes
    int room_ = 0;       // px
    bool following_ = true;
    Segments* few_;
    QComboBox* many_;  // nodes, where there are too many for a row of buttons
    SearchField* search_;
    QToolButton* filter_;
    QPushButton* warnings_;
    QPushButton* errors_;
    QCheckBox* wrap_;
    QCheckBox* follow_;
};

LogPanel::LogPanel(Background& background, QWidget* parent)
    : Panel(parent), background_(background), search_(background) {
    tools_ = new LogTools(addHeader(tr("Log")), this);
    progress_ = new QProgressBar;
    progress_->setRange(0, progressSteps);
    progress_->setTextVisible(false);
    progress_->hide();
    body()->addWidget(progress_);
    addNotice(body());
    view_ = new LogView(search_);
    body()->addWidget(view_, 1);
    connectTools();
    connectCopy();
    connect(&search_, &LogSearch::changed, this, &LogPanel::showSearch);
}

void LogPanel::addNotice(QVBoxLayout* column) {
    noticeRow_ = new QWidget(column->parentWidget());
    QHBoxLayout* row = makeRow(noticeRow_, {12, 4, 12, 4});
    notice_ = makeLabel({}, "secondary");
    row->addWidget(notice_, 1);
    noticeRow_->hide();
    column->addWidget(noticeRow_);
}

void LogPanel::connectTools() {
    typing_.setSingleShot(true);
    typing_.setInterval(typingPause);
    tools_->nodeChosen = [this](int index) { showNode(index); };
    tools_->queryChanged = [this] { typing_.start(); };
    connect(&typing_, &QTimer::timeout, this, &LogPanel::ask);
    tools_->filterToggled = [this](bool on) { view_->setFiltered(on); };
    tools_->levelRequested = [this](log::Level level) { view_->goToLevel(level); };
    tools_->wrapToggled = [this](bool on) { view_->setWrapped(on); };
    tools_->followToggled = [this](bool on) { view_->setFollowing(on); };
    connect(view_, &LogView::followingChanged, tools_, &LogTools::setFollowing);
    tools_->hitRequested = [this](bool forward) {
        current_ = view_->goToHit(forward);
        showSearch();
    };
    connect(&tools_->search(), &SearchField::givenUp, this, [this] {
        typing_.stop();
        ask();
    });
}

void LogPanel::connectCopy() {
    connect(view_, &LogView::copying, this, [this] { notice("info", tr("Copying; Esc stops it")); });
    connect(view_, &LogView::copied, this, [this](std::size_t lines, bool all) {
        const QString count = numberLocale().toString(static_cast<qulonglong>(lines));
        if (all) {
            notice("info", {});
        } else {
            notice("warn", lines > 0 ? tr("Copied the first %1 lines only").arg(count) : tr("Not copied"));
        }
    });
}

void LogPanel::notice(const char* state, const QString& text) {
    notice_->setText(text);
    setState(notice_, state);
    noticeRow_->setVisible(!text.isEmpty());
}

void LogPanel::setLogs(const QStringList& nodes, const std::vector<std::filesystem::path>& files,
                       const log::Measured& measured) {
    const bool hasSameFiles = std::ranges::equal(files, sources_, {}, {}, &log::LogSource::file);
    if (hasSameFiles && foldsAlike(measured, measured_)) {
        return;
    }
    measured_ = measured;
    if (hasSameFiles) {
        showNode(tools_->node());
        return;
    }
    sources_.clear();
    for (std::size_t i = 0; i < files.size(); ++i) {
        sources_.push_back({nodes.value(static_cast<qsizetype>(i)).toStdString(), files[i]});
    }
    wanted_.reset();
    tools_->setNodes(nodes);
    showNode(0);
}

void LogPanel::showNode(int index) {
    std::vector<log::LogSource> shown = sources_;
    if (index > 0 && static_cast<std::size_t>(index) <= sources_.size()) {
        shown = {sources_[static_cast<std::size_t>(index) - 1]};
    }
    book_ = shown.empty() ? nullptr : std::make_shared<log::LogBook>(shown, measured_);
    indexing_ = indexed_ = isGone_ = false;  // an answer about the log before says nothing about this one
    wantedFolds_.reset();
    current_ = 0;
    share_ = 1;
    tools_->setCounts(0, 0);
    notice("info", {});
    view_->setBook(book_);
    search_.setBook(book_);
    refresh();
}

void LogPanel::refresh() {
    if (!book_ || indexing_) {
        return;
    }
    indexing_ = true;
    indexed_ = false;
    const auto ended = [this, book = book_](const log::LogBook::Growth& growth) {
        if (book == book_) {
            indexing_ = false;
            takeGrowth(growth);
        }
    };
    background_.ask(
        this, [book = book_] { return book->grow(); }, ended, [ended] { ended({}); });
}

void LogPanel::takeGrowth(const log::LogBook::Growth& growth) {
    if (growth.isAnew) {
        view_->setBook(book_);
        search_.setBook(book_);
        notice("info", tr("The log was cut or replaced: it is read anew"));
    }
    if ((growth.gone > 0) != isGone_) {
        isGone_ = growth.gone > 0;
        notice("warn", isGone_ ? tr("The log's file is not there any more; what was read stays") : QString());
    }
    if (growth.more && !since_.isValid()) {
        since_.start();
    } else if (!growth.more) {
        since_.invalidate();
    }
    share_ = growth.share;
    indexed_ = !growth.more;
    showProgress();
    openWanted();
    goToWanted();
    if (growth.news) {
        const auto [warnings, errors] = book_->layout(
            [](const log::LogLayout& layout) { return std::pair(layout.warnings(), layout.errors()); });
        tools_->setCounts(warnings, errors);
        view_->refresh();
        search_.resume();
    }
    if (growth.more) {
        refresh();  // a part at a time, so that others get their turn
    }
}

// One bar for both: first the log is read, then a search goes on in it.
void LogPanel::showProgress() {
    const bool reading = since_.isValid() && since_.elapsed() > progressAfter;
    const bool searching = !reading && search_.isSearching() && search_.share() < 1;
    progress_->setVisible(reading || searching);
    progress_->setValue(static_cast<int>((reading ? share_ : search_.share()) * progressSteps));
    progress_->setAccessibleName(reading ? tr("Reading the log") : tr("Searching the log"));
}

void LogPanel::ask() {
    current_ = 0;
    search_.ask(tools_->query());
}

void LogPanel::showSearch() {
    SearchField& field = tools_->search();
    const auto number = [](std::size_t count) {
        return numberLocale().toString(static_cast<qulonglong>(count));
    };
    const std::size_t hits = search_.hits().size();
    QString count;
    if (!search_.query().text.isEmpty() && search_.problem().isEmpty()) {
        count = current_ > 0 ? tr("%1 of %2").arg(number(current_), number(hits))
                             : (hits == 1 ? tr("1 hit") : tr("%1 hits").arg(number(hits)));
        if (hits >= LogSearch::mostHits) {
            count = tr("first %1 hits").arg(number(hits));
        }
    }
    field.setCount(count);
    if (field.problem() != search_.problem()) {
        field.setProblem(search_.problem());
        notice("fail", search_.problem());
    }
    view_->searchChanged();
    showProgress();
}

void LogPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    tools_->setRoom(width());
}

void LogPanel::goToLine(const std::string& node, std::int64_t line, Focus focus) {
    const auto shows = [&](const log::LogSource& source) { return source.node == node; };
    if (book_ && std::ranges::none_of(book_->sources(), shows)) {
        tools_->chooseAll();
    }
    wanted_ = Wanted{node, static_cast<std::uint64_t>(std::max<std::int64_t>(line, 1) - 1), focus};
    goToWanted();
}

void LogPanel::goToLastError() {
    wanted_ = Wanted{{}, 0, Focus::Stays};
    goToWanted();
}

// As far as it is indexed. Where it will never be, nothing is wanted any more.
std::optional<std::uint64_t> LogPanel::numberOfWanted() {
    if (wanted_->node.empty()) {
        const auto last = indexed_
                              ? book_->layout([](const log::LogLayout& layout) { return layout.lastError(); })
                              : std::nullopt;
        if (indexed_ && !last) {
            wanted_.reset();
        }
        return last;
    }
    const auto& sources = book_->sources();
    const auto source = std::ranges::find(sources, wanted_->node, &log::LogSource::node);
    if (source == sources.end()) {
        wanted_.reset();
        return std::nullopt;
    }
    if (wanted_->place == Place::Top && !indexed_) {
        return std::nullopt;  // a page below it must be there
    }
    const log::LineSpot spot{static_cast<std::size_t>(source - sources.begin()), wanted_->line};
    return book_->layout([&](const log::LogLayout& layout) -> std::optional<std::uint64_t> {
        const bool known = layout.index(spot.log).lines() > spot.line;
        return known ? std::optional(layout.numberOf(spot)) : std::nullopt;
    });
}

void LogPanel::goToWanted() {
    if (!wanted_ || !book_) {
        return;
    }
    if (const auto number = numberOfWanted()) {
        const Wanted wanted = *std::exchange(wanted_, std::nullopt);
        view_->refresh();  // the line may have come with the last growth
        wanted.place == Place::Top ? view_->scrollToLine(*number) : view_->goTo(*number);
        tools_->setFollowing(false);
        if (wanted.focus == Focus::Comes) {
            view_->setFocus(Qt::OtherFocusReason);
        }
    }
}

LogPanel::Folds LogPanel::openFolds() const {
    if (!book_) {
        return {};
    }
    return book_->layout([this](const log::LogLayout& layout) {
        const auto spotsOf = [&](const std::set<std::uint64_t>& numbers) {
            return mapped(numbers, [&](std::uint64_t number) { return layout.spotOf(number); });
        };
        return Folds{spotsOf(view_->opened().repeats), spotsOf(view_->opened().warmups)};
    });
}

void LogPanel::openWanted() {
    if (!wantedFolds_ || !book_ || !indexed_) {
        return;
    }
    const Folds folds = *std::exchange(wantedFolds_, std::nullopt);
    view_->open(book_->layout([&](const log::LogLayout& layout) {
        const auto numbersOf = [&](const std::vector<log::LineSpot>& spots) {
            std::set<std::uint64_t> numbers;
            for (const log::LineSpot& spot : spots) {
                if (spot.log < book_->sources().size() && layout.index(spot.log).lines() > spot.line) {
                    numbers.insert(layout.numberOf(spot));
                }
            }
            return numbers;
        };
        return log::Opened{numbersOf(folds.repeats), numbersOf(folds.warmups)};
    }));
}

void LogPanel::takeOver(const LogPanel& other) {
    tools_->takeOver(*other.tools_);
    wantedFolds_ = other.openFolds();
    openWanted();
    view_->setFollowing(other.view_->isFollowing());
    const auto top = other.view_->topLine();
    if (!view_->isFollowing() && top) {
        const auto [log, line] =
            other.book_->layout([&](const log::LogLayout& layout) { return layout.spotOf(*top); });
        wanted_ = Wanted{other.book_->sources()[log].node, line, Focus::Stays, Place::Top};
        goToWanted();
    }
}

void LogPanel::focusSearch() {
    tools_->search().setFocus(Qt::ShortcutFocusReason);
}

SearchField::SearchField(QWidget* parent) : QLineEdit(parent) {
    setProperty("size", "small");
    setPlaceholderText(tr("Search"));
    setAccessibleName(tr("Search the log"));
    addSearchIcon(*this);
    count_ = makeLabel({}, "caption");
    count_->setParent(this);
    count_->setAttribute(Qt::WA_TransparentForMouseEvents);
    pattern_ = makeIconButton({}, tr("Regular expression"));
    pattern_->setProperty("kind", "inline");
    pattern_->setParent(this);
    pattern_->setIcon({});  // text alone
    pattern_->setText(QStringLiteral(".*"));
    pattern_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    pattern_->setCheckable(true);
    pattern_->setCursor(Qt::ArrowCursor);
    connect(pattern_, &QToolButton::toggled, this, &SearchField::patternToggled);
    arrange();
}

void SearchField::setCount(const QString& text) {
    if (text != count_->text()) {
        count_->setText(text);
        arrange();
    }
}

QString SearchField::count() const {
    return count_->text();
}

void SearchField::takeOver(const SearchField& other) {
    setText(other.text());
    pattern_->setChecked(other.isPattern());
}

bool SearchField::isPattern() const {
    return pattern_->isChecked();
}

// The text ends where the count begins.
void SearchField::arrange() {
    const int room = height() - 2 * gap;
    const QSize pattern = pattern_->sizeHint();
    pattern_->setGeometry(width() - pattern.width() - 2, (height() - pattern.height()) / 2, pattern.width(),
                          pattern.height());
    const int wide = count_->text().isEmpty() ? 0 : count_->sizeHint().width() + gap;
    count_->setGeometry(pattern_->x() - wide, gap, wide, room);
    setTextMargins(textMargins().left(), 0, pattern.width() + wide, 0);
}

void SearchField::resizeEvent(QResizeEvent* event) {
    QLineEdit::resizeEvent(event);
    arrange();
}

void SearchField::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !text().isEmpty()) {
        clear();
        emit givenUp();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

}  // namespace dlperf::ui
