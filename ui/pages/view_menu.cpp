// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/view_menu.h"

#include <QInputDialog>
#include <QMenu>

#include "ui/session/session.h"

namespace dlperf::ui {

ViewMenu::ViewMenu(Session& session, std::function<CompareView()> current, QWidget* parent)
    : QPushButton(parent), session_(session), current_(std::move(current)) {
    setMenu(new QMenu(this));
    setToolTip(tr("Filters, hidden series, baselines and axes under a name"));
    show({});
    build();
    read();
}

void ViewMenu::read() {
    session_.background().ask(
        this, [workspace = session_.workspace()] { return readViews(workspace); },
        [this](const StoredViews& stored) {
            views_ = stored.views;
            for (const Error& problem : stored.problems) {
                emit problemFound(problem);
            }
            build();
            emit loaded();
        });
}

void ViewMenu::build() {
    menu()->clear();
    for (const auto& [name, view] : views_) {
        QAction* action = menu()->addAction(QString(name).replace(QLatin1Char('&'), QLatin1String("&&")));
        connect(action, &QAction::triggered, this, [this, name = name] {
            show(name);
            emit chosen(views_.at(name));
        });
    }
    if (views_.empty()) {
        menu()->addAction(tr("No saved views"))->setEnabled(false);
    }
    menu()->addSeparator();
    menu()->addAction(tr("Save view …"), this, &ViewMenu::askForName);
    if (!views_.empty()) {
        QMenu* deletions = menu()->addMenu(tr("Delete view"));
        for (const auto& [name, view] : views_) {
            deletions->addAction(QString(name).replace(QLatin1Char('&'), QLatin1String("&&")), this,
                                 [this, name = name] { remove(name); });
        }
    }
}

void ViewMenu::askForName() {
    bool accepted = false;
    const QString name =
        QInputDialog::getText(this, tr("Save view"), tr("Name; a view of the same name is replaced"),
                              QLineEdit::Normal, shown_, &accepted)
            .simplified();
    if (accepted && !name.isEmpty()) {
        save(name);
    }
}

void ViewMenu::save(const QString& name) {
    show(name);
    write([workspace = session_.workspace(), name, view = current_()] {
        return writeView(workspace, name, view);
    });
}

void ViewMenu::remove(const QString& name) {
    if (shown_ == name) {
        leave();
    }
    write([workspace = session_.workspace(), name] { return removeView(workspace, name); });
}

void ViewMenu::write(std::function<Result<void>()> work) {
    session_.background().ask(this, std::move(work), [this](const Result<void>& done) {
        if (!done) {
            emit problemFound(done.error());
        }
        read();
    });
}

void ViewMenu::show(const QString& name) {
    shown_ = name;
    setText(name.isEmpty() ? tr("Views") : tr("View: %1").arg(name));
}

}  // namespace dlperf::ui
