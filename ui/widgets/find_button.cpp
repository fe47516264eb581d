// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/find_button.h"

#include <QHBoxLayout>
#include <QKeySequence>
#include <QLabel>

#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int barHeight = 28;  // the menu bar's: it puts a corner widget at its top

}  // namespace

FindButton::FindButton(const QString& text, const QKeySequence& shortcut, QWidget* parent)
    : QToolButton(parent) {
    setProperty("kind", "find");
    setAccessibleName(text);
    setFocusPolicy(Qt::NoFocus);  // as the menus beside it; its key is the shortcut
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 0, 8, 0);
    row->setSpacing(7);
    row->addWidget(makeIcon(QStringLiteral("search"), "", 14));
    row->addWidget(makeLabel(text, "secondary"));
    row->addWidget(makeLabel(shortcut.toString(QKeySequence::NativeText), "key"), 0, Qt::AlignVCenter);
    for (QLabel* label : findChildren<QLabel*>()) {
        label->setAttribute(Qt::WA_TransparentForMouseEvents);
    }
}

// A tool button asks for the room of its own text and icon; here the layout has them.
QSize FindButton::sizeHint() const {
    return {layout()->sizeHint().width(), barHeight};
}

}  // namespace dlperf::ui
