// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/edit_menu.h"

#include <QLineEdit>
#include <QWidget>

#include "ui/pages/runs_page.h"
#include "ui/shell/page_stack.h"
#include "ui/widgets/banner.h"

namespace dlperf::ui {
namespace {

// Where its last typing can be taken back; else null.
QLineEdit* typedField(const QWidget& within) {
    auto* field = qobject_cast<QLineEdit*>(within.window()->focusWidget());
    return field != nullptr && field->isUndoAvailable() ? field : nullptr;
}

}  // namespace

EditMenu::EditMenu(PageStack& pages, QWidget* parent) : QMenu(tr("&Edit"), parent), pages_(pages) {
    undo_ = addAction(tr("&Undo"), this, &EditMenu::undo);
    // Shown only: the keys go to what has the focus, a field or a page.
    undo_->setShortcut(QKeySequence::Undo);
    undo_->setShortcutContext(Qt::WidgetShortcut);
    addSeparator();
    exclude_ = addAction(QString(), this, [this] { pages_.runs().switchExcluded(); });
    connect(this, &QMenu::aboutToShow, this, &EditMenu::lookAgain);
}

void EditMenu::lookAgain() {
    const bool onRuns = pages_.section() == Section::Runs && pages_.made(Section::Runs) != nullptr;
    const auto excluded = onRuns ? pages_.runs().isExcluded() : std::nullopt;
    exclude_->setText(excluded.value_or(false) ? tr("&Include the shown run again")
                                               : tr("&Exclude the shown run from the medians"));
    exclude_->setEnabled(excluded.has_value());
    const UndoBanner* banner = said();
    undo_->setEnabled(typedField(*parentWidget()) != nullptr || (banner != nullptr && banner->canTakeBack()));
}

UndoBanner* EditMenu::said() const {
    const Page* page = pages_.made(pages_.section());
    return page == nullptr ? nullptr : page->findChild<UndoBanner*>();
}

void EditMenu::undo() {
    if (QLineEdit* field = typedField(*parentWidget())) {
        field->undo();
    } else if (UndoBanner* banner = said()) {
        banner->takeBack();
    }
}

}  // namespace dlperf::ui
