// SPDX-License-Identifier: Apache-2.0
#include "ui/log/log_view.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/numbers.h"
#include "ui/theme/series_style.h"

namespace dlperf::ui {
namespace {

constexpr int padding = 10;
constexpr int signSize = 12;  // a level has a sign too, not a colour alone
constexpr int signSpace = signSize + 6;
constexpr int barWidth = 3;
constexpr int widestNode = 120;
constexpr int pillGap = 8;
constexpr int pillPadding = 7;

struct RowLook {
    QColor ground;
    QColor ink;
};

RowLook lookOf(const Theme& theme, const LogRowContent& content) {
    if (content.isSelected) {
        return {theme.sel, theme.text};
    }
    switch (content.line != nullptr ? content.line->level : log::Level::Plain) {
        case log::Level::Error:
            return {theme.fail.ground, theme.fail.text};
        case log::Level::Warning:
            return {theme.warn.ground, theme.warn.text};
        case log::Level::Info:
            return {theme.panel, theme.text2};
        case log::Level::Quiet:
            return {theme.panel, theme.text3};
        case log::Level::Plain:
            break;
    }
    return {theme.panel, theme.text};
}

bool hasSign(const LogRowContent& content) {
    return content.line != nullptr &&
           (content.line->level == log::Level::Error || content.line->level == log::Level::Warning);
}

QFont pillFont() {
    return textFont(size::caption);
}

// For what is more than letters in a row. Without shaping a line costs a tenth.
QFont shapedFont() {
    QFont font = monoFont();
    font.setStyleStrategy(QFont::PreferDefault);
    return font;
}

bool isAscii(const QString& text) {
    return std::ranges::all_of(text, [](QChar c) { return c.unicode() < 0x80; });
}

QString counted(std::uint64_t lines) {
    return numberLocale().toString(static_cast<qulonglong>(lines));
}

}  // namespace

LogGeometry::LogGeometry(int width_, std::uint64_t lines, const QStringList& nodes, bool wrap)
    : width(width_) {
    const QFontMetrics metrics(monoFont());
    lineHeight = heightOfLine();
    letter = std::max(1.0, QFontMetricsF(monoFont()).horizontalAdvance(QLatin1Char('M')));
    numberRight = padding / 2 + metrics.horizontalAdvance(counted(std::max<std::uint64_t>(lines, 9999)));
    textLeft = numberRight + padding;
    if (!nodes.isEmpty()) {
        nodeLeft = textLeft;
        for (const QString& node : nodes) {  // rounded down, a short name would end in dots
            const int needed = static_cast<int>(std::ceil(QFontMetricsF(monoFont()).horizontalAdvance(node)));
            nodeWidth = std::max(nodeWidth, std::min(widestNode, needed));
        }
        textLeft = nodeLeft + barWidth + 6 + nodeWidth + padding + 4;
    }
    textLeft += signSpace;  // of every row: a traceback's indentation is seen beside the signs
    columns = wrap ? std::max(20, static_cast<int>((width - textLeft - padding) / letter)) : 0;
}

LogPainter::LogPainter(const LogGeometry& geometry, const QStringList& nodes, const LogMatcher& matcher)
    : geometry_(geometry),
      nodes_(nodes),
      matcher_(matcher),
      theme_(currentTheme()),
      font_(shapedFont()),
      plainFont_(monoFont()),
      metrics_(font_) {}

int LogPainter::advance(const QString& text) const {
    return isAscii(text) ? static_cast<int>(std::lround(static_cast<double>(text.size()) * geometry_.letter))
                         : metrics_.horizontalAdvance(text);
}

void LogPainter::drawText(QPainter& painter, const QPoint& at, const QString& text) const {
    painter.setFont(isAscii(text) ? plainFont_ : font_);
    painter.drawText(at, text);
}

QStringList LogPainter::pillsOf(const LogRowContent& content) const {
    QStringList pills;
    if (content.row.kind == log::Row::Kind::Line && content.row.lines > 1) {
        pills << tr("%1 times").arg(counted(content.row.lines));
    }
    if (content.line != nullptr && content.line->bytes > 0) {
        pills << tr("cut, %1").arg(bytesText(static_cast<double>(content.line->bytes)));
    }
    return pills;
}

// Pills want room behind the text, else a row of their own.
std::vector<LogSpan> LogPainter::piecesOf(const LogRowContent& content) const {
    if (content.line == nullptr) {
        return {LogSpan{}};
    }
    const QString& text = content.line->text;
    if (geometry_.columns == 0) {
        return {LogSpan{0, text.size()}};
    }
    std::vector<LogSpan> pieces = wrapLine(text, geometry_.columns);
    int wanted = advance(text.mid(pieces.back().begin, pieces.back().length));
    for (const QString& pill : pillsOf(content)) {
        wanted += pillGap + 2 * pillPadding + QFontMetrics(pillFont()).horizontalAdvance(pill);
    }
    if (geometry_.textLeft + wanted > geometry_.width - padding && pieces.back().length > 0 &&
        !pillsOf(content).isEmpty()) {
        pieces.push_back({text.size(), 0});
    }
    return pieces;
}

int LogPainter::heightOf(const LogRowContent& content) const {
    return geometry_.columns == 0 ? geometry_.lineHeight
                                  : static_cast<int>(piecesOf(content).size()) * geometry_.lineHeight;
}

// Behind the text, but in sight: at the right edge where the text goes on beyond it.
QRect LogPainter::pillAfter(const LogRowContent& content, int which, int y) const {
    const std::vector<LogSpan> pieces = piecesOf(content);
    const QFontMetrics small(pillFont());
    const QStringList pills = pillsOf(content);
    int left = geometry_.textLeft - geometry_.scrolled;
    if (content.line != nullptr) {
        left += advance(content.line->text.mid(pieces.back().begin, pieces.back().length));
    }
    int all = 0;
    int before = 0;
    for (int i = 0; i < pills.size(); ++i) {
        before = i == which ? all : before;
        all += pillGap + 2 * pillPadding + small.horizontalAdvance(pills[i]);
    }
    left = std::min(left, geometry_.width - all - pillGap) + before;
    const int top = y + (static_cast<int>(pieces.size()) - 1) * geometry_.lineHeight;
    return {left + pillGap, top + 1, 2 * pillPadding + small.horizontalAdvance(pills[which]),
            geometry_.lineHeight - 2};
}

int LogPainter::widthOf(const LogRowContent& content) const {
    return geometry_.textLeft + (content.line != nullptr ? advance(content.line->text) : 0) + padding;
}

QRect LogPainter::foldSign(const LogRowContent& content, int y) const {
    if (content.row.kind == log::Row::Kind::Warmup) {
        return {0, y, geometry_.width, geometry_.lineHeight};
    }
    return content.row.lines > 1 ? pillAfter(content, 0, y) : QRect();
}

void LogPainter::paint(QPainter& painter, const LogRowContent& content, int y) const {
    if (content.row.kind == log::Row::Kind::Warmup) {
        paintWarmup(painter, content, y);
        return;
    }
    painter.fillRect(QRect(0, y, geometry_.width, heightOf(content)), lookOf(theme_, content).ground);
    paintMargin(painter, content, y);
    if (content.line != nullptr) {
        painter.save();
        painter.setClipRect(
            QRect(geometry_.textLeft - 4, y, geometry_.width - geometry_.textLeft + 4, heightOf(content)));
        paintText(painter, content, y);
        paintPills(painter, content, y);
        painter.restore();
    }
}

void LogPainter::paintMargin(QPainter& painter, const LogRowContent& content, int y) const {
    painter.setFont(plainFont_);
    painter.setPen(theme_.text3);
    painter.drawText(QRect(0, y, geometry_.numberRight, geometry_.lineHeight),
                     Qt::AlignRight | Qt::AlignVCenter, counted(content.row.number + 1));
    if (hasSign(content)) {
        const bool error = content.line->level == log::Level::Error;
        const QPixmap sign = iconPixmap(error ? QStringLiteral("state-fail") : QStringLiteral("state-warn"),
                                        error ? theme_.fail.text : theme_.warn.text, signSize,
                                        painter.device()->devicePixelRatioF());
        painter.drawPixmap(geometry_.textLeft - signSpace, y + (geometry_.lineHeight - signSize) / 2, sign);
    }
    if (geometry_.nodeLeft == 0 || content.line == nullptr) {
        return;
    }
    const int node = content.line->node;
    painter.fillRect(QRect(geometry_.nodeLeft, y + 2, barWidth, heightOf(content) - 4),
                     styleAt(theme_, node).color);
    painter.setPen(theme_.text2);
    painter.drawText(QRect(geometry_.nodeLeft + barWidth + 6, y, geometry_.nodeWidth, geometry_.lineHeight),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     metrics_.elidedText(nodes_.value(node), Qt::ElideRight, geometry_.nodeWidth));
}

void LogPainter::paintText(QPainter& painter, const LogRowContent& content, int y) const {
    const std::vector<LogSpan> hits = matcher_.find(content.line->text);
    for (const LogSpan& piece : piecesOf(content)) {
        paintPiece(painter, content, piece, hits, y);
        y += geometry_.lineHeight;
    }
}

// The prefix has a colour of its own, but not on a coloured row or under a mark: it would not be legible.
void LogPainter::paintPiece(QPainter& painter, const LogRowContent& content, const LogSpan& piece,
                            const std::vector<LogSpan>& hits, int y) const {
    const QString text = content.line->text.mid(piece.begin, piece.length);
    const int left = geometry_.textLeft - geometry_.scrolled;
    for (const LogSpan& hit : hits) {
        const qsizetype from = std::max(hit.begin, piece.begin) - piece.begin;
        const qsizetype until = std::min(hit.begin + hit.length, piece.begin + piece.length) - piece.begin;
        if (until > from) {
            const int at = advance(text.left(from));
            painter.fillRect(QRect(left + at, y, advance(text.left(until)) - at, geometry_.lineHeight),
                             theme_.mark);
        }
    }
    const QPoint at(left, y + (geometry_.lineHeight - metrics_.height()) / 2 + metrics_.ascent());
    qsizetype own = 0;  // letters of the prefix
    if (content.line->prefix > 0 && !hasSign(content) && hits.empty() && !content.isSelected) {
        own = std::clamp<qsizetype>(content.line->prefix - piece.begin, 0, piece.length);
        painter.setPen(theme_.link);
        drawText(painter, at, text.left(own));
    }
    painter.setPen(hits.empty() ? lookOf(theme_, content).ink : theme_.text);
    drawText(painter, at + QPoint(advance(text.left(own)), 0), text.mid(own));
}

void LogPainter::paintPills(QPainter& painter, const LogRowContent& content, int y) const {
    const QStringList pills = pillsOf(content);
    for (int i = 0; i < pills.size(); ++i) {
        const QRectF pill = QRectF(pillAfter(content, i, y)).adjusted(0.5, 0.5, -0.5, -0.5);
        const bool open = i == 0 && content.row.isOpen;
        painter.fillRect(pill.adjusted(-pillGap, 0, pillGap, 0), lookOf(theme_, content).ground);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme_.border2, 1));
        painter.setBrush(open ? theme_.sel : theme_.panel);
        painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setFont(pillFont());
        painter.setPen(theme_.text2);
        painter.drawText(pill, Qt::AlignCenter, pills[i]);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setFont(font_);
}

void LogPainter::paintWarmup(QPainter& painter, const LogRowContent& content, int y) const {
    const QRect row(0, y, geometry_.width, geometry_.lineHeight);
    painter.fillRect(row, content.isSelected ? theme_.sel : theme_.header);
    painter.setPen(theme_.grid);
    painter.drawLine(row.topLeft(), row.topRight());
    painter.drawLine(row.bottomLeft(), row.bottomRight());
    painter.setFont(pillFont());
    painter.setPen(theme_.text2);
    const QString text =
        content.row.isOpen ? tr("%1 lines: warmup, not measured") : tr("%1 lines folded: warmup");
    painter.drawText(row.adjusted(geometry_.nodeLeft > 0 ? geometry_.nodeLeft : geometry_.textLeft, 0, 0, 0),
                     Qt::AlignLeft | Qt::AlignVCenter, text.arg(counted(content.row.lines)));
    painter.setFont(font_);
}

}  // namespace dlperf::ui
