// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/edit_menu.h"

#include <QAbstractSpinBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QWidget>
#include <functional>

#include "ui/pages/deletions.h"
#include "ui/pages/runs_page.h"
#include "ui/shell/page_stack.h"
#include "ui/widgets/banner.h"

namespace dlperf::ui {
namespace {

// What takes the last typing back in the field that has the focus; nothing where there is none.
std::function<void()> undoOfTyping(const QWidget& within) {
    QWidget* focused = within.window()->focusWidget();
    if (auto* words = qobject_cast<QPlainTextEdit*>(focused)) {
        return words->document()->isUndoAvailable() ? [words] { words->undo(); } : std::function<void()>();
    }
    const auto* number = qobject_cast<QAbstractSpinBox*>(focused);
    auto* field = number != nullptr ? number->findChild<QLineEdit*>() : qobject_cast<QLineEdit*>(focused);
    return field != nullptr && field->isUndoAvailable() ? [field] { field->undo(); }
                                                        : std::function<void()>();
}

}  // namespace

EditMenu::EditMenu(PageStack& pages, QWidget* parent) : QMenu(tr("&Edit"), parent), pages_(pages) {
    undo_ = addAction(tr("&Undo"), this, &EditMenu::undo);
    // Shown only: the keys go to what has the focus, a field or a page.
    undo_->setShortcut(QKeySequence::Undo);
    undo_->setShortcutContext(Qt::WidgetShortcut);
    addSeparator();
    exclude_ = addAction(QString(), this, [this] { pages_.runs().switchExcluded(); });
    delete_ = addAction(tr("&Delete the selected runs …"), this, [this] { pages_.runs().deleteSelected(); });
    delete_->setShortcut(Qt::SHIFT | Qt::Key_Delete);
    delete_->setShortcutContext(Qt::WidgetShortcut);
    emptyTrash_ =
        addAction(tr("Empty the &trash …"), this, [this] { pages_.runs().deletions().askToEmpty(); });
    connect(this, &QMenu::aboutToShow, this, &EditMenu::lookAgain);
}

void EditMenu::lookAgain() {
    const bool onRuns = pages_.section() == Section::Runs && pages_.made(Section::Runs) != nullptr;
    const auto excluded = onRuns ? pages_.runs().isExcluded() : std::nullopt;
    exclude_->setText(excluded.value_or(false) ? tr("&Include the shown run again")
                                               : tr("&Exclude the shown run from the medians"));
    exclude_->setEnabled(excluded.has_value());
    delete_->setEnabled(onRuns && pages_.runs().hasSelected());
    emptyTrash_->setEnabled(onRuns);
    const UndoBanner* banner = said();
    const bool isTyping = undoOfTyping(*parentWidget()) != nullptr;
    const bool canTakeBack = banner != nullptr && banner->canTakeBack();
    undo_->setText(isTyping || !canTakeBack ? tr("&Undo") : tr("&Undo: %1").arg(banner->what()));
    undo_->setEnabled(isTyping || canTakeBack);
}

UndoBanner* EditMenu::said() const {
    const Page* page = pages_.made(pages_.section());
    return page == nullptr ? nullptr : page->findChild<UndoBanner*>();
}

void EditMenu::undo() {
    if (const auto undoTyping = undoOfTyping(*parentWidget())) {
        undoTyping();
    } else if (UndoBanner* banner = said()) {
        banner->takeBack();
    }
}

}  // namespace dlperf::ui
