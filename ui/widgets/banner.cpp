// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/banner.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/theme/localized.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int countMilliseconds = 200;
constexpr int besideButton = 5;  // px: half of what a button is higher than a line

}  // namespace

Banner::Banner(QWidget* parent) : QFrame(parent), row_(makeRow(this, {12, 8, 8, 8}, 10)) {
    setProperty("kind", "banner");
    QVBoxLayout* text = makeColumn(nullptr, {}, 4);
    text_ = new QLabel;
    text_->setTextFormat(Qt::RichText);
    text_->setWordWrap(true);
    text_->setAlignment(Qt::AlignTop);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text->addWidget(text_);
    remedyRow_ = makeRow(nullptr, {}, 8);
    remedyWord_ = makeLabel(tr("Remedy"), "section");
    remedy_ = makeText({}, "codebox");
    remedy_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    copy_ = makeSmallButton(tr("Copy"), QStringLiteral("copy"));
    advice_ = makeText({}, "secondary");
    advice_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    remedyRow_->addWidget(remedyWord_);
    remedyRow_->addWidget(advice_, 1);
    remedyRow_->addWidget(remedy_);
    remedyRow_->addWidget(copy_);
    remedyRow_->addStretch();
    text->addLayout(remedyRow_);
    row_->addLayout(text, 1);
    action_ = makeButton({});
    row_->addWidget(action_, 0, Qt::AlignVCenter);
    close_ = makeIconButton(QStringLiteral("close"), tr("Close"));
    row_->addWidget(close_, 0, Qt::AlignTop);
    connect(copy_, &QPushButton::clicked, this, [this] { copyText(remedy_->text()); });
    connect(action_, &QPushButton::clicked, this, &Banner::actionTriggered);
    connect(close_, &QToolButton::clicked, this, [this] {
        hide();
        emit closed();
    });
    hide();
}

void Banner::showMessage(const char* state, const QString& what, const QString& why, const QString& remedy,
                         const QString& action, ActionKind kind) {
    delete icon_;
    const QLatin1String word(state);
    icon_ = makeIcon(
        word == QLatin1String("info") ? QStringLiteral("info") : QStringLiteral("state-") + QString(word),
        state);
    row_->insertWidget(0, icon_, 0, Qt::AlignTop);
    // The first line and its icon stand in the middle of the button beside them.
    const int lower = action.isEmpty() ? 0 : besideButton;
    icon_->setFixedHeight(icon_->height() + lower + 1);
    icon_->setAlignment(Qt::AlignBottom);
    text_->setContentsMargins(0, lower, 0, 0);
    text_->setText(QStringLiteral("<b>%1</b> %2")
                       .arg(what.toHtmlEscaped(),
                            why.toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>"))));
    // A sentence is read, in English or Chinese; a command is copied.
    const bool sentence = remedy.endsWith(QLatin1Char('.')) || remedy.endsWith(QChar(0x3002));
    advice_->setText(remedy);
    advice_->setVisible(sentence);
    remedy_->setText(remedy);
    constexpr int oneLine = 90;  // characters
    remedy_->setWordWrap(remedy.size() > oneLine);
    remedyRow_->setStretchFactor(remedy_, remedy.size() > oneLine ? 1 : 0);  // else as narrow as it likes
    remedyWord_->setVisible(!remedy.isEmpty());
    remedy_->setVisible(!sentence && !remedy.isEmpty());
    copy_->setVisible(!sentence && !remedy.isEmpty());
    const QString look = kind == ActionKind::Primary ? QStringLiteral("primary") : QString();
    if (action_->property("kind").toString() != look) {
        action_->setProperty("kind", look);
        restyle(action_);
    }
    setAction(action);
    setClosable(true);
    setState(this, state);
    setAccessibleName(what + QLatin1Char(' ') + why);
    show();
}

void Banner::showError(const Error& error) {
    QStringList lines{localized(error.where), QString::fromStdString(error.details)};
    lines.removeAll(QString());
    showMessage("fail", localized(error.what), lines.join(QLatin1Char('\n')), localized(error.remedy));
}

void Banner::setAction(const QString& action, const QString& spoken) {
    action_->setText(action);
    action_->setAccessibleName(spoken);
    action_->setVisible(!action.isEmpty());
}

void Banner::setClosable(bool closable) {
    close_->setVisible(closable);
}

void Banner::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && close_->isVisible()) {
        close_->click();
        return;
    }
    QFrame::keyPressEvent(event);
}

BannerArea::BannerArea(QWidget* parent) : QWidget(parent) {
    makeColumn(this, {12, 10, 12, 10}, 10);
    hide();
}

Banner* BannerArea::add(const QString& objectName) {
    auto* banner = new Banner;
    banner->setObjectName(objectName);
    add(banner);
    return banner;
}

void BannerArea::add(Banner* banner) {
    layout()->addWidget(banner);
    banner->installEventFilter(this);
    banners_.push_back(banner);
}

bool BannerArea::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent) {
        setVisible(std::ranges::any_of(banners_, [](const Banner* banner) { return !banner->isHidden(); }));
    }
    return QWidget::eventFilter(watched, event);
}

UndoBanner::UndoBanner(QWidget* page) {
    setObjectName(QStringLiteral("said"));
    connect(this, &Banner::actionTriggered, this, &UndoBanner::takeBack);
    connect(this, &Banner::closed, this, [this] { undo_ = nullptr; });
    second_.setInterval(countMilliseconds);
    connect(&second_, &QTimer::timeout, this, &UndoBanner::countDown);
    new QShortcut(QKeySequence::Undo, page, this, &UndoBanner::takeBack, Qt::WidgetWithChildrenShortcut);
}

void UndoBanner::say(const QString& what, const QString& why, const std::function<void()>& undo) {
    keepPlace();
    second_.stop();
    what_ = what;
    undo_ = undo;
    isOver_ = nullptr;
    shared_ = false;
    showMessage("info", what, why, {}, undo ? tr("Undo") : QString());
}

void UndoBanner::sayShared(const QString& what, const QString& why, const std::function<void()>& undo) {
    say(what, why, undo);
    shared_ = true;
}

void UndoBanner::sayFor(const QString& what, const QString& why, const std::function<void()>& undo,
                        std::chrono::milliseconds time) {
    say(what, why, undo);
    until_.setRemainingTime(time);
    second_.start();
    countDown();
}

void UndoBanner::countDown() {
    constexpr int second = 1000;
    setAction(tr("Undo (%1 s)").arg((until_.remainingTime() + second - 1) / second), tr("Undo"));
}

// What is below would come under the pointer that is about to click here.
void UndoBanner::keepPlace() {
    isHidingLater_ = false;
    if (isVisible() && underMouse()) {
        setMinimumHeight(height());
    }
}

void UndoBanner::leaveEvent(QEvent* event) {
    Banner::leaveEvent(event);
    setMinimumHeight(0);
    if (isHidingLater_) {
        hide();
    }
}

void UndoBanner::hideEvent(QHideEvent* event) {
    Banner::hideEvent(event);
    if (isHidden()) {  // and not only the page it is on
        isHidingLater_ = false;
        second_.stop();
        setMinimumHeight(0);
    }
}

void UndoBanner::sayUntil(const QString& what, const QString& why, const std::function<bool()>& isOver) {
    say(what, why, {});
    isOver_ = isOver;
}

QString UndoBanner::what() const {
    QString plain = what_;
    while (plain.endsWith(QLatin1Char('.')) || plain.endsWith(QChar(0x3002))) {
        plain.chop(1);
    }
    return plain.replace(QLatin1Char('&'), QLatin1String("&&"));  // no mnemonic
}

void UndoBanner::lookAgain() {
    if (isOver_ && isOver_()) {
        isOver_ = nullptr;
        isHidingLater_ = underMouse();
        setHidden(!isHidingLater_);
    }
}

void UndoBanner::forgetShared() {
    if (shared_) {
        hide();
        undo_ = nullptr;
    }
}

void UndoBanner::takeOver(const UndoBanner& other) {
    if (other.shared_ && other.undo_) {
        sayShared(tr("What was done last can still be undone."), {}, other.undo_);
    }
}

void UndoBanner::takeBack() {
    hide();
    if (const auto undo = std::exchange(undo_, nullptr)) {
        undo();
    }
}

}  // namespace dlperf::ui
