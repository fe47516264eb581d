// SPDX-License-Identifier: Apache-2.0
// Paints the rows of a log: number, node, sign of a level, text with what is found in it, pills. Knows what
// is where, so that a click finds it again.
#pragma once

#include <QColor>
#include <QCoreApplication>
#include <QFontMetrics>
#include <QRect>
#include <QStringList>
#include <vector>

#include "core/log/log_layout.h"
#include "ui/log/log_lines.h"
#include "ui/log/log_search.h"
#include "ui/theme/theme.h"

class QPainter;

namespace dlperf::ui {

// px, of a view of this width.
struct LogGeometry {
    int width = 0;
    int lineHeight = 0;
    double letter = 0;    // width of one of the ASCII letters
    int numberRight = 0;  // the numbers end here
    int nodeLeft = 0;     // the node's bar and name begin here; 0: one node, neither is shown
    int nodeWidth = 0;    // of the name
    int textLeft = 0;
    int scrolled = 0;  // to the right
    int columns = 0;   // letters before a line is broken; 0: never

    [[nodiscard]] static int heightOfLine();
    // `nodes` is empty where there is but one.
    LogGeometry(int width, std::uint64_t lines, const QStringList& nodes, bool wrap);
};

struct LogRowContent {
    log::Row row;
    const ShownLine* line = nullptr;  // nullptr while it is being read, and for a fold of the warmup
    bool isSelected = false;
};

class LogPainter {
    Q_DECLARE_TR_FUNCTIONS(LogPainter)

public:
    LogPainter(const LogGeometry& geometry, const QStringList& nodes, const LogMatcher& matcher);

    [[nodiscard]] int heightOf(const LogRowContent& content) const;
    // To the end of the row's text, from the left edge of the view and not scrolled.
    [[nodiscard]] int widthOf(const LogRowContent& content) const;
    // What opens and closes the fold, where the row has one.
    [[nodiscard]] QRect foldSign(const LogRowContent& content, int y) const;
    void paint(QPainter& painter, const LogRowContent& content, int y) const;

private:
    [[nodiscard]] std::vector<LogSpan> piecesOf(const LogRowContent& content) const;
    [[nodiscard]] QStringList pillsOf(const LogRowContent& content) const;
    [[nodiscard]] QRect pillAfter(const LogRowContent& content, int which, int y) const;
    [[nodiscard]] int textLeftOf(const LogRowContent& content) const;
    [[nodiscard]] int advance(const QString& text) const;
    void drawText(QPainter& painter, const QPoint& at, const QString& text) const;
    void paintMargin(QPainter& painter, const LogRowContent& content, int y) const;
    void paintText(QPainter& painter, const LogRowContent& content, int y) const;
    void paintPiece(QPainter& painter, const LogRowContent& content, const LogSpan& piece,
                    const std::vector<LogSpan>& hits, int y) const;
    void paintPills(QPainter& painter, const LogRowContent& content, int y) const;
    void paintWarmup(QPainter& painter, const LogRowContent& content, int y) const;

    const LogGeometry& geometry_;
    const QStringList& nodes_;
    const LogMatcher& matcher_;
    const Theme& theme_;
    QFont font_;
    QFont plainFont_;
    QFontMetrics metrics_;
};

}  // namespace dlperf::ui
