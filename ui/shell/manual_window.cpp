// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/manual_window.h"

#include <QDesktopServices>
#include <QFile>
#include <QHBoxLayout>
#include <QImage>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QScrollBar>
#include <QShortcut>
#include <QTextBlock>
#include <QTextTable>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <iterator>

#include "ui/theme/theme.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

// In the order in which a newcomer reads them.
constexpr std::array chapterNames{"first-run", "cluster",   "recipes", "comparison", "logs",
                                  "checks",    "diagnoses", "files",   "reference"};
constexpr QSize windowSize(980, 720);
constexpr int listWidth = 220;
constexpr int listMargin = 8;
constexpr int rowHeight = 30;
// Pixels around what stands on a page.
constexpr int headingGap = 20;
constexpr int paragraphGap = 8;
constexpr int blockGap = 12;
constexpr int cellGap = 5;

// "cluster.json" is "clusterjson" in links, as GitHub has it.
QString slugOf(const QString& heading) {
    QString slug;
    for (const QChar letter : heading.toLower()) {
        if (letter.isLetterOrNumber() || letter == QLatin1Char('-')) {
            slug += letter;
        } else if (letter == QLatin1Char(' ')) {
            slug += QLatin1Char('-');
        }
    }
    return slug;
}

// The first line of a chapter, "# First run".
QString titleOf(const QUrl& chapter) {
    QFile file(chapter.toLocalFile());
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readLine()).mid(2).trimmed() : QString();
}

// A plan and the command that runs it stand one below the other, and are two boxes.
bool isOneCode(const QTextBlock& line, const QTextBlock& next) {
    const QTextBlockFormat format = next.blockFormat();
    return format.hasProperty(QTextFormat::BlockCodeFence) &&
           format.property(QTextFormat::BlockCodeLanguage) ==
               line.blockFormat().property(QTextFormat::BlockCodeLanguage);
}

}  // namespace

void ManualPage::goTo(const QUrl& url) {
    QUrl page = url;
    page.setFragment({});
    if (source() != page) {
        setSource(page);
    }
    showHeading(url.fragment());
}

void ManualPage::showHeading(const QString& fragment) {
    if (fragment.isEmpty()) {
        return;
    }
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() > 0 && slugOf(block.text()) == fragment) {
            setTextCursor(QTextCursor(block));
            verticalScrollBar()->setValue(verticalScrollBar()->value() + cursorRect().top() -
                                          static_cast<int>(document()->documentMargin()));
            return;
        }
    }
}

QVariant ManualPage::loadResource(int type, const QUrl& name) {
    QVariant resource = QTextBrowser::loadResource(type, name);
    if (type != QTextDocument::ImageResource) {
        return resource;
    }
    const QImage image = resource.metaType().id() == QMetaType::QByteArray
                             ? QImage::fromData(resource.toByteArray())
                             : resource.value<QImage>();
    const int room = width() - verticalScrollBar()->sizeHint().width() -
                     2 * static_cast<int>(document()->documentMargin());
    return image.width() > room ? image.scaledToWidth(std::max(room, 1), Qt::SmoothTransformation) : image;
}

void ManualPage::doSetSource(const QUrl& url, QTextDocument::ResourceType type) {
    QTextBrowser::doSetSource(url, type);
    setBlocks();
    setTables();
}

// Another theme, or another size of the fonts.
void ManualPage::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        setBlocks();
        setTables();
    }
}

// Markdown says what a block is, and nothing of the room around it.
void ManualPage::setBlocks() {
    constexpr int linePercent = 130;
    QTextCursor cursor(document());
    cursor.beginEditBlock();
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        const bool isCode = block.blockFormat().hasProperty(QTextFormat::BlockCodeFence);
        const bool isHeading = block.blockFormat().headingLevel() > 0;
        const bool inTable = QTextCursor(block).currentTable() != nullptr;
        QTextBlockFormat format;
        format.setTopMargin(isHeading && block != document()->begin() ? headingGap : 0);
        format.setBottomMargin(isCode || inTable ? 0 : paragraphGap);
        if (isCode) {
            format.setBackground(currentTheme().header);
            format.setNonBreakableLines(false);
            format.setBottomMargin(isOneCode(block, block.next()) ? 0 : blockGap);
        } else {
            format.setLineHeight(linePercent, QTextBlockFormat::ProportionalHeight);
        }
        cursor.setPosition(block.position());
        cursor.mergeBlockFormat(format);
    }
    cursor.endEditBlock();
}

void ManualPage::setTables() {
    for (QTextFrame* frame : document()->rootFrame()->childFrames()) {
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            QTextTableFormat format = table->format();
            format.setCellPadding(cellGap);
            format.setCellSpacing(0);
            format.setBorder(0);
            format.setBottomMargin(blockGap);
            format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
            table->setFormat(format);
            for (int column = 0; column < table->columns(); ++column) {
                QTextTableCell cell = table->cellAt(0, column);
                QTextCharFormat head = cell.format();
                head.setBackground(currentTheme().header);
                cell.setFormat(head);
            }
        }
    }
}

ManualWindow::ManualWindow(const std::filesystem::path& folder, QWidget* parent)
    : QWidget(parent, Qt::Window),
      folder_(QString::fromStdString(folder.string())),
      chapters_(new QListWidget),
      page_(new ManualPage),
      back_(makeIconButton(QStringLiteral("left"), tr("Back (Alt+Left)"))) {
    setWindowTitle(tr("Manual"));
    resize(windowSize);
    QHBoxLayout* row = makeRow(this, {}, 0);
    QVBoxLayout* left = makeColumn(nullptr, {}, 0);
    left->setContentsMargins(listMargin, listMargin, listMargin, listMargin);
    left->addWidget(back_);
    left->addLayout(buildSearch());
    left->addWidget(chapters_, 1);
    row->addLayout(left);
    row->addWidget(page_, 1);
    chapters_->setFixedWidth(listWidth);
    chapters_->setFrameShape(QFrame::NoFrame);
    chapters_->viewport()->setAutoFillBackground(false);
    chapters_->setAccessibleName(tr("Chapters"));
    page_->setOpenLinks(false);
    page_->setFrameShape(QFrame::NoFrame);
    page_->document()->setDocumentMargin(dialogMargin);
    for (const char* name : chapterNames) {
        addChapter(QString::fromLatin1(name));
    }
    back_->setEnabled(false);
    connect(page_, &QTextBrowser::backwardAvailable, back_, &QWidget::setEnabled);
    connect(page_, &QTextBrowser::anchorClicked, this, &ManualWindow::follow);
    connect(back_, &QToolButton::clicked, page_, &QTextBrowser::backward);
    connect(new QShortcut(QKeySequence::Back, this), &QShortcut::activated, page_, &QTextBrowser::backward);
    connect(chapters_, &QListWidget::currentRowChanged, this, [this](int index) {
        if (index >= 0) {
            page_->goTo(urlOf(chapters_->item(index)->data(Qt::UserRole).toString()));
        }
    });
    connect(page_, &QTextBrowser::sourceChanged, this, [this](const QUrl& url) {
        for (int i = 0; i < chapters_->count(); ++i) {
            if (urlOf(chapters_->item(i)->data(Qt::UserRole).toString()) == url) {
                chapters_->setCurrentRow(i);
            }
        }
    });
}

QLayout* ManualWindow::buildSearch() {
    QVBoxLayout* column = makeColumn(nullptr, {}, 4);
    searched_ = makeFilterField(tr("Search the manual"));
    column->addWidget(searched_);
    QHBoxLayout* row = makeRow(nullptr, {}, 4);
    count_ = makeLabel({}, "secondary");
    row->addWidget(count_, 1);
    QToolButton* previous = makeIconButton(QStringLiteral("up"), tr("Previous hit (Shift+F3)"));
    QToolButton* next = makeIconButton(QStringLiteral("down"), tr("Next hit (F3)"));
    row->addWidget(previous);
    row->addWidget(next);
    column->addLayout(row);
    const auto go = [this](bool forward) { return [this, forward] { showHit(forward); }; };
    connect(searched_, &QLineEdit::textChanged, this, &ManualWindow::search);
    connect(searched_, &QLineEdit::returnPressed, this, go(true));
    connect(next, &QToolButton::clicked, this, go(true));
    connect(previous, &QToolButton::clicked, this, go(false));
    connect(new QShortcut(QKeySequence(Qt::Key_F3), this), &QShortcut::activated, this, go(true));
    connect(new QShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F3), this), &QShortcut::activated, this,
            go(false));
    connect(new QShortcut(QKeySequence::Find, this), &QShortcut::activated, this, [this] {
        searched_->setFocus(Qt::ShortcutFocusReason);
        searched_->selectAll();
    });
    return column;
}

// In all chapters.
void ManualWindow::search() {
    hits_.clear();
    const QString wanted = searched_->text();
    for (int i = static_cast<int>(texts_.size()); i < chapters_->count(); ++i) {  // once
        QFile file(urlOf(chapters_->item(i)->data(Qt::UserRole).toString()).toLocalFile());
        QTextDocument chapter;
        chapter.setMarkdown(file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString());
        texts_.push_back(chapter.toPlainText());
    }
    for (std::size_t i = 0; i < texts_.size() && !wanted.isEmpty(); ++i) {
        for (qsizetype at = 0; (at = texts_[i].indexOf(wanted, at, Qt::CaseInsensitive)) >= 0;
             at += wanted.size()) {
            hits_.push_back({static_cast<int>(i), static_cast<int>(at)});
        }
    }
    showCount(0);
}

// The next one from where the page's cursor is, or the one before; after the last comes the first.
void ManualWindow::showHit(bool forward) {
    if (hits_.empty()) {
        return;
    }
    const Hit here{chapters_->currentRow(), page_->textCursor().selectionStart()};
    const bool stands = page_->textCursor().hasSelection();
    auto hit = !forward ? std::ranges::lower_bound(hits_, here)
               : stands ? std::ranges::upper_bound(hits_, here)
                        : std::ranges::lower_bound(hits_, here);
    if (!forward) {
        hit = std::prev(hit == hits_.begin() ? hits_.end() : hit);
    } else if (hit == hits_.end()) {
        hit = hits_.begin();
    }
    page_->goTo(urlOf(chapters_->item(hit->chapter)->data(Qt::UserRole).toString()));
    QTextCursor cursor(page_->document());
    cursor.setPosition(hit->position);
    cursor.setPosition(hit->position + static_cast<int>(searched_->text().size()), QTextCursor::KeepAnchor);
    page_->setTextCursor(cursor);
    showCount(hit - hits_.begin() + 1);
}

void ManualWindow::showCount(qsizetype current) {
    const auto hits = static_cast<qsizetype>(hits_.size());
    count_->setText(searched_->text().isEmpty() ? QString()
                    : current > 0               ? tr("%1 of %2").arg(current).arg(hits)
                    : hits == 1                 ? tr("1 hit")
                                                : tr("%1 hits").arg(hits));
}

void ManualWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !searched_->text().isEmpty()) {
        searched_->clear();
    } else if (event->key() == Qt::Key_Escape) {
        close();
    } else {
        QWidget::keyPressEvent(event);
    }
}

void ManualWindow::addChapter(const QString& name) {
    auto* item = new QListWidgetItem(titleOf(urlOf(name)));
    item->setData(Qt::UserRole, name);
    item->setSizeHint({0, rowHeight});
    chapters_->addItem(item);
}

void ManualWindow::showChapter(const QString& name) {
    page_->goTo(urlOf(name));
}

QString ManualWindow::chapter() const {
    const QListWidgetItem* item = chapters_->currentItem();
    return item != nullptr ? item->data(Qt::UserRole).toString() : QString();
}

// Translated, or in English.
QUrl ManualWindow::urlOf(const QString& chapter) const {
    const QString own =
        folder_ + QLatin1Char('/') + QLocale().name() + QLatin1Char('/') + chapter + QStringLiteral(".md");
    return QUrl::fromLocalFile(
        QFile::exists(own) ? own : folder_ + QStringLiteral("/en/") + chapter + QStringLiteral(".md"));
}

// Chapters here, all else in the browser.
void ManualWindow::follow(const QUrl& link) {
    const QUrl target = page_->source().resolved(link);
    if (!target.isLocalFile()) {
        QDesktopServices::openUrl(target);
        return;
    }
    QUrl chapter = urlOf(target.fileName().chopped(3));  // ".md"
    chapter.setFragment(target.fragment());
    page_->goTo(chapter);
}

}  // namespace dlperf::ui
