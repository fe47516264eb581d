// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/parts.h"

#include <QClipboard>
#include <QEvent>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>

#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/series_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided.h"

namespace dlperf::ui {
namespace {

constexpr int headerHeight = 38;
constexpr int headPadding = 12;
constexpr int leastNumberField = 56;  // px

Ink inkOf(const char* state) {
    const QLatin1String name(state);
    if (name == QLatin1String("ok")) {
        return Ink::Ok;
    }
    if (name == QLatin1String("warn")) {
        return Ink::Warn;
    }
    if (name == QLatin1String("fail")) {
        return Ink::Fail;
    }
    return name == QLatin1String("info") ? Ink::Info : Ink::Text2;
}

class IconLabel final : public QLabel {
public:
    IconLabel(QString name, Ink ink, int size) : name_(std::move(name)), ink_(ink), size_(size) {
        setFixedSize(size, size);
        applyTheme();
    }

protected:
    void changeEvent(QEvent* event) override {
        QLabel::changeEvent(event);
        if (event->type() == QEvent::PaletteChange && look_ != currentLook()) {
            applyTheme();
        }
    }

private:
    void applyTheme() {
        look_ = currentLook();
        setPixmap(iconPixmap(name_, inkColor(*look_.theme, ink_), size_, devicePixelRatioF()));
    }

    QString name_;
    Ink ink_;
    int size_;
    Look look_;
};

Ink buttonInk(const char* kind) {
    if (kind != nullptr && QLatin1String(kind) == QLatin1String("primary")) {
        return Ink::OnAccent;
    }
    return kind != nullptr && QLatin1String(kind) == QLatin1String("destructive") ? Ink::Fail : Ink::Text;
}

class WidthKeeper final : public QObject {
public:
    WidthKeeper(QWidget* widget, int px) : QObject(widget), widget_(widget), px_(px) {
        widget_->installEventFilter(this);
        keep();
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange) {
            keep();
        }
        return QObject::eventFilter(watched, event);
    }

private:
    void keep() { widget_->setFixedWidth(scaled(px_)); }

    QWidget* widget_;
    int px_;
};

QHBoxLayout* makeHead(QFrame* row) {
    row->setFixedHeight(headerHeight);
    return makeRow(row, {headPadding, 0, headPadding, 0}, 8);
}

template <class Layout>
Layout* makeLayout(QWidget* host, const QMargins& margins, int spacing) {
    auto* layout = host != nullptr ? new Layout(host) : new Layout;
    layout->setContentsMargins(margins);
    if (spacing >= 0) {
        layout->setSpacing(spacing);
    }
    return layout;
}

void dropIcons(const QList<QAbstractButton*>& buttons) {
    for (QAbstractButton* button : buttons) {
        button->setIcon({});
    }
}

}  // namespace

QLabel* makeLabel(const QString& text, const char* kind) {
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    if (kind != nullptr) {
        label->setProperty("kind", QLatin1String(kind));
        if (qstrcmp(kind, "mono") == 0 || qstrcmp(kind, "codebox") == 0) {
            label->setFont(monoFont());  // the style sheet sets the family, but cannot part letters
        }
    }
    return label;
}

QLabel* makeText(const QString& text, const char* kind) {
    QLabel* label = makeLabel(text, kind);
    label->setWordWrap(true);
    return label;
}

QLabel* makeIcon(const QString& name, const char* state, int size) {
    return new IconLabel(name, inkOf(state), size);
}

QFrame* makeStateTag(const QString& text, const char* state) {
    auto* tag = new QFrame;
    tag->setProperty("kind", "statetag");
    tag->setProperty("state", state);
    tag->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    QHBoxLayout* row = makeRow(tag, {6, 2, 6, 2}, 4);
    row->addWidget(makeIcon(QStringLiteral("state-") + QLatin1String(state), state, 12));
    QLabel* word = makeLabel(text, "tagword");
    setState(word, state);
    row->addWidget(word);
    return tag;
}

QVBoxLayout* makeDialogColumn(QDialog* dialog) {
    return makeColumn(dialog, {dialogMargin, dialogMargin, dialogMargin, dialogMargin}, dialogSpacing);
}

QDialogButtonBox* makeDialogButtons(QDialogButtonBox::StandardButtons standard, QDialog* dialog) {
    auto* box = new QDialogButtonBox(standard, dialog);
    dropIcons(box->buttons());
    QObject::connect(box, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
    QObject::connect(box, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    return box;
}

QMessageBox* makeMessage(const QString& title, const QString& text, QMessageBox::StandardButtons standard,
                         QWidget* parent) {
    auto* message = new QMessageBox(QMessageBox::NoIcon, title, text, standard, parent);
    message->setAttribute(Qt::WA_DeleteOnClose);
    message->setTextFormat(Qt::PlainText);
    dropIcons(message->buttons());
    return message;
}

void askForFile(QWidget* parent, const QString& title, const QString& kinds, const UsePath& use) {
    if (const QString file = QFileDialog::getOpenFileName(parent, title, {}, kinds); !file.isEmpty()) {
        use(file.toStdString());
    }
}

void askForFolder(QWidget* parent, const QString& title, const UsePath& use) {
    if (const QString folder = QFileDialog::getExistingDirectory(parent, title); !folder.isEmpty()) {
        use(folder.toStdString());
    }
}

QPushButton* makeButton(const QString& text, const QString& iconName, const char* kind) {
    auto* button = new QPushButton(text);
    button->setAutoDefault(false);
    if (kind != nullptr) {
        button->setProperty("kind", QLatin1String(kind));
    }
    if (!iconName.isEmpty()) {
        button->setIcon(icon(iconName, buttonInk(kind)));
        button->setIconSize(QSize(20, 16));
    }
    return button;
}

QPushButton* makeSmallButton(const QString& text, const QString& iconName, const char* kind) {
    QPushButton* button = makeButton(text, iconName, kind);
    button->setProperty("size", "small");
    button->setIconSize(QSize(17, 14));
    return button;
}

QToolButton* makeIconButton(const QString& iconName, const QString& name) {
    auto* button = new QToolButton;
    button->setProperty("kind", "icon");
    button->setIcon(icon(iconName));
    button->setToolTip(name);
    button->setAccessibleName(name);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

void addSearchIcon(QLineEdit& field) {
    constexpr int tooWide = 6;  // px that the style leaves behind an icon, beside the field's own padding
    field.addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    field.setTextMargins(-tooWide, 0, 0, 0);
}

QToolButton* makeChip(const QString& text, bool checked) {
    auto* chip = new QToolButton;
    chip->setProperty("kind", "chip");
    chip->setCheckable(true);
    chip->setChecked(checked);
    chip->setText(text);
    chip->setFocusPolicy(Qt::StrongFocus);
    return chip;
}

QFrame* makeSeparator() {
    auto* line = new QFrame;
    line->setProperty("kind", "separator");
    return line;
}

QFrame* makeVerticalSeparator() {
    auto* line = new QFrame;
    line->setProperty("kind", "vseparator");
    return line;
}

void copyText(const QString& text) {
    QGuiApplication::clipboard()->setText(text);
}

void setScaledWidth(QWidget* widget, int px) {
    new WidthKeeper(widget, px);
}

void restyle(QWidget* widget) {
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

void setState(QWidget* widget, const char* state) {
    widget->setProperty("state", QLatin1String(state));
    restyle(widget);
}

Panel::Panel(QWidget* parent)
    : QFrame(parent), body_(makeColumn(this, {1, 1, 1, 1}, 0)) {  // the border is the panel's
    setProperty("kind", "panel");
}

QHBoxLayout* Panel::addHeader(const QString& title, const QString& unit) {
    auto* row = new QFrame(this);
    row->setProperty("kind", "panelheader");
    QHBoxLayout* layout = makeHead(row);
    title_ = makeLabel(title, "paneltitle");
    unit_ = new ElidedLabel(unit);
    unit_->setProperty("kind", "secondary");
    layout->addWidget(title_);
    layout->addWidget(unit_, 1);
    body_->addWidget(row);
    return layout;
}

QHBoxLayout* Panel::addFooter() {
    auto* row = new QFrame(this);
    row->setProperty("kind", "panelfooter");
    QHBoxLayout* layout = makeHead(row);
    body_->addWidget(row);
    return layout;
}

void Panel::setTitle(const QString& title, const QString& unit) {
    title_->setText(title);
    unit_->setText(unit);
}

void emptyLayout(QLayout* layout) {
    while (const std::unique_ptr<QLayoutItem> item{layout->takeAt(0)}) {
        delete item->widget();
    }
}

void emptyLayoutAfterClick(QLayout* layout) {
    while (const std::unique_ptr<QLayoutItem> item{layout->takeAt(0)}) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
    }
}

QScrollArea* makeScrolled(QWidget* content, ScrollBars bars) {
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    if (bars == ScrollBars::VerticalOnly) {
        scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    }
    scroll->viewport()->setAutoFillBackground(false);
    if (content != nullptr) {
        content->setProperty("kind", "clear");
        scroll->setWidget(content);
    }
    return scroll;
}

QHBoxLayout* makeRow(QWidget* host, const QMargins& margins, int spacing) {
    return makeLayout<QHBoxLayout>(host, margins, spacing);
}

QVBoxLayout* makeColumn(QWidget* host, const QMargins& margins, int spacing) {
    return makeLayout<QVBoxLayout>(host, margins, spacing);
}

QWidget* makeEmptyPage(QWidget* parent, const QString& heading, const QString& text, QPushButton* next) {
    auto* host = new QWidget(parent);
    auto* column = new QVBoxLayout(host);
    column->addStretch(1);
    column->addWidget(makeLabel(heading, "heading"), 0, Qt::AlignHCenter);
    column->addWidget(makeLabel(text, "lead"), 0, Qt::AlignHCenter);
    column->addSpacing(12);
    column->addWidget(next, 0, Qt::AlignHCenter);
    column->addStretch(2);
    return host;
}

QPlainTextEdit* makeCodeView(const QString& name) {
    auto* text = new QPlainTextEdit;
    text->setReadOnly(true);
    text->setProperty("kind", "code");
    text->setFont(monoFont());
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->setTabChangesFocus(true);
    text->setAccessibleName(name);
    return text;
}

QSpinBox* makeNumberField(int low, int high) {
    auto* box = new QSpinBox;
    box->setRange(low, high);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setMinimumWidth(scaled(leastNumberField));
    box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    return box;
}

QLineEdit* makeFilterField(const QString& name) {
    auto* field = new QLineEdit;
    field->setPlaceholderText(name);
    field->setAccessibleName(name);
    field->setClearButtonEnabled(true);
    addSearchIcon(*field);
    return field;
}

ProblemLine::ProblemLine(QWidget* parent) : QWidget(parent), text_(makeLabel({})) {
    QHBoxLayout* row = makeRow(this, {});
    row->addWidget(makeIcon(QStringLiteral("state-fail"), "fail"), 0, Qt::AlignTop);
    text_->setObjectName(QStringLiteral("problem"));
    text_->setWordWrap(true);
    setState(text_, "fail");
    row->addWidget(text_, 1);
    hide();
}

void ProblemLine::showProblem(const QString& text) {
    text_->setText(text);
    setVisible(!text.isEmpty());
}

KeySign::KeySign(std::string framework, int fill, QWidget* parent)
    : QWidget(parent), framework_(std::move(framework)), fill_(fill) {
    setFixedSize(22, 16);
}

void KeySign::setFramework(const std::string& framework, int fill) {
    framework_ = framework;
    fill_ = fill;
    update();
}

void KeySign::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = currentTheme();
    drawKey(painter, QRectF(1, 0, 20, 16), frameworkStyle(theme, framework_, fill_), theme.panel);
}

FlowLayout::FlowLayout(QWidget* parent, int horizontal, int vertical)
    : QLayout(parent), horizontal_(horizontal), vertical_(vertical) {
    setContentsMargins(0, 0, 0, 0);
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    if (index < 0 || index >= count()) {
        return nullptr;
    }
    const auto position = items_.begin() + index;
    QLayoutItem* item = position->release();
    items_.erase(position);
    return item;  // the caller owns it, as QLayout has it
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const auto& item : items_) {
        size = size.expandedTo(item->minimumSize());
    }
    const QMargins margins = contentsMargins();
    return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

QSize FlowLayout::sizeHint() const {
    int width = 0;
    int height = 0;
    for (const auto& item : items_) {
        width += item->sizeHint().width() + horizontal_;
        height = std::max(height, item->sizeHint().height());
    }
    return {width, height};
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool apply) const {
    const QRect room = rect.marginsRemoved(contentsMargins());
    int x = room.x();
    int y = room.y();
    int row = 0;
    for (const auto& item : items_) {
        if (item->isEmpty()) {
            continue;
        }
        const QSize size = item->sizeHint();
        if (x > room.x() && x + size.width() > room.x() + room.width()) {
            x = room.x();
            y += row + vertical_;
            row = 0;
        }
        if (apply) {
            item->setGeometry(QRect(QPoint(x, y), size));
        }
        x += size.width() + horizontal_;
        row = std::max(row, size.height());
    }
    return y + row - rect.y() + contentsMargins().bottom();
}

}  // namespace dlperf::ui
