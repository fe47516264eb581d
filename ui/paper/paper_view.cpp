// SPDX-License-Identifier: Apache-2.0
#include "ui/paper/paper_view.h"

#include <QAbstractTextDocumentLayout>
#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextDocumentFragment>
#include <QTextLayout>
#include <algorithm>
#include <cmath>

#include "ui/paper/pages.h"
#include "ui/theme/theme.h"

namespace dlperf::ui {
namespace {

constexpr int gap = 12;  // px around and between the sheets
constexpr int lineStep = 40;
constexpr std::size_t mostPictures = 4;
constexpr double mostPixels = 10e6;  // of a picture; a larger page is painted anew each time

QSizeF sheetSize() {
    return paperLayout().fullRectPixels(paperResolution).size();
}

QPointF marginCorner() {
    return paperLayout().paintRectPixels(paperResolution).topLeft();
}

// Without what stands for pictures, and without the blanks of no width that let long words be broken.
QString cleanText(QString text) {
    text.remove(QChar(0x200B));
    text.remove(QChar(QChar::ObjectReplacementCharacter));
    return text;
}

}  // namespace

PaperView::PaperView(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);  // else the pages' width depends on their number
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setCursor(Qt::IBeamCursor);
    viewport()->setProperty("kind", "desk");
    verticalScrollBar()->setSingleStep(lineStep);
}

void PaperView::setDocument(std::shared_ptr<QTextDocument> document) {
    const int place = verticalScrollBar()->value();
    document_ = std::move(document);
    selection_ = document_ ? QTextCursor(document_.get()) : QTextCursor();
    measure();
    verticalScrollBar()->setValue(place);
    told_ = {-1, -1};
    tellPage();
}

int PaperView::pageCount() const {
    return document_ ? document_->pageCount() : 0;
}

double PaperView::pageStep() const {
    return sheetSize().height() * zoom_ + gap;
}

QRect PaperView::sheet(int page) const {
    const QSizeF size = sheetSize() * zoom_;
    const double left = std::max<double>(gap, (viewport()->width() - size.width()) / 2);
    return QRectF(left - horizontalScrollBar()->value(),
                  gap + page * pageStep() - verticalScrollBar()->value(), size.width(), size.height())
        .toRect();
}

int PaperView::currentPage() const {
    const double middle = verticalScrollBar()->value() + viewport()->height() / 2.0;
    return std::clamp(static_cast<int>(middle / pageStep()), 0, std::max(0, pageCount() - 1));
}

void PaperView::goToPage(int page) {
    verticalScrollBar()->setValue(static_cast<int>(std::lround(page * pageStep())));
}

bool PaperView::goTo(const QString& id) {
    constexpr double above = 60;  // px of the paper that stay in sight above it
    if (!document_) {
        return false;
    }
    for (QTextBlock block = document_->begin(); block.isValid(); block = block.next()) {
        if (block.charFormat().anchorNames().contains(id)) {
            const double y = document_->documentLayout()->blockBoundingRect(block).top();
            const double height = textArea(*document_).height();
            const int page = static_cast<int>(y / height);
            const double onSheet = marginCorner().y() + y - page * height;
            verticalScrollBar()->setValue(
                static_cast<int>(page * pageStep() + std::max(0.0, onSheet - above) * zoom_));
            return true;
        }
    }
    return false;
}

void PaperView::fit(Fit fit) {
    fit_ = fit;
    measure();
}

void PaperView::setZoom(double zoom) {
    fit_ = Fit::None;
    zoom_ = zoom;
    measure();
}

// Zoom and scroll bars for the room there is; the place in the document stays.
void PaperView::measure() {
    const double step = pageStep();
    const double place = verticalScrollBar()->value() / step;
    const QSizeF paper = sheetSize();
    if (fit_ != Fit::None) {
        zoom_ = (viewport()->width() - 2 * gap) / paper.width();
    }
    if (fit_ == Fit::Page) {
        zoom_ = std::min(zoom_, (viewport()->height() - 2 * gap) / paper.height());
    }
    constexpr double smallest = 0.1;
    zoom_ = std::max(zoom_, smallest);
    const int height = gap + static_cast<int>(std::ceil(pageCount() * pageStep()));
    constexpr double rounding = 1e-6;  // a page that was fitted is no wider than its room
    const int width = static_cast<int>(std::ceil(paper.width() * zoom_ - rounding)) + 2 * gap;
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    horizontalScrollBar()->setRange(0, std::max(0, width - viewport()->width()));
    horizontalScrollBar()->setPageStep(viewport()->width());
    verticalScrollBar()->setValue(static_cast<int>(std::lround(place * pageStep())));
    pictures_.clear();
    viewport()->update();
    tellPage();
}

void PaperView::tellPage() {
    const QPoint now(currentPage(), pageCount());
    if (now == told_ || !document_) {
        return;
    }
    told_ = now;
    emit pageChanged(now.x(), now.y());
    if (QAccessible::isActive()) {
        setAccessibleDescription(textOf(now.x()));
    }
}

// What a screen reader reads of a page.
QString PaperView::textOf(int page) const {
    QStringList lines;
    const double height = textArea(*document_).height();
    for (QTextBlock block = document_->begin(); block.isValid(); block = block.next()) {
        const double top = document_->documentLayout()->blockBoundingRect(block).top();
        if (static_cast<int>(top / height) == page && !block.text().isEmpty()) {
            lines << cleanText(block.text());
        }
    }
    return lines.join(QLatin1Char('\n'));
}

void PaperView::resizeEvent(QResizeEvent*) {
    measure();
}

void PaperView::scrollContentsBy(int, int) {
    viewport()->update();
    tellPage();
}

void PaperView::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::PaletteChange) {
        viewport()->update();
    }
}

const QPixmap& PaperView::picture(int page) {
    if (const auto found = pictures_.find(page); found != pictures_.end()) {
        return found->second;
    }
    if (pictures_.size() >= mostPictures) {
        pictures_.clear();
    }
    const double dense = devicePixelRatioF();
    QPixmap picture((sheetSize() * zoom_ * dense).toSize());
    picture.setDevicePixelRatio(dense);
    picture.fill(Qt::white);
    QPainter painter(&picture);
    paintSheet(painter, page);
    return pictures_.emplace(page, std::move(picture)).first->second;
}

// With the sheet's corner at (0, 0).
void PaperView::paintSheet(QPainter& painter, int page) {
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing |
                           QPainter::SmoothPixmapTransform);
    painter.scale(zoom_, zoom_);
    painter.translate(marginCorner());
    paintPage(painter, *document_, page);
}

void PaperView::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.fillRect(event->rect(), currentTheme().paper);
    for (int page = 0; page < pageCount(); ++page) {
        const QRect place = sheet(page);
        if (!place.intersects(event->rect())) {
            continue;
        }
        const double dense = devicePixelRatioF();
        if (place.width() * dense * place.height() * dense > mostPixels) {
            painter.fillRect(place, Qt::white);
            painter.save();
            painter.translate(place.topLeft());
            paintSheet(painter, page);
            painter.restore();
        } else {
            painter.drawPixmap(place.topLeft(), picture(page));
        }
        painter.setPen(currentTheme().border2);
        painter.drawRect(QRectF(place).adjusted(-0.5, -0.5, 0.5, 0.5));
        paintSelection(painter, page);
    }
}

// Behind what is selected on the page, line by line.
void PaperView::paintSelection(QPainter& painter, int page) const {
    constexpr int shade = 70;  // of 255
    if (!selection_.hasSelection()) {
        return;
    }
    const QAbstractTextDocumentLayout& layout = *document_->documentLayout();
    const QSizeF text = textArea(*document_);
    const QRectF sight(0, page * text.height(), text.width(), text.height());
    QColor colour = currentTheme().accent;
    colour.setAlpha(shade);
    painter.save();
    painter.translate(sheet(page).topLeft());
    painter.scale(zoom_, zoom_);
    painter.translate(marginCorner() - sight.topLeft());
    painter.setClipRect(sight);
    for (QTextBlock block = document_->findBlock(selection_.selectionStart());
         block.isValid() && block.position() < selection_.selectionEnd(); block = block.next()) {
        const QRectF place = layout.blockBoundingRect(block);
        if (block.layout() == nullptr || !place.intersects(sight)) {
            continue;
        }
        const int from = selection_.selectionStart() - block.position();
        const int to = selection_.selectionEnd() - block.position();
        for (int i = 0; i < block.layout()->lineCount(); ++i) {
            const QTextLine line = block.layout()->lineAt(i);
            const double left = line.cursorToX(std::max(from, line.textStart()));
            const double right = line.cursorToX(std::min(to, line.textStart() + line.textLength()));
            if (right > left) {
                painter.fillRect(
                    QRectF(left, line.y(), right - left, line.height())
                        .translated(place.topLeft() + line.position() - QPointF(line.x(), line.y())),
                    colour);
            }
        }
    }
    painter.restore();
}

// The place in the document's text that is nearest to a point of the viewport.
int PaperView::positionAt(const QPoint& point) const {
    if (!document_) {
        return 0;
    }
    const double y = point.y() + verticalScrollBar()->value() - gap;
    const int page = std::clamp(static_cast<int>(y / pageStep()), 0, std::max(0, pageCount() - 1));
    const QSizeF text = textArea(*document_);
    const QPointF onText = QPointF(point - sheet(page).topLeft()) / zoom_ - marginCorner();
    const QPointF inside(std::clamp(onText.x(), 0.0, text.width()),
                         std::clamp(onText.y(), 0.0, text.height() - 1));
    return std::max(
        0, document_->documentLayout()->hitTest(inside + QPointF(0, page * text.height()), Qt::FuzzyHit));
}

void PaperView::select(int anchor, int position) {
    if (!document_) {
        return;
    }
    selection_.setPosition(anchor);
    selection_.setPosition(position, QTextCursor::KeepAnchor);
    viewport()->update();
}

void PaperView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        const int at = positionAt(event->pos());
        const bool extends = event->modifiers().testFlag(Qt::ShiftModifier) && document_;
        select(extends ? selection_.anchor() : at, at);
    }
}

void PaperView::mouseMoveEvent(QMouseEvent* event) {
    if (!event->buttons().testFlag(Qt::LeftButton) || !document_) {
        return;
    }
    const int y = event->pos().y();
    if (y < 0 || y > viewport()->height()) {
        verticalScrollBar()->setValue(verticalScrollBar()->value() + (y < 0 ? y : y - viewport()->height()));
    }
    select(selection_.anchor(), positionAt(event->pos()));
}

void PaperView::mouseDoubleClickEvent(QMouseEvent* event) {
    select(positionAt(event->pos()), positionAt(event->pos()));
    if (document_) {
        selection_.select(QTextCursor::WordUnderCursor);
    }
}

QString PaperView::selectedText() const {
    return document_ ? cleanText(selection_.selection().toPlainText()) : QString();
}

void PaperView::selectAll() {
    if (document_) {
        selection_.select(QTextCursor::Document);
        viewport()->update();
    }
}

void PaperView::copy() const {
    if (!selectedText().isEmpty()) {
        auto mime = std::make_unique<QMimeData>();
        mime->setText(selectedText());
        mime->setHtml(cleanText(selection_.selection().toHtml()));
        QApplication::clipboard()->setMimeData(mime.release());
    }
}

void PaperView::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    QAction* copying = menu.addAction(tr("Copy"), QKeySequence::Copy, this, &PaperView::copy);
    copying->setEnabled(!selectedText().isEmpty());
    menu.addAction(tr("Select all"), QKeySequence::SelectAll, this, &PaperView::selectAll);
    menu.exec(event->globalPos());
}

void PaperView::wheelEvent(QWheelEvent* event) {
    if (event->modifiers().testFlag(Qt::ControlModifier) && event->angleDelta().y() != 0) {
        emit zoomAsked(event->angleDelta().y() > 0 ? 1 : -1);
        event->accept();
        return;
    }
    QAbstractScrollArea::wheelEvent(event);
}

void PaperView::keyPressEvent(QKeyEvent* event) {
    if (event == QKeySequence::Copy) {
        copy();
    } else if (event == QKeySequence::SelectAll) {
        selectAll();
    } else if (event->key() == Qt::Key_Home) {
        goToPage(0);
    } else if (event->key() == Qt::Key_End) {
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    } else {
        QAbstractScrollArea::keyPressEvent(event);
    }
}

}  // namespace dlperf::ui
