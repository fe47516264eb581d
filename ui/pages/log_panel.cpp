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
    connect(search_, &QLineEdit::textChanged, this, [this] {
        hits_.clear();
        searched_ = 0;
        current_ = 0;
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
    hits_.clear();
    searched_ = 0;
    current_ = 0;
    view_->setLog(log_);
    refresh();
}

void LogPanel::refresh() {
    if (!log_ || pending_) {
        return;
    }
    pending_ = true;
    background_.ask(
        this, [log = log_] { return log->index(); },
        [this, log = log_](bool news) {
            pending_ = false;
            if (log == log_ && news) {
                view_->refresh();
                search();
            }
        });
}

// Searches the lines that were not searched yet.
void LogPanel::search() {
    const QString text = search_->text();
    if (!log_ || text.isEmpty()) {
        view_->setSearch({}, {});
        count_->clear();
        return;
    }
    struct Hits {
        std::vector<std::size_t> lines;
        std::size_t end;  // what was searched
    };
    background_.ask(
        this,
        [log = log_, text, first = searched_, stop = background_.stopping()] {
            const std::size_t end = log->lineCount();
            return Hits{log->find(text.toStdString(), first, stop), end};
        },
        [this, log = log_, text, first = searched_](const Hits& found) {
            // An answer to an older question says nothing about this one.
            if (log != log_ || text != search_->text() || first != searched_) {
                return;
            }
            hits_.insert(hits_.end(), found.lines.begin(), found.lines.end());
            searched_ = found.end;
            view_->setSearch(text, hits_);
            showHits();
        });
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
