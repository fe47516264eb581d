// SPDX-License-Identifier: Apache-2.0
// Shows a log of any size: only the visible lines are read and painted.
#pragma once

#include <QAbstractScrollArea>
#include <memory>
#include <vector>

#include "ui/session/log_file.h"

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

    // Marks the text in visible lines; hits are the lines that hold it.
    void setSearch(const QString& text, std::vector<std::size_t> hits);
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
    void paintLine(QPainter& painter, std::size_t number, int y, int gutter);
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
    QStringList read_;  // the lines that are painted now
    std::size_t readFirst_ = 0;
    int widest_ = 0;  // px, of the lines seen so far
    bool following_ = true;
    QString search_;
    std::vector<std::size_t> hits_;
    std::size_t currentHit_ = 0;
    std::size_t anchor_ = 0;  // selected lines: from anchor to caret
    std::size_t caret_ = 0;
    bool hasSelection_ = false;
};

}  // namespace dlperf::ui
