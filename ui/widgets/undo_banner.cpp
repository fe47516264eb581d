// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/undo_banner.h"

#include <QShortcut>
#include <utility>

namespace dlperf::ui {

UndoBanner::UndoBanner(QWidget* page) {
    setObjectName(QStringLiteral("said"));
    connect(this, &Banner::actionTriggered, this, &UndoBanner::takeBack);
    connect(this, &Banner::closed, this, [this] { undo_ = nullptr; });
    auto* shortcut = new QShortcut(QKeySequence::Undo, page);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, &UndoBanner::takeBack);
}

void UndoBanner::say(const QString& what, const QString& why, const std::function<void()>& undo) {
    undo_ = undo;
    shared_ = false;
    showMessage("info", what, why, {}, undo ? tr("Undo") : QString());
}

void UndoBanner::sayShared(const QString& what, const QString& why, const std::function<void()>& undo) {
    say(what, why, undo);
    shared_ = true;
}

void UndoBanner::forgetShared() {
    if (shared_) {
        hide();
        undo_ = nullptr;
    }
}

void UndoBanner::takeBack() {
    hide();
    if (const auto undo = std::exchange(undo_, nullptr)) {
        undo();
    }
}

}  // namespace dlperf::ui
