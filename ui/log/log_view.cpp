// SPDX-License-Identifier: Apache-2.0
#include "ui/log/log_view.h"

#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <limits>

#include "ui/theme/fonts.h"

namespace dlperf::ui {

LogView::LogView(const LogSearch& search, QWidget* parent)
    : QAbstractScrollArea(parent), search_(search), lines_(new LogLines(this)) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Log"));
    viewport()->setCursor(Qt::IBeamCursor);
    verticalScrollBar()->setSingleStep(1);
    // Only the user triggers actions; the position is already the one that the value will take.
    connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] {
        const QScrollBar* bar = verticalScrollBar();
        setFollowing(bar->sliderPosition() >= bar->maximum());
    });
    connect(lines_, &LogLines::arrived, this, &LogView::takeLines);
    connect(lines_, &LogLines::copied, this, &LogView::takeCopied);
}

void LogView::setBook(std::shared_ptr<const log::LogBook> book) {
    book_ = std::move(book);
    lines_->setBook(book_);
    nodes_.clear();
    for (std::size_t i = 0; book_ && book_->sources().size() > 1 && i < book_->sources().size(); ++i) {
        nodes_ << QString::fromStdString(book_->sources()[i].node);
    }
    opened_ = {};
    rows_ = lineCount_ = 0;
    growthWaits_ = false;
    widest_ = 0;
    current_.reset();
    anchor_ = caret_ = 0;
    hasSelection_ = false;
    following_ = true;
    horizontalScrollBar()->setValue(0);
    refresh();
    emit followingChanged(true);
}

void LogView::refresh() {
    lines_->grown();
    growthWaits_ = true;
    if (book_ && following_ && !showsHitsOnly() && rows_ > 0) {
        const std::uint64_t rows =
            book_->layout([this](const log::LogLayout& layout) { return layout.rowCount(opened_); });
        const auto page = static_cast<std::uint64_t>(visibleRows());
        if (wantAround(rows > page ? rows - page : 0)) {
            return;  // takeLines() goes on
        }
    }
    takeGrowth();
}

void LogView::takeGrowth() {
    growthWaits_ = false;
    if (book_) {
        book_->layout([this](const log::LogLayout& layout) {
            rows_ = layout.rowCount(opened_);
            lineCount_ = layout.lines();
        });
    }
    updateBars();
    viewport()->update();
}

void LogView::takeLines() {
    if (growthWaits_ || wrapped_) {
        takeGrowth();
    }
    viewport()->update();
}

std::vector<log::Row> LogView::rowsFrom(std::uint64_t first, std::uint64_t count) const {
    if (!book_) {
        return {};
    }
    if (!showsHitsOnly()) {
        return book_->layout(
            [&](const log::LogLayout& layout) { return layout.rows(opened_, first, count); });
    }
    std::vector<log::Row> rows;
    for (std::uint64_t i = first; i < search_.hits().size() && i - first < count; ++i) {
        rows.push_back({log::Row::Kind::Line, search_.hits()[static_cast<std::size_t>(i)], 1, false});
    }
    return rows;
}

std::uint64_t LogView::rowOfLine(std::uint64_t number) const {
    if (showsHitsOnly()) {
        return static_cast<std::uint64_t>(std::ranges::lower_bound(search_.hits(), number) -
                                          search_.hits().begin());
    }
    return book_ ? book_->layout([&](const log::LogLayout& layout) { return layout.rowOf(opened_, number); })
                 : 0;
}

std::uint64_t LogView::topRow() const {
    return static_cast<std::uint64_t>(verticalScrollBar()->value());
}

LogGeometry LogView::geometry() const {
    LogGeometry geometry(viewport()->width(), lineCount_, nodes_, wrapped_);
    geometry.scrolled = horizontalScrollBar()->value();
    return geometry;
}

LogRowContent LogView::contentOf(const log::Row& row) const {
    const auto [low, high] = std::minmax(anchor_, caret_);
    // An open fold's own row stands for no line: these follow it.
    const std::uint64_t end = row.number + (row.isOpen ? 1 : row.lines);
    const bool isOwnRow = row.kind == log::Row::Kind::Warmup && row.isOpen;
    const bool isSelected = hasSelection_ && !isOwnRow && end > low && row.number <= high;
    return {row, row.kind == log::Row::Kind::Line ? lines_->line(row.number) : nullptr, isSelected};
}

int LogView::visibleRows() const {
    return std::max(1, viewport()->height() / LogGeometry::heightOfLine());
}

// The top row where the last one is at the bottom; broken lines count as far as they are read.
std::uint64_t LogView::lastTop() const {
    const std::uint64_t rows = rowCount();
    const auto page = static_cast<std::uint64_t>(visibleRows());
    std::uint64_t top = rows > page ? rows - page : 0;
    if (!wrapped_) {
        return top;
    }
    const LogGeometry where = geometry();
    const LogPainter look(where, nodes_, matcher_);
    const std::vector<log::Row> last = rowsFrom(top, rows - top);
    int height = 0;
    for (std::size_t i = last.size(); i > 0; --i) {
        height += look.heightOf(contentOf(last[i - 1]));
        if (height > viewport()->height()) {
            return std::min(top + i, rows - 1);
        }
    }
    return top;
}

// A page more on both sides, so that scrolling finds them read.
bool LogView::wantAround(std::uint64_t first) {
    const auto page = static_cast<std::uint64_t>(visibleRows()) + 1;
    const std::uint64_t from = first > page ? first - page : 0;
    std::vector<std::uint64_t> numbers;
    for (const log::Row& row : rowsFrom(from, first - from + 2 * page)) {
        if (row.kind == log::Row::Kind::Line) {
            numbers.push_back(row.number);
        }
    }
    return lines_->want(numbers);
}

void LogView::updateBars() {
    constexpr std::uint64_t most = std::numeric_limits<int>::max() / 2;
    verticalScrollBar()->setPageStep(visibleRows());
    verticalScrollBar()->setRange(0, static_cast<int>(std::min(lastTop(), most)));
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setRange(0, wrapped_ ? 0 : std::max(0, widest_ - viewport()->width()));
    if (following_) {
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    }
}

// The last row stays in sight when a bar comes below it.
void LogView::resizeEvent(QResizeEvent* event) {
    const QScrollBar& bar = *verticalScrollBar();
    const bool isAtEnd = bar.maximum() > 0 && bar.value() == bar.maximum();
    QAbstractScrollArea::resizeEvent(event);
    takeGrowth();
    if (isAtEnd) {
        verticalScrollBar()->setValue(bar.maximum());
    }
}

void LogView::setFollowing(bool following) {
    if (following_ != following) {
        following_ = following;
        emit followingChanged(following);
    }
    if (following_) {
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    }
}

void LogView::noteUserScroll() {
    setFollowing(verticalScrollBar()->value() >= verticalScrollBar()->maximum());
}

void LogView::setWrapped(bool wrapped) {
    wrapped_ = wrapped;
    takeGrowth();
}

std::optional<std::uint64_t> LogView::topLine() const {
    const std::vector<log::Row> top = rowsFrom(topRow(), 1);
    return top.empty() ? std::nullopt : std::optional(top.front().number);
}

void LogView::scrollToLine(std::uint64_t number) {
    setFollowing(false);
    scrollToRow(rowOfLine(number));
}

// The line at the top stays there, or the next one that is shown.
void LogView::setFiltered(bool filtered) {
    const auto top = topLine();
    filtered_ = filtered;
    updateBars();
    scrollToRow(top ? rowOfLine(*top) : 0);
    setFollowing(following_);
}

void LogView::open(log::Opened folds) {
    opened_ = std::move(folds);
    takeGrowth();
}

void LogView::searchChanged() {
    matcher_ = search_.problem().isEmpty() ? LogMatcher(search_.query()) : LogMatcher();
    updateBars();
    viewport()->update();
}

void LogView::scrollToRow(std::uint64_t row) {
    const auto most = static_cast<std::uint64_t>(verticalScrollBar()->maximum());
    verticalScrollBar()->setValue(static_cast<int>(std::min(row, most)));
    viewport()->update();
}

bool LogView::isComplete() const {
    const std::vector<log::Row> rows = rowsFrom(topRow(), static_cast<std::uint64_t>(visibleRows()));
    return !growthWaits_ && !rows.empty() && std::ranges::all_of(rows, [this](const log::Row& row) {
        return row.kind == log::Row::Kind::Warmup || lines_->line(row.number) != nullptr;
    });
}

void LogView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    const Theme& theme = currentTheme();
    painter.fillRect(viewport()->rect(), theme.panel);
    const LogGeometry where = geometry();
    const LogPainter look(where, nodes_, matcher_);
    const int before = widest_;
    painted_.clear();
    int y = 0;
    for (const log::Row& row : rowsFrom(topRow(), static_cast<std::uint64_t>(visibleRows()) + 1)) {
        const LogRowContent content = contentOf(row);
        painted_.push_back({row, y, look.heightOf(content)});
        look.paint(painter, content, y);
        widest_ = std::max(widest_, look.widthOf(content));
        y += painted_.back().height;
        if (y >= viewport()->height()) {
            break;
        }
    }
    if (rowCount() == 0) {
        paintNothing(painter);
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme.focus, 2));
        painter.drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
    }
    if (!growthWaits_) {
        wantAround(topRow());
    }
    if (widest_ != before) {
        updateBars();
    }
}

void LogView::setNothing(const QString& text) {
    if (nothing_ != text) {
        nothing_ = text;
        viewport()->update();
    }
}

void LogView::paintNothing(QPainter& painter) const {
    constexpr int emptyPadding = 10;
    painter.setFont(textFont(size::body));
    painter.setPen(currentTheme().text3);
    const QString text = showsHitsOnly() ? tr("No line holds \"%1\"").arg(search_.query().text) : nothing_;
    painter.drawText(viewport()->rect().adjusted(emptyPadding, emptyPadding, -emptyPadding, -emptyPadding),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, text);
}

}  // namespace dlperf::ui
