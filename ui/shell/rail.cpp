// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/rail.h"

#include <QButtonGroup>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int wide = 176;
constexpr int narrowWidth = 52;
constexpr int workspaceHeight = 44;

void elide(QLabel* label, const QString& text, int width, Qt::TextElideMode mode) {
    label->setText(QFontMetrics(label->font()).elidedText(text, mode, width));
    label->setToolTip(plainTip(text));
}

}  // namespace

QString placeTitle(Place place) {
    switch (place) {
        case Place::Cluster:
            return Rail::tr("Cluster");
        case Place::Launch:
            return Rail::tr("Launch");
        case Place::Runs:
            return Rail::tr("Runs");
        case Place::Compare:
            return Rail::tr("Compare");
        case Place::Report:
            return Rail::tr("Report");
    }
    return {};
}

QString placeIcon(Place place) {
    switch (place) {
        case Place::Cluster:
            return QStringLiteral("cluster");
        case Place::Launch:
            return QStringLiteral("launch");
        case Place::Runs:
            return QStringLiteral("runs");
        case Place::Compare:
            return QStringLiteral("compare");
        case Place::Report:
            return QStringLiteral("report");
    }
    return {};
}

Rail::Rail(QWidget* parent) : QWidget(parent), group_(new QButtonGroup(this)) {
    setProperty("kind", "rail");
    setAttribute(Qt::WA_StyledBackground);
    setFixedWidth(scaled(wide));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 10, 9, 8);
    column->setSpacing(2);
    column->addWidget(buildWorkspace());
    column->addSpacing(10);
    for (int i = 0; i < placeCount; ++i) {
        column->addWidget(buildPlace(static_cast<Place>(i)));
    }
    connect(group_, &QButtonGroup::idClicked, this,
            [this](int id) { emit placeChosen(static_cast<Place>(id)); });
    column->addStretch(1);
    column->addWidget(buildActiveRun());
    column->addSpacing(6);
    column->addWidget(buildFoot());
    changeEvent(nullptr);
}

QToolButton* Rail::buildPlace(Place place) {
    const auto i = static_cast<int>(place);
    auto* button = new QToolButton;
    button->setProperty("kind", "place");
    button->setCheckable(true);
    button->setText(QStringLiteral("  ") + placeTitle(place));
    button->setIcon(icon(placeIcon(place), Ink::Text2));
    button->setIconSize(QSize(16, 16));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAccessibleName(placeTitle(place));
    button->setToolTip(tr("%1 (Ctrl+%2)").arg(placeTitle(place)).arg(i + 1));
    group_->addButton(button, i);
    auto* row = new QHBoxLayout(button);
    row->setContentsMargins(0, 0, 9, 0);
    auto* count = makeLabel({}, "count");
    count->setAttribute(Qt::WA_TransparentForMouseEvents);
    row->addStretch(1);
    row->addWidget(count);
    places_[static_cast<std::size_t>(i)] = button;
    counts_[static_cast<std::size_t>(i)] = count;
    return button;
}

QWidget* Rail::buildWorkspace() {
    workspace_ = new QToolButton;
    workspace_->setProperty("kind", "workspace");
    workspace_->setFixedHeight(scaled(workspaceHeight));
    workspace_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    workspace_->setPopupMode(QToolButton::InstantPopup);
    workspace_->setFocusPolicy(Qt::StrongFocus);
    auto* menu = new QMenu(workspace_);
    menu->addAction(tr("Show the folder"), this, &Rail::folderRequested);
    workspace_->setMenu(menu);
    auto* row = new QHBoxLayout(workspace_);
    row->setContentsMargins(9, 4, 8, 4);
    row->setSpacing(8);
    row->addWidget(makeIcon(QStringLiteral("folder"), ""));
    auto* text = new QVBoxLayout;
    text->setSpacing(0);
    workspaceName_ = makeLabel({}, "strong");
    workspaceFolder_ = makeLabel({}, "caption");
    text->addWidget(workspaceName_);
    text->addWidget(workspaceFolder_);
    row->addLayout(text, 1);
    workspaceArrow_ = makeIcon(QStringLiteral("down"), "", 14);
    row->addWidget(workspaceArrow_);
    for (QLabel* label : workspace_->findChildren<QLabel*>()) {
        label->setAttribute(Qt::WA_TransparentForMouseEvents);
    }
    return workspace_;
}

QMenu* Rail::workspaceMenu() const {
    return workspace_->menu();
}

QWidget* Rail::buildActiveRun() {
    active_ = new QFrame;
    active_->setProperty("kind", "panel");
    active_->setCursor(Qt::PointingHandCursor);
    active_->setFocusPolicy(Qt::TabFocus);
    active_->installEventFilter(this);
    auto* column = new QVBoxLayout(active_);
    column->setContentsMargins(10, 8, 10, 9);
    column->setSpacing(2);
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(makeIcon(QStringLiteral("state-running"), "info", 14));
    activeTitle_ = makeLabel({}, "cardtitle");
    row->addWidget(activeTitle_, 1);
    column->addLayout(row);
    activeDetail_ = makeLabel({}, "caption");
    column->addWidget(activeDetail_);
    column->addSpacing(4);
    activeProgress_ = new QProgressBar;
    activeProgress_->setTextVisible(false);
    column->addWidget(activeProgress_);
    active_->hide();
    return active_;
}

QWidget* Rail::buildFoot() {
    auto* host = new QWidget;
    foot_ = new QBoxLayout(QBoxLayout::LeftToRight, host);
    foot_->setContentsMargins(0, 0, 0, 0);
    foot_->setSpacing(2);
    settings_ = new QToolButton;
    settings_->setProperty("kind", "place");
    settings_->setText(QStringLiteral("  ") + tr("Settings"));
    settings_->setIcon(icon(QStringLiteral("settings"), Ink::Text2));
    settings_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    settings_->setFocusPolicy(Qt::StrongFocus);
    settings_->setAccessibleName(tr("Settings"));
    settings_->setToolTip(tr("Settings"));
    connect(settings_, &QToolButton::clicked, this, &Rail::settingsRequested);
    foot_->addWidget(settings_);
    foot_->addStretch(1);
    theme_ = new QToolButton;
    theme_->setProperty("kind", "icon");
    theme_->setFocusPolicy(Qt::StrongFocus);
    connect(theme_, &QToolButton::clicked, this, &Rail::themeToggled);
    foot_->addWidget(theme_, 0, Qt::AlignCenter);
    return host;
}

void Rail::setWorkspace(const QString& name, const QString& folder) {
    elide(workspaceName_, name, scaled(96), Qt::ElideRight);
    elide(workspaceFolder_, folder, scaled(96), Qt::ElideMiddle);
    workspace_->setToolTip(plainTip(folder));
    workspace_->setAccessibleName(tr("Workspace %1").arg(folder));
}

void Rail::setCurrent(Place place) {
    const auto current = static_cast<std::size_t>(place);
    places_[current]->setChecked(true);
    setFocusProxy(places_[current]);
    for (std::size_t i = 0; i < places_.size(); ++i) {
        places_[i]->setIcon(icon(placeIcon(static_cast<Place>(i)), i == current ? Ink::Accent : Ink::Text2));
    }
}

void Rail::setCount(Place place, const QString& count, bool wrong) {
    QLabel* label = counts_[static_cast<std::size_t>(place)];
    label->setText(count);
    const char* state = wrong ? "fail" : "";
    if (label->property("state").toString() != QLatin1String(state)) {
        setState(label, state);
    }
}

void Rail::setActiveRun(const QString& title, const QString& detail, const QString& repetition,
                        double progress) {
    hasActive_ = !title.isEmpty();
    active_->setVisible(hasActive_ && !narrow_);
    elide(activeTitle_, title, scaled(118), Qt::ElideRight);
    const QString whole = detail + QStringLiteral(", ") + repetition;
    const int room = scaled(134);
    const bool fits = QFontMetrics(activeDetail_->font()).horizontalAdvance(whole) <= room;
    elide(activeDetail_, fits ? whole : detail, room, Qt::ElideRight);
    activeDetail_->setToolTip(plainTip(whole));
    active_->setAccessibleName(title + QStringLiteral(", ") + whole);
    activeProgress_->setRange(0, 1000);
    activeProgress_->setValue(progress < 0 ? 0 : static_cast<int>(progress * 1000));
}

void Rail::setNarrow(bool narrow) {
    narrow_ = narrow;
    setFixedWidth(narrow ? narrowWidth : scaled(wide));
    for (std::size_t i = 0; i < places_.size(); ++i) {
        places_[i]->setToolButtonStyle(narrow ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
        counts_[i]->setVisible(!narrow);
    }
    foot_->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    settings_->setToolButtonStyle(narrow ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    workspaceArrow_->setVisible(!narrow);
    workspaceName_->setVisible(!narrow);
    workspaceFolder_->setVisible(!narrow);
    active_->setVisible(hasActive_ && !narrow);
}

bool Rail::eventFilter(QObject* watched, QEvent* event) {
    const bool pressed = event->type() == QEvent::MouseButtonRelease;
    const bool keyed =
        event->type() == QEvent::KeyPress && (static_cast<QKeyEvent*>(event)->key() == Qt::Key_Return ||
                                              static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space);
    if (watched == active_ && (pressed || keyed)) {
        emit activeRunClicked();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void Rail::changeEvent(QEvent* event) {
    if (event != nullptr) {
        QWidget::changeEvent(event);
    }
    if (event != nullptr && event->type() == QEvent::StyleChange && foot_ != nullptr) {
        setNarrow(narrow_);  // the font size may be another one
        workspace_->setFixedHeight(scaled(workspaceHeight));
    }
    if (theme_ != nullptr && (event == nullptr || event->type() == QEvent::PaletteChange)) {
        const bool dark = currentTheme().dark;
        const QString text = dark ? tr("Change to light") : tr("Change to dark");
        theme_->setIcon(icon(dark ? QStringLiteral("sun") : QStringLiteral("moon")));
        theme_->setToolTip(text);
        theme_->setAccessibleName(text);
    }
}

}  // namespace dlperf::ui
