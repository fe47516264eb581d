// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/log_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/log/log_view.h"
#include "ui/pages/log_tools.h"
#include "ui/pages/page_parts.h"
#include "ui/session/background.h"
#include "ui/theme/numbers.h"
#include "ui/widgets/search_field.h"

namespace dlperf::ui {
namespace {

constexpr int typingPause = 150;     // ms without a further letter until the search begins
constexpr int progressAfter = 300;   // ms: what is over sooner shows no progress
constexpr int progressSteps = 1000;  // of the bar

}  // namespace

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

// Below the head, where there is something to be said.
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
    connect(tools_, &LogTools::nodeChosen, this, &LogPanel::showNode);
    connect(tools_, &LogTools::queryChanged, &typing_, qOverload<>(&QTimer::start));
    connect(&typing_, &QTimer::timeout, this, &LogPanel::ask);
    connect(tools_, &LogTools::filterToggled, view_, &LogView::setFiltered);
    connect(tools_, &LogTools::levelRequested, view_, &LogView::goToLevel);
    connect(tools_, &LogTools::wrapToggled, view_, &LogView::setWrapped);
    connect(tools_, &LogTools::followToggled, view_, &LogView::setFollowing);
    connect(view_, &LogView::followingChanged, tools_, &LogTools::setFollowing);
    connect(tools_, &LogTools::hitRequested, this, [this](bool forward) {
        current_ = view_->goToHit(forward);
        showSearch();
    });
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
    const bool same = std::ranges::equal(files, sources_, {}, {}, &log::LogSource::file);
    if (same) {
        return;
    }
    sources_.clear();
    for (std::size_t i = 0; i < files.size(); ++i) {
        sources_.push_back({nodes.value(static_cast<qsizetype>(i)).toStdString(), files[i]});
    }
    measured_ = measured;
    wanted_.reset();
    tools_->setNodes(nodes);
    showNode(0);
}

// 0: all nodes, where there are several.
void LogPanel::showNode(int index) {
    std::vector<log::LogSource> shown = sources_;
    if (index > 0 && static_cast<std::size_t>(index) <= sources_.size()) {
        shown = {sources_[static_cast<std::size_t>(index) - 1]};
    }
    book_ = shown.empty() ? nullptr : std::make_shared<log::LogBook>(shown, measured_);
    indexing_ = indexed_ = isGone_ = false;  // an answer about the log before says nothing about this one
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

// Anew, from the log's begin.
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

void LogPanel::goToLine(const std::string& node, std::int64_t line) {
    const auto shows = [&](const log::LogSource& source) { return source.node == node; };
    if (book_ && std::ranges::none_of(book_->sources(), shows)) {
        tools_->chooseAll();
    }
    wanted_ = Wanted{node, static_cast<std::uint64_t>(std::max<std::int64_t>(line, 1) - 1)};
    goToWanted();
}

void LogPanel::goToWanted() {
    if (!wanted_ || !book_) {
        return;
    }
    const auto& sources = book_->sources();
    const auto source = std::ranges::find(sources, wanted_->node, &log::LogSource::node);
    if (source == sources.end()) {
        wanted_.reset();
        return;
    }
    const log::LineSpot spot{static_cast<std::size_t>(source - sources.begin()), wanted_->line};
    const auto number = book_->layout([&](const log::LogLayout& layout) -> std::optional<std::uint64_t> {
        const bool known = layout.index(spot.log).lines() > spot.line;
        return known ? std::optional(layout.numberOf(spot)) : std::nullopt;
    });
    if (number) {
        wanted_.reset();
        view_->refresh();  // the line may have come with the last growth
        view_->goTo(*number);
        tools_->setFollowing(false);
        view_->setFocus(Qt::OtherFocusReason);
    }
}

void LogPanel::focusSearch() {
    tools_->search().setFocus(Qt::ShortcutFocusReason);
}

}  // namespace dlperf::ui
