// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/log_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <algorithm>

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

namespace dlperf::ui {
namespace {

constexpr int padding = 10;

const QRegularExpression& failurePattern() {
    static const QRegularExpression pattern(
        QStringLiteral("\\b(error|fatal|failed|traceback|exception|out of memory|segmentation fault)\\b"),
        QRegularExpression::CaseInsensitiveOption);
    return pattern;
}

const QRegularExpression& warningPattern() {
    static const QRegularExpression pattern(QStringLiteral("\\bwarn(ing)?\\b"),
                                            QRegularExpression::CaseInsensitiveOption);
    return pattern;
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
    read_.clear();
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
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(lines_) - visibleLines()));
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

// The visible lines, read in one go when others are visible or the log has grown.
void LogView::readVisible(std::size_t first, std::size_t count) {
    if (read_.size() != static_cast<qsizetype>(count) || readFirst_ != first) {
        read_ = log_ ? log_->lines(first, count) : QStringList();
        readFirst_ = first;
    }
}

void LogView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    const Theme& theme = currentTheme();
    painter.fillRect(viewport()->rect(), theme.panel);
    painter.setFont(monoFont());
    const int gutter =
        painter.fontMetrics().horizontalAdvance(QString::number(std::max<std::size_t>(lines_, 1000))) +
        2 * padding;
    const auto first = static_cast<std::size_t>(verticalScrollBar()->value());
    const auto last = std::min(lines_, first + static_cast<std::size_t>(visibleLines()) + 1);
    const int before = widest_;
    readVisible(first, last > first ? last - first : 0);
    for (std::size_t i = first; i < last; ++i) {
        paintLine(painter, i, static_cast<int>(i - first) * lineHeight(), gutter);
    }
    painter.fillRect(QRect(0, 0, gutter - padding / 2, viewport()->height()), theme.panel);
    painter.setPen(theme.text3);
    for (std::size_t i = first; i < last; ++i) {
        const QRect where(0, static_cast<int>(i - first) * lineHeight(), gutter - padding, lineHeight());
        painter.drawText(where, Qt::AlignRight | Qt::AlignVCenter, QString::number(i + 1));
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme.focus, 2));
        painter.drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
    }
    if (widest_ != before) {
        updateBars();
    }
}

void LogView::paintLine(QPainter& painter, std::size_t number, int y, int gutter) {
    const Theme& theme = currentTheme();
    const QString text = read_.value(static_cast<qsizetype>(number - readFirst_));
    const QRect row(0, y, viewport()->width(), lineHeight());
    QColor ink = theme.text;
    const auto [low, high] = std::minmax(anchor_, caret_);
    if (hasSelection_ && number >= low && number <= high) {
        painter.fillRect(row, theme.sel);
    } else if (failurePattern().match(text).hasMatch()) {
        painter.fillRect(row, theme.fail.ground);
        ink = theme.fail.text;
    } else if (warningPattern().match(text).hasMatch()) {
        painter.fillRect(row, theme.warn.ground);
        ink = theme.warn.text;
    } else if (text.startsWith(QLatin1Char('#'))) {
        ink = theme.text3;
    }
    const int left = gutter - horizontalScrollBar()->value();
    const QFontMetrics metrics = painter.fontMetrics();
    if (!search_.isEmpty()) {
        for (qsizetype at = text.indexOf(search_, 0, Qt::CaseInsensitive); at >= 0;
             at = text.indexOf(search_, at + search_.size(), Qt::CaseInsensitive)) {
            const int from = metrics.horizontalAdvance(text.left(at));
            const int width = metrics.horizontalAdvance(text.mid(at, search_.size()));
            painter.fillRect(QRect(left + from, y, width, lineHeight()), theme.mark);
        }
    }
    painter.setPen(ink);
    painter.drawText(QPoint(left, y + metrics.ascent() + 1), text);
    widest_ = std::max(widest_, gutter + metrics.horizontalAdvance(text) + padding);
}

std::size_t LogView::lineAt(int y) const {
    const int row = std::max(0, y) / lineHeight() + verticalScrollBar()->value();
    return std::min(static_cast<std::size_t>(row), lines_ > 0 ? lines_ - 1 : 0);
}

void LogView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && lines_ > 0) {
        caret_ = lineAt(event->pos().y());
        if (!event->modifiers().testFlag(Qt::ShiftModifier)) {
            anchor_ = caret_;
        }
        hasSelection_ = true;
        viewport()->update();
    }
}

void LogView::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton) && lines_ > 0) {
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
    if (event->matches(QKeySequence::SelectAll) && lines_ > 0) {
        anchor_ = 0;
        caret_ = lines_ - 1;
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
    return log_->text(low, high - low + 1);
}

void LogView::copySelection() {
    const LogFile::Text copied = selection();
    QGuiApplication::clipboard()->setText(copied.text);
    const auto [low, high] = std::minmax(anchor_, caret_);
    if (hasSelection_ && copied.lines < high - low + 1) {
        emit copyCut(copied.lines);
    }
}

void LogView::setSearch(const QString& text, std::vector<std::size_t> hits) {
    if (text != search_) {
        currentHit_ = 0;
    }
    search_ = text;
    hits_ = std::move(hits);
    currentHit_ = std::min(currentHit_, hits_.size());
    viewport()->update();
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
    verticalScrollBar()->setValue(static_cast<int>(line) - visibleLines() / 2);
    anchor_ = caret_ = line;
    hasSelection_ = true;
    viewport()->update();
    return currentHit_;
}

}  // namespace dlperf::ui
