// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/named_menu.h"

#include <QDialogButtonBox>
#include <QInputDialog>
#include <QMenu>
#include <QPushButton>

#include "ui/theme/fonts.h"
#include "ui/theme/tips.h"

namespace dlperf::ui {
namespace {

constexpr int usualWidth = 164;  // px at 100 %: whatever it shows, what stands beside it does not move
constexpr int narrowWidth = 100;
constexpr int aroundText = 40;  // of it: padding and the arrow

// A name as a menu shows it, with its own "&".
QString entryText(const QString& name) {
    return QString(name).replace(QLatin1Char('&'), QLatin1String("&&"));
}

}  // namespace

NamedMenu::NamedMenu(Session& session, std::filesystem::path folder, Words words, QWidget* parent)
    : QPushButton(parent), session_(session), folder_(std::move(folder)), words_(std::move(words)) {
    setProperty("kind", "box");
    setMenu(new QMenu(this));
    show({});
    build();
}

void NamedMenu::setNames(const QStringList& own, const QStringList& builtIn) {
    own_ = own;
    builtIn_ = builtIn;
    build();
    emit loaded();
}

void NamedMenu::build() {
    menu()->clear();
    for (const QStringList* names : {&own_, &builtIn_}) {
        for (const QString& name : *names) {
            menu()->addAction(entryText(name), this, [this, name] {
                show(name);
                choose(name);
            });
        }
        menu()->addSeparator();
    }
    if (own_.isEmpty() && builtIn_.isEmpty()) {
        menu()->addAction(words_.none)->setEnabled(false);
        menu()->addSeparator();
    }
    menu()->addAction(words_.save, this, &NamedMenu::askForName);
    if (!own_.isEmpty()) {
        QMenu* deletions = menu()->addMenu(words_.remove);
        for (const QString& name : own_) {
            deletions->addAction(entryText(name), this, [this, name] { remove(name); });
        }
    }
}

void NamedMenu::askForName() {
    QInputDialog ask(this);
    ask.setWindowTitle(words_.saving);
    ask.setLabelText(tr("Name; one of the same name is replaced"));
    ask.setTextValue(shown_);
    ask.resize(ask.sizeHint());  // lays it out: before, it has no buttons
    auto* buttons = ask.findChild<QDialogButtonBox*>();
    const auto judge = [buttons](const QString& name) {
        buttons->button(QDialogButtonBox::Ok)->setEnabled(!name.simplified().isEmpty());
    };
    connect(&ask, &QInputDialog::textValueChanged, &ask, judge);
    judge(shown_);
    if (const QString name = ask.exec() == QDialog::Accepted ? ask.textValue().simplified() : QString();
        !name.isEmpty()) {
        save(name);
    }
}

void NamedMenu::save(const QString& name) {
    show(name);
    write([folder = folder_, name = name.toStdString(), json = current()] {
        return store::writeNamed(folder, name, json);
    });
}

void NamedMenu::remove(const QString& name) {
    if (shown_ == name) {
        leave();
    }
    write([folder = folder_, name = name.toStdString()] { return store::removeNamed(folder, name); });
}

void NamedMenu::write(std::function<Result<void>()> work) {
    session_.background().write(this, std::move(work), [this](const Result<void>& done) {
        if (!done) {
            emit problemFound(done.error());
        }
        read();
    });
}

void NamedMenu::show(const QString& name) {
    shown_ = name;
    setToolTip(name.isEmpty() ? words_.tip : plainTip(title()));
    fit();
}

QString NamedMenu::title() const {
    return shown_.isEmpty() ? words_.title : words_.shown.arg(shown_);
}

void NamedMenu::fit() {
    setText(fontMetrics().elidedText(title(), Qt::ElideRight, sizeHint().width() - scaled(aroundText)));
}

void NamedMenu::setNarrow(bool narrow) {
    narrow_ = narrow;
    updateGeometry();
    fit();
}

QSize NamedMenu::sizeHint() const {
    return {scaled(narrow_ ? narrowWidth : usualWidth), QPushButton::sizeHint().height()};
}

}  // namespace dlperf::ui
