// SPDX-License-Identifier: Apache-2.0
#include "ui/paper/pages.h"

#include <QAbstractTextDocumentLayout>
#include <QFontMetricsF>
#include <QPainter>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextLayout>
#include <QTextTable>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace dlperf::ui {
namespace {

// What stands one below the other on the pages: a paragraph or a whole table.
struct Piece {
    QTextBlock first;
    QTextTable* table = nullptr;
    [[nodiscard]] bool isHeading() const {
        return table == nullptr && first.blockFormat().headingLevel() > 0;
    }
};

std::vector<Piece> piecesOf(const QTextDocument& document) {
    std::vector<Piece> pieces;
    for (auto at = document.rootFrame()->begin(); !at.atEnd(); ++at) {
        if (auto* table = qobject_cast<QTextTable*>(at.currentFrame())) {
            pieces.push_back({table->firstCursorPosition().block(), table});
        } else if (at.currentBlock().isValid()) {
            pieces.push_back({at.currentBlock()});
        }
    }
    return pieces;
}

struct RowPlace {
    double top = std::numeric_limits<double>::infinity();
    double bottom = 0;
};

// Where the words of a table's row stand.
RowPlace rowOf(const QTextTable& table, int row, const QAbstractTextDocumentLayout& layout) {
    RowPlace place;
    for (int column = 0; column < table.columns(); ++column) {
        const QTextTableCell cell = table.cellAt(row, column);
        place.top = std::min(place.top, layout.blockBoundingRect(cell.firstCursorPosition().block()).top());
        place.bottom =
            std::max(place.bottom, layout.blockBoundingRect(cell.lastCursorPosition().block()).bottom());
    }
    return place;
}

// Where a page has to reach that is to hold the piece: a whole table, or the first line of a text.
double neededBottom(const Piece& piece, const QAbstractTextDocumentLayout& layout) {
    if (piece.table == nullptr) {
        const QTextLayout* lines = piece.first.layout();
        const double line = lines != nullptr && lines->lineCount() > 0 ? lines->lineAt(0).height() : 0;
        return layout.blockBoundingRect(piece.first).top() + line;
    }
    return rowOf(*piece.table, piece.table->rows() - 1, layout).bottom;
}

// Begins a page with this piece: a table says so in its frame's format, text in its block's.
void beginPageWith(const Piece& piece) {
    if (piece.table != nullptr) {
        QTextTableFormat format = piece.table->format();
        format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
        piece.table->setFormat(format);
    } else {
        QTextBlockFormat format;
        format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
        QTextCursor(piece.first).mergeBlockFormat(format);
    }
}

// A row that two pages would share begins on the second: room above its words takes them there.
void keepRowsWhole(QTextTable& table, const QAbstractTextDocumentLayout& layout, double pageHeight) {
    for (int row = 0; row < table.rows(); ++row) {
        const RowPlace place = rowOf(table, row, layout);
        const double end = (std::floor(place.top / pageHeight) + 1) * pageHeight;
        if (place.bottom <= end || place.bottom - place.top >= pageHeight) {
            continue;
        }
        for (int column = 0; column < table.columns(); ++column) {
            QTextTableCell cell = table.cellAt(row, column);
            QTextTableCellFormat lower = cell.format().toTableCellFormat();
            lower.setTopPadding(lower.topPadding() + end - place.top);
            cell.setFormat(lower);
        }
    }
}

// Headings stay with what they stand above, and a table that a page can hold stays on one page. Asks for
// positions from the first page on, so that each break moves only what is still to be looked at.
void keepTogether(const QTextDocument& document, double pageHeight) {
    constexpr double leadLines = 120;  // px of text that a heading has below it
    const QAbstractTextDocumentLayout& layout = *document.documentLayout();
    const auto top = [&](const Piece& piece) { return layout.blockBoundingRect(piece.first).top(); };
    const std::vector<Piece> pieces = piecesOf(document);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::size_t begin = i;
        const double from = top(pieces[begin]);
        while (i + 1 < pieces.size() &&
               (pieces[i].isHeading() ||
                (begin != i && pieces[i].table == nullptr &&
                 layout.blockBoundingRect(pieces[i].first).bottom() - from < leadLines))) {
            ++i;
        }
        const double to = neededBottom(pieces[i], layout);
        const bool crosses = std::floor(from / pageHeight) != std::floor((to - 1) / pageHeight);
        if (crosses && to - from < pageHeight && std::fmod(from, pageHeight) > 1) {
            beginPageWith(pieces[begin]);
        }
        if (QTextTable* table = pieces[i].table; table != nullptr && to - from >= pageHeight) {
            keepRowsWhole(*table, layout, pageHeight);
        }
    }
}

}  // namespace

void breakIntoPages(QTextDocument& document, const QSizeF& page) {
    document.setDocumentMargin(0);
    document.setPageSize(page);
    keepTogether(document, page.height());
}

QPageLayout paperLayout() {
    constexpr double margin = 18;  // mm
    return {QPageSize(QPageSize::A4), QPageLayout::Portrait, QMarginsF(margin, margin, margin, margin),
            QPageLayout::Millimeter};
}

QSizeF textArea(const QTextDocument& document) {
    const QRect between = paperLayout().paintRectPixels(paperResolution);
    const double lines = QFontMetricsF(document.defaultFont()).lineSpacing();
    return {double(between.width()), between.height() - 2 * lines};
}

void paintPage(QPainter& painter, QTextDocument& document, int page) {
    const QSizeF text = textArea(document);
    painter.save();
    painter.translate(0, -page * text.height());
    document.drawContents(&painter, QRectF(QPointF(0, page * text.height()), text));
    painter.restore();
    painter.setFont(document.defaultFont());
    painter.setPen(Qt::black);
    const QRectF footer(0, text.height(), text.width(),
                        paperLayout().paintRectPixels(paperResolution).height() - text.height());
    painter.drawText(footer, Qt::AlignRight | Qt::AlignBottom,
                     QStringLiteral("%1 / %2").arg(page + 1).arg(document.pageCount()));
}

}  // namespace dlperf::ui
