// SPDX-License-Identifier: Apache-2.0
// The part of LogView that answers keys and the mouse: going somewhere, selecting, folding, copying.
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QScrollBar>
#include <algorithm>
#include <limits>
#include <utility>

#include "ui/log/log_search.h"
#include "ui/log/log_view.h"

namespace dlperf::ui {

void LogView::goTo(std::uint64_t number) {
    setFollowing(false);
    const std::vector<log::Row> hiding = rowsFrom(rowOfLine(number), 1);
    if (!hiding.empty() && hiding.front().kind == log::Row::Kind::Warmup && !hiding.front().isOpen) {
        toggleFold(hiding.front());
    }
    const std::uint64_t row = rowOfLine(number);
    const auto half = static_cast<std::uint64_t>(visibleRows() / 2);
    scrollToRow(row > half ? row - half : 0);
    current_ = number;
    select(number, false);
}

std::size_t LogView::goToHit(bool forward) {
    const std::vector<std::uint64_t>& hits = search_.hits();
    if (hits.empty()) {
        return 0;
    }
    auto next = hits.begin();
    if (forward && current_) {
        next = std::ranges::upper_bound(hits, *current_);
        next = next == hits.end() ? hits.begin() : next;
    } else if (!forward) {
        next = current_ ? std::ranges::lower_bound(hits, *current_) : hits.begin();
        next = next == hits.begin() ? hits.end() - 1 : next - 1;
    }
    const auto position = static_cast<std::size_t>(next - hits.begin()) + 1;
    goTo(*next);
    return position;
}

void LogView::goToLevel(log::Level level) {
    const std::uint64_t from = current_.value_or(std::numeric_limits<std::uint64_t>::max());
    const auto next =
        book_ ? book_->layout([&](const log::LogLayout& layout) { return layout.nextOf(level, from); })
              : std::nullopt;
    if (next) {
        goTo(*next);
    }
}

const LogView::Painted* LogView::paintedAt(int y) const {
    const auto after = std::ranges::upper_bound(painted_, std::max(0, y), {}, &Painted::y);
    return after == painted_.begin() ? nullptr : &*(after - 1);
}

void LogView::select(std::uint64_t number, bool extend) {
    caret_ = number;
    if (!extend || !hasSelection_) {
        anchor_ = number;
    }
    hasSelection_ = true;
    current_ = number;
    viewport()->update();
}

void LogView::selectAll() {
    if (lineCount_ > 0) {
        anchor_ = 0;
        caret_ = lineCount_ - 1;
        hasSelection_ = true;
        viewport()->update();
    }
}

std::pair<std::uint64_t, std::uint64_t> LogView::selected() const {
    const auto [low, high] = std::minmax(anchor_, caret_);
    const std::vector<log::Row> last = rowsFrom(rowOfLine(high), 1);
    const bool isFold = !showsHitsOnly() && !last.empty() && !last.front().isOpen;
    return {low, isFold ? std::max(high, last.front().number + last.front().lines - 1) : high};
}

void LogView::copySelection() {
    if (!hasSelection_ || !book_) {
        return;
    }
    const auto [low, high] = selected();
    copying_ = true;
    emit copying();
    if (!showsHitsOnly()) {
        lines_->copy(low, high - low + 1);
        return;
    }
    const std::vector<std::uint64_t>& hits = search_.hits();
    lines_->copy(std::vector<std::uint64_t>(std::ranges::lower_bound(hits, low),
                                            std::ranges::upper_bound(hits, high)));
}

void LogView::takeCopied(const QString& text, std::size_t lines, bool all) {
    copying_ = false;
    QGuiApplication::clipboard()->setText(text);
    emit copied(lines, all);
}

void LogView::toggleFold(const log::Row& row) {
    auto& opened = row.kind == log::Row::Kind::Warmup ? opened_.warmups : opened_.repeats;
    if (opened.erase(row.number) == 0) {
        opened.insert(row.number);
    }
    takeGrowth();
}

void LogView::toggleFoldAtCaret() {
    if (!hasSelection_ || showsHitsOnly()) {
        return;
    }
    const std::vector<log::Row> row = rowsFrom(rowOfLine(caret_), 1);
    if (!row.empty() && (row.front().kind == log::Row::Kind::Warmup || row.front().lines > 1)) {
        toggleFold(row.front());
    } else if (opened_.warmups.contains(caret_)) {
        toggleFold({log::Row::Kind::Warmup, caret_, 1, true});  // its own row stands above
    }
}

void LogView::mousePressEvent(QMouseEvent* event) {
    const Painted* at = paintedAt(event->pos().y());
    if (event->button() != Qt::LeftButton || at == nullptr) {
        return;
    }
    const LogGeometry where = geometry();
    const LogRowContent content = contentOf(at->row);
    if (LogPainter(where, nodes_, matcher_).foldSign(content, at->y).contains(event->pos())) {
        select(at->row.number, false);
        setFollowing(false);
        toggleFold(log::Row(at->row));
        return;
    }
    select(at->row.number, event->modifiers().testFlag(Qt::ShiftModifier));
}

void LogView::mouseMoveEvent(QMouseEvent* event) {
    const Painted* at = paintedAt(event->pos().y());
    if (event->buttons().testFlag(Qt::LeftButton) && at != nullptr) {
        select(at->row.number, true);
    }
}

void LogView::wheelEvent(QWheelEvent* event) {
    QAbstractScrollArea::wheelEvent(event);
    noteUserScroll();
}

// From row to row, in view; without a selection from the first visible one.
void LogView::moveCaret(int rows, bool extend) {
    const std::uint64_t all = rowCount();
    if (all == 0) {
        return;
    }
    const std::uint64_t from = hasSelection_ ? rowOfLine(caret_) : topRow();
    const auto by = static_cast<std::uint64_t>(std::abs(rows));
    std::uint64_t to = rows < 0 ? from - std::min(from, by) : std::min(all - 1, from + by);
    std::vector<log::Row> row = rowsFrom(to, 1);
    // The own row of an open fold has the number of the line below it: downwards it is passed over.
    if (rows > 0 && !row.empty() && row.front().kind == log::Row::Kind::Warmup && row.front().isOpen) {
        row = rowsFrom(++to, 1);
    }
    if (row.empty()) {
        return;
    }
    select(row.front().number, extend);
    const auto page = static_cast<std::uint64_t>(visibleRows());
    if (to < topRow()) {
        scrollToRow(to);
    } else if (to >= topRow() + page) {
        scrollToRow(to - page + 1);
    }
    setFollowing(to == all - 1);
}

bool LogView::pressKey(const QKeyEvent& event) {
    QScrollBar* bar = verticalScrollBar();
    const bool extend = event.modifiers().testFlag(Qt::ShiftModifier);
    switch (event.key()) {
        case Qt::Key_Home:
            bar->setValue(0);
            noteUserScroll();
            return true;
        case Qt::Key_End:
            setFollowing(true);
            return true;
        case Qt::Key_Up:
            moveCaret(-1, extend);
            return true;
        case Qt::Key_Down:
            moveCaret(1, extend);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            toggleFoldAtCaret();
            return true;
        case Qt::Key_Escape:
            if (!std::exchange(copying_, false)) {
                return false;  // others want it too
            }
            lines_->cancelCopy();
            emit copied(0, false);
            return true;
        default:
            return false;
    }
}

void LogView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copySelection();
    } else if (event->matches(QKeySequence::SelectAll)) {
        selectAll();
    } else if (!pressKey(*event)) {
        QAbstractScrollArea::keyPressEvent(event);
        if (event->key() == Qt::Key_PageUp || event->key() == Qt::Key_PageDown) {
            noteUserScroll();
        }
    }
}

}  // namespace dlperf::ui
