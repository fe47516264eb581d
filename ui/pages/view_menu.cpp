// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/view_menu.h"

#include <QInputDialog>
#include <QMenu>

#include "ui/session/session.h"
#include "ui/theme/fonts.h"
#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"

namespace dlperf::ui {
namespace {

constexpr int usualWidth = 164;  // px at 100 %: whatever it shows, what stands beside it does not move
constexpr int narrowWidth = 96;
constexpr int aroundText = 40;  // of it: padding and the arrow

}  // namespace

ViewMenu::ViewMenu(Session& session, std::function<report::CompareView()> current, QWidget* parent)
    : QPushButton(parent), session_(session), current_(std::move(current)) {
    setMenu(new QMenu(this));
    show({});
    build();
    read();
}

void ViewMenu::read() {
    session_.background().ask(
        this,
        [resources = session_.resources(), workspace = session_.workspace()] {
            return report::readViews(resources, workspace);
        },
        [this](const report::StoredViews& stored) {
            views_.clear();
            own_.clear();
            for (const auto& [name, view] : stored.views) {
                const QString title =
                    stored.builtIn.contains(name) ? localized(name) : QString::fromStdString(name);
                views_[title] = view;
                if (!stored.builtIn.contains(name)) {
                    own_ << title;
                }
            }
            for (const Error& problem : stored.problems) {
                emit problemFound(problem);
            }
            build();
            emit loaded();
        });
}

void ViewMenu::build() {
    menu()->clear();
    const auto addView = [this](const QString& name) {
        QAction* action = menu()->addAction(QString(name).replace(QLatin1Char('&'), QLatin1String("&&")));
        connect(action, &QAction::triggered, this, [this, name] {
            show(name);
            emit chosen(views_.at(name));
        });
    };
    for (const QString& name : own_) {
        addView(name);
    }
    menu()->addSeparator();
    for (const auto& [name, view] : views_) {
        if (!own_.contains(name)) {
            addView(name);
        }
    }
    if (views_.empty()) {
        menu()->addAction(tr("No saved views"))->setEnabled(false);
    }
    menu()->addSeparator();
    menu()->addAction(tr("Save view …"), this, &ViewMenu::askForName);
    if (!own_.isEmpty()) {
        QMenu* deletions = menu()->addMenu(tr("Delete view"));
        for (const QString& name : own_) {
            deletions->addAction(QString(name).replace(QLatin1Char('&'), QLatin1String("&&")), this,
                                 [this, name] { remove(name); });
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
        return report::writeView(workspace, name.toStdString(), view);
    });
}

void ViewMenu::remove(const QString& name) {
    if (shown_ == name) {
        leave();
    }
    write([workspace = session_.workspace(), name] {
        return report::removeView(workspace, name.toStdString());
    });
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
    setToolTip(name.isEmpty() ? tr("Filters, hidden series, baselines, axes and the pivot table under a name")
                              : plainTip(title()));
    fit();
}

QString ViewMenu::title() const {
    return shown_.isEmpty() ? tr("Views") : tr("View: %1").arg(shown_);
}

void ViewMenu::fit() {
    setText(fontMetrics().elidedText(title(), Qt::ElideRight, sizeHint().width() - scaled(aroundText)));
}

void ViewMenu::setNarrow(bool narrow) {
    narrow_ = narrow;
    updateGeometry();
    fit();
}

QSize ViewMenu::sizeHint() const {
    return {scaled(narrow_ ? narrowWidth : usualWidth), QPushButton::sizeHint().height()};
}

}  // namespace dlperf::ui
