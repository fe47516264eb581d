// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/sidebar.h"

#include <QButtonGroup>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/queue_model.h"
#include "ui/session/session.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"
#include "ui/theme/tips.h"
#include "ui/widgets/page.h"
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

QString countText(int count) {
    return numberLocale().toString(count);
}

int countIn(const run::Campaign& campaign, run::RunPhase state) {
    return static_cast<int>(std::ranges::count(campaign.runs, state, &run::RunState::phase));
}

QString usualTip(Section section) {
    return Sidebar::tr("%1 (Ctrl+%2)").arg(sectionTitle(section)).arg(static_cast<int>(section) + 1);
}

void describeActive(const run::Campaign& campaign, const run::RunState& active, const Vocabulary& vocabulary,
                    RunSummary& summary) {
    summary.title = caseTitle(active.benchmarkCase, vocabulary);
    const int finished = countIn(campaign, run::RunPhase::Finished);
    const auto all = static_cast<int>(campaign.runs.size());
    summary.detail = Sidebar::tr("Run %1 of %2").arg(countText(finished + 1), countText(all));
    summary.repetition = Sidebar::tr("repetition %1").arg(active.repetition);
    summary.progress = static_cast<double>(finished) / all;
}

}  // namespace

QString sectionTitle(Section section) {
    const std::array<QString, sectionCount> titles{Sidebar::tr("Cluster"), Sidebar::tr("Launch"),
                                                   Sidebar::tr("Runs"), Sidebar::tr("Compare"),
                                                   Sidebar::tr("Report")};
    return titles[static_cast<std::size_t>(section)];
}

QString sectionName(Section section) {
    constexpr std::array<const char*, sectionCount> names{"cluster", "launch", "runs", "compare", "report"};
    return QString::fromLatin1(names[static_cast<std::size_t>(section)]);
}

Sidebar::Sidebar(QWidget* parent) : QWidget(parent), group_(new QButtonGroup(this)) {
    setProperty("kind", "sidebar");
    setAttribute(Qt::WA_StyledBackground);
    setFixedWidth(scaled(wide));
    QVBoxLayout* column = makeColumn(this, {8, 10, 9, 8}, 2);
    column->addWidget(buildWorkspace());
    column->addSpacing(10);
    for (int i = 0; i < sectionCount; ++i) {
        column->addWidget(buildSection(static_cast<Section>(i)));
    }
    connect(group_, &QButtonGroup::idClicked, this,
            [this](int id) { emit sectionChosen(static_cast<Section>(id)); });
    column->addStretch(1);
    column->addWidget(buildActiveRun());
    column->addSpacing(6);
    column->addWidget(buildFoot());
    changeEvent(nullptr);
}

QToolButton* Sidebar::buildSection(Section section) {
    const auto i = static_cast<int>(section);
    auto* button = new QToolButton;
    button->setProperty("kind", "sidebaritem");
    button->setCheckable(true);
    button->setText(QStringLiteral("  ") + sectionTitle(section));
    button->setIcon(icon(sectionName(section), Ink::Text2));
    button->setIconSize(QSize(16, 16));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAccessibleName(sectionTitle(section));
    button->setToolTip(usualTip(section));
    group_->addButton(button, i);
    QHBoxLayout* row = makeRow(button, {0, 0, 9, 0});
    auto* count = makeLabel({}, "count");
    count->setAttribute(Qt::WA_TransparentForMouseEvents);
    row->addStretch(1);
    row->addWidget(count);
    sectionButtons_[static_cast<std::size_t>(i)] = button;
    counts_[static_cast<std::size_t>(i)] = count;
    return button;
}

QWidget* Sidebar::buildWorkspace() {
    workspace_ = new QToolButton;
    workspace_->setProperty("kind", "workspace");
    workspace_->setFixedHeight(scaled(workspaceHeight));
    workspace_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    workspace_->setPopupMode(QToolButton::InstantPopup);
    workspace_->setFocusPolicy(Qt::StrongFocus);
    auto* menu = new QMenu(workspace_);
    menu->addAction(tr("Show the folder"), this, &Sidebar::folderRequested);
    workspace_->setMenu(menu);
    QHBoxLayout* row = makeRow(workspace_, {9, 4, 8, 4}, 8);
    row->addWidget(makeIcon(QStringLiteral("folder"), ""));
    QVBoxLayout* text = makeColumn(nullptr, {}, 0);
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

QMenu* Sidebar::workspaceMenu() const {
    return workspace_->menu();
}

QWidget* Sidebar::buildActiveRun() {
    active_ = new QFrame;
    active_->setProperty("kind", "panel");
    active_->setCursor(Qt::PointingHandCursor);
    active_->setFocusPolicy(Qt::TabFocus);
    active_->installEventFilter(this);
    QVBoxLayout* column = makeColumn(active_, {10, 8, 10, 9}, 2);
    QHBoxLayout* row = makeRow(nullptr, {}, 6);
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

QWidget* Sidebar::buildFoot() {
    auto* host = new QWidget;
    foot_ = makeRow(host, {}, 2);
    settings_ = new QToolButton;
    settings_->setProperty("kind", "sidebaritem");
    settings_->setText(QStringLiteral("  ") + tr("Settings"));
    settings_->setIcon(icon(QStringLiteral("settings"), Ink::Text2));
    settings_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    settings_->setFocusPolicy(Qt::StrongFocus);
    settings_->setAccessibleName(tr("Settings"));
    settings_->setToolTip(tr("Settings"));
    connect(settings_, &QToolButton::clicked, this, &Sidebar::settingsRequested);
    foot_->addWidget(settings_);
    foot_->addStretch(1);
    theme_ = new QToolButton;
    theme_->setProperty("kind", "icon");
    theme_->setFocusPolicy(Qt::StrongFocus);
    connect(theme_, &QToolButton::clicked, this, &Sidebar::themeToggled);
    foot_->addWidget(theme_, 0, Qt::AlignCenter);
    return host;
}

void Sidebar::setWorkspace(const QString& name, const QString& folder) {
    elide(workspaceName_, name, scaled(96), Qt::ElideRight);
    elide(workspaceFolder_, folder, scaled(96), Qt::ElideMiddle);
    workspace_->setToolTip(plainTip(folder));
    workspace_->setAccessibleName(tr("Workspace %1").arg(folder));
}

void Sidebar::setCurrent(Section section) {
    const auto current = static_cast<std::size_t>(section);
    sectionButtons_[current]->setChecked(true);
    setEntry(*this, *sectionButtons_[current]);
    for (std::size_t i = 0; i < sectionButtons_.size(); ++i) {
        sectionButtons_[i]->setIcon(
            icon(sectionName(static_cast<Section>(i)), i == current ? Ink::Accent : Ink::Text2));
    }
}

void Sidebar::setCount(Section section, const QString& count, const QString& counted, bool wrong) {
    const auto i = static_cast<std::size_t>(section);
    QLabel* label = counts_[i];
    label->setText(count);
    const QString words = count.isEmpty() ? QString() : tr("%1: %2").arg(counted, count);
    sectionButtons_[i]->setToolTip(words.isEmpty() ? usualTip(section)
                                                   : usualTip(section) + QLatin1Char('\n') + words);
    sectionButtons_[i]->setAccessibleDescription(words);
    const char* state = wrong ? "fail" : "";
    if (label->property("state").toString() != QLatin1String(state)) {
        setState(label, state);
    }
}

void Sidebar::showRuns(const RunSummary& summary) {
    const auto shown = [](int count) { return count > 0 ? countText(count) : QString(); };
    setCount(Section::Runs, shown(summary.runs), tr("Runs of all campaigns, and imported ones"));
    setCount(Section::Compare, shown(summary.figures), tr("Own and imported runs that have a figure"));
    hasActive_ = !summary.title.isEmpty();
    active_->setVisible(hasActive_ && !narrow_);
    elide(activeTitle_, summary.title, scaled(118), Qt::ElideRight);
    const QString whole = summary.detail + comma() + summary.repetition;
    const int room = scaled(134);
    const bool fits = QFontMetrics(activeDetail_->font()).horizontalAdvance(whole) <= room;
    elide(activeDetail_, fits ? whole : summary.detail, room, Qt::ElideRight);
    activeDetail_->setToolTip(plainTip(whole));
    active_->setAccessibleName(summary.title + comma() + whole);
    activeProgress_->setRange(0, 1000);
    activeProgress_->setValue(static_cast<int>(summary.progress * 1000));
}

void Sidebar::setNarrow(bool narrow) {
    narrow_ = narrow;
    setFixedWidth(narrow ? narrowWidth : scaled(wide));
    for (std::size_t i = 0; i < sectionButtons_.size(); ++i) {
        sectionButtons_[i]->setToolButtonStyle(narrow ? Qt::ToolButtonIconOnly
                                                      : Qt::ToolButtonTextBesideIcon);
        counts_[i]->setVisible(!narrow);
    }
    foot_->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    settings_->setToolButtonStyle(narrow ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    workspaceArrow_->setVisible(!narrow);
    workspaceName_->setVisible(!narrow);
    workspaceFolder_->setVisible(!narrow);
    active_->setVisible(hasActive_ && !narrow);
}

bool Sidebar::eventFilter(QObject* watched, QEvent* event) {
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

void Sidebar::changeEvent(QEvent* event) {
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

RunSummary summarize(const Session& session) {
    RunSummary summary;
    summary.figures = static_cast<int>(std::ranges::count_if(
        session.own(), [](const RunResult& result) { return result.throughput.has_value(); }));
    int listed = 0;
    for (const run::Campaign& campaign : session.campaigns()) {
        listed += static_cast<int>(campaign.runs.size());
    }
    const auto imported =
        static_cast<int>(std::ranges::count(session.own(), Origin::Imported, &RunResult::origin));
    summary.runs = listed + imported;
    summary.status = Sidebar::tr("No run active");
    const run::Campaign* open = session.openCampaign();
    if (const run::RunState* active = session.activeRun(); active != nullptr && open != nullptr) {
        describeActive(*open, *active, session.vocabulary(), summary);
        summary.status =
            Sidebar::tr("1 run active, %1 queued").arg(countText(countIn(*open, run::RunPhase::Queued)));
    } else if (open != nullptr && !open->runnerAlive) {
        summary.status = Sidebar::tr("%1 runs wait: their runner has ended")
                             .arg(countText(countIn(*open, run::RunPhase::Queued)));
    }
    return summary;
}

}  // namespace dlperf::ui
