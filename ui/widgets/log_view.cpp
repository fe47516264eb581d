// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/log_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/series_style.h"
#include "ui/theme/theme.h"

namespace dlperf::ui {
namespace {

constexpr int padding = 10;
constexpr int signSize = 12;  // a level is told by a sign too, not by colour alone

struct RowLook {
    QColor ground;
    QColor ink;
};

RowLook lookOf(const Theme& theme, LogLevel level) {
    switch (level) {
        case LogLevel::Error:
            return {theme.fail.ground, theme.fail.text};
        case LogLevel::Warning:
            return {theme.warn.ground, theme.warn.text};
        case LogLevel::Info:
            return {theme.panel, theme.text2};
        case LogLevel::Quiet:
            return {theme.panel, theme.text3};
        case LogLevel::Plain:
            break;
    }
    return {theme.panel, theme.text};
}

// The level by what follows the prefix: "[rank1]: ValueError: …" is an error as it stands alone.
LogLevel levelAfter(const QString& text, const std::optional<LogPrefix>& prefix) {
    if (!prefix) {
        return levelOf(text);
    }
    const QString rest = text.mid(prefix->span.begin + prefix->span.length);
    return levelOf(rest.startsWith(QLatin1Char(' ')) ? rest.mid(1) : rest);
}

}  // namespace

LogView::LogView(QWidget* parent) : QAbstractScrollArea(parent) {
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
}

void LogView::setLog(std::shared_ptr<LogFile> log) {
    log_ = std::move(log);
    lines_ = 0;
    widest_ = 0;
    hits_.clear();
    currentHit_ = 0;
    anchor_ = caret_ = 0;
    hasSelection_ = false;
    following_ = true;
    horizontalScrollBar()->setValue(0);
    refresh();
    emit followingChanged(true);
}

void LogView::refresh() {
    lines_ = log_ ? log_->lineCount() : 0;
    forgetRead();
    updateBars();
    if (following_) {
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    }
    viewport()->update();
}

int LogView::lineHeight() const {
    return QFontMetrics(monoFont()).height() + 3;
}

int LogView::visibleLines() const {
    return std::max(1, viewport()->height() / lineHeight());
}

void LogView::updateBars() {
    verticalScrollBar()->setPageStep(visibleLines());
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(rowCount()) - visibleLines()));
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setRange(0, std::max(0, widest_ - viewport()->width()));
}

void LogView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    refresh();
}

void LogView::scrollContentsBy(int, int) {
    viewport()->update();
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

void LogView::forgetRead() {
    read_.clear();
    viewport()->update();
}

std::size_t LogView::lineOfRow(std::size_t row) const {
    return showsHitsOnly() ? hits_[row] : row;
}

std::size_t LogView::rowOfLine(std::size_t line) const {
    if (!showsHitsOnly()) {
        return line;
    }
    return static_cast<std::size_t>(std::ranges::lower_bound(hits_, line) - hits_.begin());
}

// The visible lines, read in one go when others are visible or the log has grown.
void LogView::readVisible(std::size_t first, std::size_t count) {
    if (read_.size() == count && readFirst_ == first) {
        return;
    }
    readFirst_ = first;
    read_.clear();
    if (!log_ || count == 0) {
        return;
    }
    std::vector<std::size_t> numbers(count);
    for (std::size_t i = 0; i < count; ++i) {
        numbers[i] = lineOfRow(first + i);
    }
    const QStringList texts = log_->lines(numbers);
    for (std::size_t i = 0; i < count; ++i) {
        Shown line{numbers[i], texts.value(static_cast<qsizetype>(i)), LogLevel::Plain, {}, {}};
        line.prefix = prefixOf(line.text, nodes_);
        line.level = levelAfter(line.text, line.prefix);
        line.hits = matcher_.find(line.text);
        read_.push_back(std::move(line));
    }
}

void LogView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    const Theme& theme = currentTheme();
    painter.fillRect(viewport()->rect(), theme.panel);
    painter.setFont(monoFont());
    const int gutter =
        painter.fontMetrics().horizontalAdvance(QString::number(std::max<std::size_t>(lines_, 1000))) +
        2 * padding + signSize + 4;
    const auto first = static_cast<std::size_t>(verticalScrollBar()->value());
    const auto last = std::min(rowCount(), first + static_cast<std::size_t>(visibleLines()) + 1);
    const int before = widest_;
    readVisible(first, last > first ? last - first : 0);
    for (std::size_t i = 0; i < read_.size(); ++i) {
        paintLine(painter, read_[i], static_cast<int>(i) * lineHeight(), gutter);
    }
    paintNumbers(painter, gutter);
    if (rowCount() == 0) {
        paintNothing(painter);
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme.focus, 2));
        painter.drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
    }
    if (widest_ != before) {
        updateBars();
    }
}

void LogView::paintNumbers(QPainter& painter, int gutter) {
    const Theme& theme = currentTheme();
    painter.fillRect(QRect(0, 0, gutter - padding / 2, viewport()->height()), theme.panel);
    painter.setPen(theme.text3);
    for (std::size_t i = 0; i < read_.size(); ++i) {
        const QRect where(0, static_cast<int>(i) * lineHeight(), gutter - padding - signSize - 4,
                          lineHeight());
        painter.drawText(where, Qt::AlignRight | Qt::AlignVCenter, QString::number(read_[i].number + 1));
        const bool error = read_[i].level == LogLevel::Error;
        if (error || read_[i].level == LogLevel::Warning) {
            const QPixmap sign = iconPixmap(
                error ? QStringLiteral("state-fail") : QStringLiteral("state-warn"),
                error ? theme.fail.text : theme.warn.text, signSize, painter.device()->devicePixelRatioF());
            painter.drawPixmap(where.right() + padding / 2, where.top() + (lineHeight() - signSize) / 2,
                               sign);
        }
    }
}

void LogView::paintNothing(QPainter& painter) {
    painter.setFont(textFont(size::body));
    painter.setPen(currentTheme().text3);
    const QString text =
        showsHitsOnly() ? tr("No line holds \"%1\"").arg(query_.text) : tr("Nothing is logged yet");
    painter.drawText(viewport()->rect().adjusted(padding, padding, -padding, -padding),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, text);
}

bool LogView::isSelected(std::size_t line) const {
    const auto [low, high] = std::minmax(anchor_, caret_);
    return hasSelection_ && line >= low && line <= high;
}

void LogView::paintLine(QPainter& painter, const Shown& line, int y, int gutter) {
    const Theme& theme = currentTheme();
    const RowLook look = isSelected(line.number) ? RowLook{theme.sel, theme.text} : lookOf(theme, line.level);
    painter.fillRect(QRect(0, y, viewport()->width(), lineHeight()), look.ground);
    const int left = gutter - horizontalScrollBar()->value();
    const QFontMetrics metrics = painter.fontMetrics();
    for (const LogSpan& hit : line.hits) {
        const int from = metrics.horizontalAdvance(line.text.left(hit.begin));
        const int width = metrics.horizontalAdvance(line.text.mid(hit.begin, hit.length));
        painter.fillRect(QRect(left + from, y, width, lineHeight()), theme.mark);
    }
    paintText(painter, line, QPoint(left, y + metrics.ascent() + 1), look.ink);
    widest_ = std::max(widest_, gutter + metrics.horizontalAdvance(line.text) + padding);
}

// Who says it in a colour of its own: a node's is the one of its line in the chart. On a coloured row and
// under a mark it would not be legible.
void LogView::paintText(QPainter& painter, const Shown& line, const QPoint& at, const QColor& ink) const {
    const Theme& theme = currentTheme();
    const bool calm = line.level != LogLevel::Error && line.level != LogLevel::Warning;
    qsizetype from = 0;
    if (line.prefix && calm && line.hits.empty() && !isSelected(line.number)) {
        from = line.prefix->span.begin + line.prefix->span.length;
        painter.setPen(line.prefix->node >= 0 ? nodeStyle(theme, line.prefix->node).color : theme.link);
        painter.drawText(at, line.text.left(from));
    }
    painter.setPen(ink);
    const int offset = painter.fontMetrics().horizontalAdvance(line.text.left(from));
    painter.drawText(at + QPoint(offset, 0), line.text.mid(from));
}

std::size_t LogView::lineAt(int y) const {
    const auto row = static_cast<std::size_t>(std::max(0, y) / lineHeight() + verticalScrollBar()->value());
    return rowCount() > 0 ? lineOfRow(std::min(row, rowCount() - 1)) : 0;
}

void LogView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rowCount() > 0) {
        caret_ = lineAt(event->pos().y());
        if (!event->modifiers().testFlag(Qt::ShiftModifier)) {
            anchor_ = caret_;
        }
        hasSelection_ = true;
        viewport()->update();
    }
}

void LogView::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton) && rowCount() > 0) {
        caret_ = lineAt(event->pos().y());
        viewport()->update();
    }
}

void LogView::wheelEvent(QWheelEvent* event) {
    QAbstractScrollArea::wheelEvent(event);
    noteUserScroll();
}

void LogView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copySelection();
        return;
    }
    if (event->matches(QKeySequence::SelectAll) && rowCount() > 0) {
        anchor_ = lineOfRow(0);
        caret_ = lineOfRow(rowCount() - 1);
        hasSelection_ = true;
        viewport()->update();
        return;
    }
    QScrollBar* bar = verticalScrollBar();
    switch (event->key()) {
        case Qt::Key_Home:
            bar->setValue(0);
            break;
        case Qt::Key_End:
            bar->setValue(bar->maximum());
            break;
        default:
            QAbstractScrollArea::keyPressEvent(event);
    }
    noteUserScroll();
}

QString LogView::selectedText() const {
    return selection().text;
}

LogFile::Text LogView::selection() const {
    if (!hasSelection_ || !log_) {
        return {};
    }
    const auto [low, high] = std::minmax(anchor_, caret_);
    if (!showsHitsOnly()) {
        return log_->text(low, high - low + 1);
    }
    const auto begin = std::ranges::lower_bound(hits_, low);
    return log_->text(std::vector<std::size_t>(begin, std::ranges::upper_bound(hits_, high)));
}

void LogView::copySelection() {
    const LogFile::Text copied = selection();
    QGuiApplication::clipboard()->setText(copied.text);
    const auto [low, high] = std::minmax(anchor_, caret_);
    const std::size_t wanted = showsHitsOnly() ? rowOfLine(high + 1) - rowOfLine(low) : high - low + 1;
    if (hasSelection_ && copied.lines < wanted) {
        emit copyCut(copied.lines);
    }
}

void LogView::setNodes(const QStringList& nodes) {
    nodes_ = nodes;
    forgetRead();
}

void LogView::setSearch(const LogQuery& query, std::vector<std::size_t> hits) {
    if (query != query_) {
        currentHit_ = 0;
        matcher_ = LogMatcher(query);
    }
    const bool hitsBefore = showsHitsOnly();
    query_ = query;
    hits_ = std::move(hits);
    currentHit_ = std::min(currentHit_, hits_.size());
    forgetRead();
    if (hitsBefore || showsHitsOnly()) {
        updateBars();
        setFollowing(following_);
    }
}

// The line at the top stays there, or the next one that is shown.
void LogView::setFiltered(bool filtered) {
    const auto row = static_cast<std::size_t>(verticalScrollBar()->value());
    const std::size_t top = row < rowCount() ? lineOfRow(row) : 0;
    filtered_ = filtered;
    forgetRead();
    updateBars();
    verticalScrollBar()->setValue(static_cast<int>(rowOfLine(top)));
    setFollowing(following_);
}

std::size_t LogView::goToHit(bool forward) {
    if (hits_.empty()) {
        return 0;
    }
    if (forward) {
        currentHit_ = currentHit_ >= hits_.size() ? 1 : currentHit_ + 1;
    } else {
        currentHit_ = currentHit_ <= 1 ? hits_.size() : currentHit_ - 1;
    }
    const std::size_t line = hits_[currentHit_ - 1];
    setFollowing(false);
    verticalScrollBar()->setValue(static_cast<int>(rowOfLine(line)) - visibleLines() / 2);
    anchor_ = caret_ = line;
    hasSelection_ = true;
    viewport()->update();
    return currentHit_;
}

}  // namespace dlperf::ui
