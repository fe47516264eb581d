// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/log_panel.h"

#include <QAction>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>
#include <initializer_list>

#include "ui/session/background.h"
#include "ui/theme/icons.h"
#include "ui/widgets/log_query.h"
#include "ui/widgets/log_view.h"
#include "ui/widgets/segments.h"

namespace dlperf::ui {
namespace {

constexpr int typingPause = 150;  // ms without a further letter until the search begins

}  // namespace

LogPanel::LogPanel(Background& background, QWidget* parent) : QWidget(parent), background_(background) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* panel = new Panel;
    outer->addWidget(panel);
    QHBoxLayout* head = panel->addHeader(tr("Log"));
    nodes_ = new Segments;
    head->insertWidget(1, nodes_);
    addSearch(head);
    follow_ = new QCheckBox(tr("Follow"));
    follow_->setProperty("kind", "switch");
    follow_->setChecked(true);
    head->addWidget(follow_);
    addProblem(panel->body());
    view_ = new LogView;
    panel->body()->addWidget(view_, 1);
    connect(nodes_, &Segments::changed, this, &LogPanel::showNode);
    connectSearch();
    connect(follow_, &QCheckBox::toggled, view_, &LogView::setFollowing);
    connect(view_, &LogView::followingChanged, follow_, &QCheckBox::setChecked);
    connect(view_, &LogView::copyCut, this,
            [this](std::size_t lines) { count_->setText(tr("Copied the first %1 lines only").arg(lines)); });
}

void LogPanel::addSearch(QHBoxLayout* head) {
    search_ = new QLineEdit;
    search_->setProperty("size", "small");
    search_->setPlaceholderText(tr("Search"));
    search_->setClearButtonEnabled(true);
    search_->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    search_->setFixedWidth(220);
    pattern_ = makeChip(QStringLiteral(".*"), false);
    pattern_->setToolTip(tr("Regular expression"));
    pattern_->setAccessibleName(tr("Regular expression"));
    filter_ = makeChip(tr("Only hits"), false);
    filter_->setToolTip(tr("Show only the lines that are found"));
    count_ = makeLabel({}, "caption");
    previous_ = makeIconButton(QStringLiteral("up"), tr("Previous hit (Shift+F3)"));
    next_ = makeIconButton(QStringLiteral("down"), tr("Next hit (F3)"));
    int place = 2;
    for (QWidget* widget :
         std::initializer_list<QWidget*>{search_, pattern_, filter_, previous_, next_, count_}) {
        head->insertWidget(place++, widget);
    }
}

// Below the field, where a pattern is none.
void LogPanel::addProblem(QVBoxLayout* column) {
    problemRow_ = new QWidget;
    auto* row = new QHBoxLayout(problemRow_);
    row->setContentsMargins(12, 4, 12, 4);
    row->setSpacing(6);
    row->addWidget(makeIcon(QStringLiteral("state-fail"), "fail", 12));
    problem_ = makeLabel({}, "secondary");
    setState(problem_, "fail");
    row->addWidget(problem_, 1);
    problemRow_->hide();
    column->addWidget(problemRow_);
}

void LogPanel::connectSearch() {
    typing_.setSingleShot(true);
    typing_.setInterval(typingPause);
    connect(search_, &QLineEdit::textChanged, &typing_, qOverload<>(&QTimer::start));
    connect(&typing_, &QTimer::timeout, this, &LogPanel::ask);
    connect(pattern_, &QToolButton::toggled, this, &LogPanel::ask);
    connect(filter_, &QToolButton::toggled, view_, &LogView::setFiltered);
    connect(search_, &QLineEdit::returnPressed, this, [this] { goToHit(true); });
    connect(next_, &QToolButton::clicked, this, [this] { goToHit(true); });
    connect(previous_, &QToolButton::clicked, this, [this] { goToHit(false); });
    connect(new QShortcut(QKeySequence(Qt::Key_F3), this), &QShortcut::activated, this,
            [this] { goToHit(true); });
    connect(new QShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F3), this), &QShortcut::activated, this,
            [this] { goToHit(false); });
}

LogQuery LogPanel::query() const {
    return {search_->text(), pattern_->isChecked()};
}

// Anew, from the log's begin.
void LogPanel::ask() {
    forgetHits();
    const QString problem = LogMatcher(query()).problem();
    showProblem(problem);
    if (search_->text().isEmpty() || !problem.isEmpty()) {  // else what was found stays until there is more
        view_->setSearch({}, {});
        count_->clear();
    }
    search();
}

void LogPanel::showProblem(const QString& text) {
    problem_->setText(text);
    problemRow_->setVisible(!text.isEmpty());
    search_->setAccessibleDescription(text);
}

void LogPanel::forgetHits() {
    ++question_;
    searching_ = false;
    hits_.clear();
    searched_ = 0;
    current_ = 0;
    gaveUp_ = false;
}

void LogPanel::setLogs(const QStringList& nodes, const std::vector<std::filesystem::path>& files) {
    if (files == files_) {
        return;
    }
    files_ = files;
    view_->setNodes(nodes);
    nodes_->setTexts(nodes, 0);
    nodes_->setVisible(nodes.size() > 1);
    showNode(0);
}

void LogPanel::showNode(int index) {
    const auto position = static_cast<std::size_t>(index);
    log_ = position < files_.size() ? std::make_shared<LogFile>(files_[position]) : nullptr;
    indexing_ = false;  // an answer about the log before says nothing about this one
    forgetHits();
    showProblem(LogMatcher(query()).problem());
    view_->setLog(log_);
    refresh();
}

void LogPanel::refresh() {
    if (!log_ || indexing_) {
        return;
    }
    indexing_ = true;
    const auto ended = [this, log = log_](bool news) {
        if (log != log_) {
            return;
        }
        indexing_ = false;
        if (news) {
            view_->refresh();
            search();
            refresh();  // a part at a time, so that others get their turn
        }
    };
    background_.ask(
        this, [log = log_] { return log->index(); }, ended, [ended] { ended(false); });
}

// Searches the lines that were not searched yet, a part at a time: so a search for what was typed before ends
// soon after the next letter.
void LogPanel::search() {
    const LogQuery asked = query();
    if (!log_ || asked.text.isEmpty() || !LogMatcher(asked).problem().isEmpty()) {
        return;
    }
    if (searching_ || gaveUp_ || hits_.size() >= LogFile::mostHits) {
        return;
    }
    searching_ = true;
    background_.ask(
        this, [log = log_, asked, first = searched_] { return log->find(LogMatcher(asked), first); },
        [this, asked, question = question_](const LogFile::Hits& found) {
            if (question == question_) {
                takeHits(asked, found);
            }
        },
        [this, question = question_] { searching_ = searching_ && question != question_; });
}

void LogPanel::takeHits(const LogQuery& asked, const LogFile::Hits& found) {
    searching_ = false;
    // The last line was searched before it was finished: it comes again.
    while (!hits_.empty() && hits_.back() >= searched_) {
        hits_.pop_back();
    }
    hits_.insert(hits_.end(), found.lines.begin(), found.lines.end());
    searched_ = found.next;
    view_->setSearch(asked, hits_);
    showHits();
    if (found.tooCostly) {
        gaveUp_ = true;
        showProblem(tr("This pattern takes too long. Make it more definite, such as [^ ]* in place of .*"));
    } else if (found.more) {
        search();
    }
}

void LogPanel::goToHit(bool forward) {
    current_ = view_->goToHit(forward);
    showHits();
}

void LogPanel::showHits() {
    count_->setText(current_ > 0 ? tr("%1 of %2").arg(current_).arg(hits_.size())
                                 : (hits_.size() == 1 ? tr("1 hit") : tr("%1 hits").arg(hits_.size())));
}

void LogPanel::focusSearch() {
    search_->setFocus(Qt::ShortcutFocusReason);
}

}  // namespace dlperf::ui
