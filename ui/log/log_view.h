// SPDX-License-Identifier: Apache-2.0
// Shows a log of any size: only the visible rows are read, on another thread, and painted. Lines that say the
// same and the warmup stand folded; a click or Enter opens and closes a fold. What is copied are the
// selected lines, those of closed folds too.
#pragma once

#include <QAbstractScrollArea>
#include <QCoreApplication>
#include <QFontMetrics>
#include <QRect>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "core/log/log_book.h"
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

    [[nodiscard]] static int heightOfLine() { return QFontMetrics(monoFont()).height() + 4; }
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

class LogView final : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit LogView(const LogSearch& search, QWidget* parent = nullptr);

    void setBook(std::shared_ptr<const log::LogBook> book);
    // What stands in place of a log without a line.
    void setNothing(const QString& text);
    [[nodiscard]] const QString& nothing() const { return nothing_; }
    void refresh();
    void searchChanged();

    void setFollowing(bool following);
    [[nodiscard]] bool isFollowing() const { return following_; }
    void setWrapped(bool wrapped);
    void setFiltered(bool filtered);
    // The folds that the user opened.
    [[nodiscard]] const log::Opened& opened() const { return opened_; }
    void open(log::Opened folds);

    // Brings the line to the middle and selects it; opens the fold of the warmup that hides it.
    void goTo(std::uint64_t number);
    // The line at the top, of a fold its first one; nothing without lines.
    [[nodiscard]] std::optional<std::uint64_t> topLine() const;
    // Selects nothing and stops following, as scrolling does.
    void scrollToLine(std::uint64_t number);
    // The next or previous hit from the current line; returns its position from 1, or 0 without hits.
    std::size_t goToHit(bool forward);
    void goToLevel(log::Level level);

    // Every line is read that a paint of now would show.
    [[nodiscard]] bool isComplete() const;

signals:
    // Scrolling up stops following, the end takes it up again.
    void followingChanged(bool following);
    void copying();
    // The selection is in the clipboard, or as many of its lines as it takes.
    void copied(std::size_t lines, bool all);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int /*dx*/, int /*dy*/) override { viewport()->update(); }
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    struct Painted {
        log::Row row;
        int y = 0;
        int height = 0;
    };
    [[nodiscard]] bool showsHitsOnly() const { return filtered_ && !search_.query().text.isEmpty(); }
    [[nodiscard]] std::uint64_t rowCount() const { return showsHitsOnly() ? search_.hits().size() : rows_; }
    [[nodiscard]] std::vector<log::Row> rowsFrom(std::uint64_t first, std::uint64_t count) const;
    [[nodiscard]] std::uint64_t rowOfLine(std::uint64_t number) const;
    [[nodiscard]] std::uint64_t topRow() const;
    [[nodiscard]] LogGeometry geometry() const;
    [[nodiscard]] LogRowContent contentOf(const log::Row& row) const;
    [[nodiscard]] int visibleRows() const;
    [[nodiscard]] std::uint64_t lastTop() const;
    bool wantAround(std::uint64_t first);
    void takeGrowth();
    void takeLines();
    void updateBars();
    void noteUserScroll();
    void scrollToRow(std::uint64_t row);
    void paintNothing(QPainter& painter) const;
    [[nodiscard]] const Painted* paintedAt(int y) const;
    void select(std::uint64_t number, bool extend);
    void moveCaret(int rows, bool extend);
    void selectAll();
    void toggleFold(const log::Row& row);
    void toggleFoldAtCaret();
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> selected() const;
    void copySelection();
    void takeCopied(const QString& text, std::size_t lines, bool all);
    bool pressKey(const QKeyEvent& event);

    const LogSearch& search_;
    std::shared_ptr<const log::LogBook> book_;
    LogLines* lines_;
    LogMatcher matcher_;
    QString nothing_;
    QStringList nodes_;  // empty where there is but one
    log::Opened opened_;
    std::uint64_t rows_ = 0;  // of the layout, as far as it is shown
    std::uint64_t lineCount_ = 0;
    bool growthWaits_ = false;      // for the lines at the end, so that none is painted empty first
    std::vector<Painted> painted_;  // top down
    int widest_ = 0;                // px, of the lines seen so far
    bool following_ = true;
    bool wrapped_ = false;
    bool filtered_ = false;
    std::optional<std::uint64_t> current_;  // the line that was gone to last
    std::uint64_t anchor_ = 0;              // selected lines: from anchor to caret
    std::uint64_t caret_ = 0;
    bool hasSelection_ = false;
    bool copying_ = false;
};

}  // namespace dlperf::ui
