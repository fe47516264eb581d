// SPDX-License-Identifier: Apache-2.0
// Shows a log of any size: only the visible rows are read, on another thread, and painted. Lines that say the
// same and the warmup stand folded; a click or Enter opens and closes a fold. What is copied are the
// selected lines, those of closed folds too.
#pragma once

#include <QAbstractScrollArea>
#include <memory>
#include <optional>
#include <vector>

#include "core/log/log_book.h"
#include "ui/log/log_lines.h"
#include "ui/log/log_painter.h"
#include "ui/log/log_search.h"

namespace dlperf::ui {

class LogSearch;

class LogView final : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit LogView(const LogSearch& search, QWidget* parent = nullptr);

    void setBook(std::shared_ptr<const log::LogBook> book);
    // The log has grown.
    void refresh();
    // The search's question or hits are others.
    void searchChanged();

    void setFollowing(bool following);
    [[nodiscard]] bool isFollowing() const { return following_; }
    // Breaks lines that are wider than the view.
    void setWrapped(bool wrapped);
    // Shows the hits alone, as long as something is searched for.
    void setFiltered(bool filtered);

    // Brings the line to the middle and selects it; opens the fold of the warmup that hides it.
    void goTo(std::uint64_t number);
    // The next or previous hit from the current line; returns its position from 1, or 0 without hits.
    std::size_t goToHit(bool forward);
    // The next warning or error.
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
    void scrollContentsBy(int dx, int dy) override;
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
    [[nodiscard]] bool showsHitsOnly() const;
    [[nodiscard]] std::uint64_t rowCount() const;
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
