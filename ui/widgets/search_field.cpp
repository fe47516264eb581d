// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/search_field.h"

#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>

#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int gap = 4;

}  // namespace

SearchField::SearchField(QWidget* parent) : QLineEdit(parent) {
    setProperty("size", "small");
    setPlaceholderText(tr("Search"));
    addSearchIcon(*this);
    count_ = makeLabel({}, "caption");
    count_->setParent(this);
    count_->setAttribute(Qt::WA_TransparentForMouseEvents);
    pattern_ = makeIconButton({}, tr("Regular expression"));
    pattern_->setProperty("kind", "inline");
    pattern_->setParent(this);
    pattern_->setIcon({});  // text alone
    pattern_->setText(QStringLiteral(".*"));
    pattern_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    pattern_->setCheckable(true);
    pattern_->setCursor(Qt::ArrowCursor);
    connect(pattern_, &QToolButton::toggled, this, &SearchField::patternToggled);
    arrange();
}

void SearchField::setCount(const QString& text) {
    if (text != count_->text()) {
        count_->setText(text);
        arrange();
    }
}

QString SearchField::count() const {
    return count_->text();
}

void SearchField::setProblem(const QString& text) {
    setAccessibleDescription(text);
}

QString SearchField::problem() const {
    return accessibleDescription();
}

bool SearchField::isPattern() const {
    return pattern_->isChecked();
}

// The text ends where the count begins.
void SearchField::arrange() {
    const int room = height() - 2 * gap;
    const QSize pattern = pattern_->sizeHint();
    pattern_->setGeometry(width() - pattern.width() - 2, (height() - pattern.height()) / 2, pattern.width(),
                          pattern.height());
    const int wide = count_->text().isEmpty() ? 0 : count_->sizeHint().width() + gap;
    count_->setGeometry(pattern_->x() - wide, gap, wide, room);
    setTextMargins(textMargins().left(), 0, pattern.width() + wide, 0);
}

void SearchField::resizeEvent(QResizeEvent* event) {
    QLineEdit::resizeEvent(event);
    arrange();
}

void SearchField::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !text().isEmpty()) {
        clear();
        emit givenUp();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

}  // namespace dlperf::ui
