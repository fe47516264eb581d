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

#include "ui/session/background.h"
#include "ui/theme/icons.h"
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
    search_ = new QLineEdit;
    search_->setProperty("size", "small");
    search_->setPlaceholderText(tr("Search"));
    search_->setClearButtonEnabled(true);
    search_->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    search_->setFixedWidth(220);
    count_ = makeLabel({}, "caption");
    QToolButton* previous = makeIconButton(QStringLiteral("up"), tr("Previous hit (Shift+F3)"));
    QToolButton* next = makeIconButton(QStringLiteral("down"), tr("Next hit (F3)"));
    head->insertWidget(1, nodes_);
    head->insertWidget(2, search_);
    head->insertWidget(3, count_);
    head->insertWidget(4, previous);
    head->insertWidget(5, next);
    follow_ = new QCheckBox(tr("Follow"));
    follow_->setProperty("kind", "switch");
    follow_->setChecked(true);
    head->addWidget(follow_);
    view_ = new LogView;
    panel->body()->addWidget(view_, 1);
    connect(nodes_, &Segments::changed, this, &LogPanel::showNode);
    typing_.setSingleShot(true);
    typing_.setInterval(typingPause);
    connect(search_, &QLineEdit::textChanged, &typing_, qOverload<>(&QTimer::start));
    connect(&typing_, &QTimer::timeout, this, [this] {
        forgetHits();
        search();
    });
    connect(search_, &QLineEdit::returnPressed, this, [this] { goToHit(true); });
    connect(next, &QToolButton::clicked, this, [this] { goToHit(true); });
    connect(previous, &QToolButton::clicked, this, [this] { goToHit(false); });
    connect(new QShortcut(QKeySequence(Qt::Key_F3), this), &QShortcut::activated, this,
            [this] { goToHit(true); });
    connect(new QShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F3), this), &QShortcut::activated, this,
            [this] { goToHit(false); });
    connect(follow_, &QCheckBox::toggled, view_, &LogView::setFollowing);
    connect(view_, &LogView::followingChanged, follow_, &QCheckBox::setChecked);
    connect(view_, &LogView::copyCut, this,
            [this](std::size_t lines) { count_->setText(tr("Copied the first %1 lines only").arg(lines)); });
}

void LogPanel::forgetHits() {
    ++question_;
    searching_ = false;
    hits_.clear();
    searched_ = 0;
    current_ = 0;
}

void LogPanel::setLogs(const QStringList& nodes, const std::vector<std::filesystem::path>& files) {
    if (files == files_) {
        return;
    }
    files_ = files;
    nodes_->setTexts(nodes, 0);
    nodes_->setVisible(nodes.size() > 1);
    showNode(0);
}

void LogPanel::showNode(int index) {
    const auto position = static_cast<std::size_t>(index);
    log_ = position < files_.size() ? std::make_shared<LogFile>(files_[position]) : nullptr;
    indexing_ = false;  // an answer about the log before says nothing about this one
    forgetHits();
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
    const QString text = search_->text();
    if (!log_ || text.isEmpty()) {
        view_->setSearch({}, {});
        count_->clear();
        return;
    }
    if (searching_ || hits_.size() >= LogFile::mostHits) {
        return;
    }
    searching_ = true;
    background_.ask(
        this, [log = log_, bytes = text.toStdString(), first = searched_] { return log->find(bytes, first); },
        [this, text, question = question_](const LogFile::Hits& found) {
            if (question == question_) {
                takeHits(text, found);
            }
        },
        [this, question = question_] { searching_ = searching_ && question != question_; });
}

void LogPanel::takeHits(const QString& text, const LogFile::Hits& found) {
    searching_ = false;
    // The last line was searched before it was finished: it comes again.
    while (!hits_.empty() && hits_.back() >= searched_) {
        hits_.pop_back();
    }
    hits_.insert(hits_.end(), found.lines.begin(), found.lines.end());
    searched_ = found.next;
    view_->setSearch(text, hits_);
    showHits();
    if (found.more) {
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
