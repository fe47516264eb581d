// SPDX-License-Identifier: Apache-2.0
// A report's pages as sheets of paper below each other: the same that the PDF holds. Text is selected with
// the mouse and copied; Ctrl and the wheel zoom.
#pragma once

#include <QAbstractScrollArea>
#include <QPixmap>
#include <QTextCursor>
#include <map>
#include <memory>

class QTextDocument;

namespace dlperf::ui {

class PaperView final : public QAbstractScrollArea {
    Q_OBJECT

public:
    enum class Fit { Width, Page, None };

    explicit PaperView(QWidget* parent = nullptr);

    // Broken into pages by textArea(). The place in the document stays where it can.
    void setDocument(std::shared_ptr<QTextDocument> document);

    [[nodiscard]] int pageCount() const;
    [[nodiscard]] int currentPage() const;  // from 0: the one that fills most of the view
    void goToPage(int page);
    // To the element of this id; false where there is none.
    bool goTo(const QString& id);

    void fit(Fit fit);
    void setZoom(double zoom);  // 1: as large as on paper at 96 dpi
    [[nodiscard]] double zoom() const { return zoom_; }

    [[nodiscard]] QString selectedText() const;
    void selectAll();
    void copy() const;

signals:
    void pageChanged(int page, int pages);
    void zoomAsked(int steps);  // by the wheel: larger or smaller

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QRect sheet(int page) const;  // on the viewport
    [[nodiscard]] double pageStep() const;      // px from one sheet to the next
    [[nodiscard]] int positionAt(const QPoint& point) const;
    [[nodiscard]] const QPixmap& picture(int page);
    void paintSheet(QPainter& painter, int page);
    void paintSelection(QPainter& painter, int page) const;
    void select(int anchor, int position);
    void measure();
    void tellPage();
    [[nodiscard]] QString textOf(int page) const;

    std::shared_ptr<QTextDocument> document_;
    std::map<int, QPixmap> pictures_;  // of the pages in sight
    QTextCursor selection_;
    QPoint told_;  // page and number of pages, as pageChanged() said last
    Fit fit_ = Fit::Width;
    double zoom_ = 1;
};

}  // namespace dlperf::ui
