// SPDX-License-Identifier: Apache-2.0
// Shows a log of any size: only the visible lines are read and painted.
#pragma once

#include <QAbstractScrollArea>
#include <memory>
#include <optional>
#include <vector>

#include "ui/session/log_file.h"
#include "ui/widgets/log_query.h"
#include "ui/widgets/log_spans.h"

class QPainter;

namespace dlperf::ui {

class LogView final : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit LogView(QWidget* parent = nullptr);

    void setLog(std::shared_ptr<LogFile> log);
    // The log has grown.
    void refresh();

    void setFollowing(bool following);
    [[nodiscard]] bool isFollowing() const { return following_; }

    // Names of the nodes, in order: lines that begin with one are told apart.
    void setNodes(const QStringList& nodes);
    // Marks in visible lines what is searched for; hits are the lines that hold it, in order.
    void setSearch(const LogQuery& query, std::vector<std::size_t> hits);
    // Shows the hits alone, as long as something is searched for. What is copied is what is shown.
    void setFiltered(bool filtered);
    // The next or previous hit from the current one; returns its position from 1, or 0 without hits.
    std::size_t goToHit(bool forward);
    [[nodiscard]] QString selectedText() const;

signals:
    // Scrolling up stops following, the end takes it up again.
    void followingChanged(bool following);
    // The selection is too long for a clipboard; so many of its lines were copied.
    void copyCut(std::size_t lines);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    // A visible line, with what its text says worked out once.
    struct Shown {
        std::size_t number = 0;  // in the log, from 0
        QString text;
        LogLevel level = LogLevel::Plain;
        std::optional<LogPrefix> prefix;
        std::vector<LogSpan> hits;
    };

    void paintNumbers(QPainter& painter, int gutter);
    void paintNothing(QPainter& painter);
    void paintLine(QPainter& painter, const Shown& line, int y, int gutter);
    void paintText(QPainter& painter, const Shown& line, const QPoint& at, const QColor& ink) const;
    [[nodiscard]] bool isSelected(std::size_t line) const;
    [[nodiscard]] bool showsHitsOnly() const { return filtered_ && !query_.text.isEmpty(); }
    // Rows are what is shown: all lines, or the hits.
    [[nodiscard]] std::size_t rowCount() const { return showsHitsOnly() ? hits_.size() : lines_; }
    [[nodiscard]] std::size_t lineOfRow(std::size_t row) const;
    [[nodiscard]] std::size_t rowOfLine(std::size_t line) const;
    void forgetRead();
    void readVisible(std::size_t first, std::size_t count);
    [[nodiscard]] LogFile::Text selection() const;
    void copySelection();
    void updateBars();
    void noteUserScroll();
    [[nodiscard]] int lineHeight() const;
    [[nodiscard]] std::size_t lineAt(int y) const;
    [[nodiscard]] int visibleLines() const;

    std::shared_ptr<LogFile> log_;
    std::size_t lines_ = 0;
    std::vector<Shown> read_;  // the lines that are painted now
    std::size_t readFirst_ = 0;
    int widest_ = 0;  // px, of the lines seen so far
    bool following_ = true;
    LogQuery query_;
    LogMatcher matcher_;
    bool filtered_ = false;
    QStringList nodes_;
    std::vector<std::size_t> hits_;
    std::size_t currentHit_ = 0;
    std::size_t anchor_ = 0;  // selected lines: from anchor to caret
    std::size_t caret_ = 0;
    bool hasSelection_ = false;
};

}  // namespace dlperf::ui
