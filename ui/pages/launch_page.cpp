// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/launch_page.h"

#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <span>
#include <utility>

#include "core/base/file.h"
#include "core/launch/past_runs.h"
#include "core/store/names.h"
#include "ui/pages/case_panel.h"
#include "ui/pages/plan_panel.h"
#include "ui/pages/planned_runs.h"
#include "ui/session/node_list.h"
#include "ui/session/session.h"
#include "ui/theme/fonts.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int followMilliseconds = 50;
constexpr int narrowBelow = 1100;  // px of the page
constexpr int leastRuns = 380;     // px, where one stands below the other
constexpr int leastCase = 320;

}  // namespace

LaunchPage::LaunchPage(Session& session, QWidget* parent)
    : Page(tr("Launch"), {760, 480}, parent), session_(session) {
    buildHeader();
    buildBody();
    connect(&session_, &Session::resultsChanged, this, &LaunchPage::learnTimes);
    learnTimes();
    connect(&session_, &Session::statusChanged, this, &LaunchPage::showStart);
    // Hundreds of nodes answer at about the same time: they are followed together.
    following_.setSingleShot(true);
    following_.setInterval(followMilliseconds);
    connect(&following_, &QTimer::timeout, this, &LaunchPage::followNodes);
    connect(&session_.nodes(), &NodeList::listChanged, &following_, qOverload<>(&QTimer::start));
    connect(&session_.nodes(), &NodeList::entryChanged, &following_, qOverload<>(&QTimer::start));
    usePlan(session_.resources() / "plans" / "resnet50-this-machine.json");
}

void LaunchPage::buildHeader() {
    QPushButton* open = makeButton(tr("Open plan"), QStringLiteral("folder"));
    auto* menu = new QMenu(open);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillPlans(menu); });
    open->setMenu(menu);
    addAction(open);
    QPushButton* save = makeButton(tr("Save plan"), QStringLiteral("save"));
    save->setShortcut(QKeySequence::Save);
    save->setToolTip(tr("Writes the plan to a file, to be opened again or run by dlperf (Ctrl+S)"));
    connect(save, &QPushButton::clicked, this, &LaunchPage::savePlanAs);
    addAction(save);
}

void LaunchPage::buildBody() {
    QVBoxLayout* column = roomyBody();
    question_ = new Banner;
    column->addWidget(question_);
    banner_ = new Banner;
    column->addWidget(banner_);
    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    column->addLayout(row, 1);
    QWidget* host = column->parentWidget();
    plan_ = new PlanPanel(session_.vocabulary(), host);
    plan_->setEnabled(false);  // until there is a plan
    row->addWidget(plan_);
    both_ = new QBoxLayout(QBoxLayout::LeftToRight);
    row->addLayout(both_, 1);
    runs_ = new PlannedRuns(session_.vocabulary(), host);
    both_->addWidget(runs_, 54);
    case_ = new CasePanel(host);
    both_->addWidget(case_, 46);
    connect(plan_, &PlanPanel::changed, this, &LaunchPage::change);
    connect(runs_, &PlannedRuns::caseChosen, this,
            [this](std::size_t run) { chooseCase(draft_->prepared.runs[run]); });
    connect(runs_, &PlannedRuns::startRequested, this, &LaunchPage::primaryAction);
    connect(runs_, &PlannedRuns::noteTriggered, this, &LaunchPage::act);
    connect(question_, &Banner::actionTriggered, this, [this] {
        question_->hide();
        if (asking_) {
            asking_ = false;
            trust(draft_->bytes);
            showStart();
        } else if (before_) {
            take(*std::exchange(before_, {}), false);
        }
    });
}

// What runs stands below the runs where there is no room beside them; the page scrolls then.
void LaunchPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    const bool narrow = width() < scaled(narrowBelow);
    both_->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    runs_->setMinimumHeight(narrow ? scaled(leastRuns) : 0);
    case_->setMinimumHeight(narrow ? scaled(leastCase) : 0);
}

// The plans of this workspace, then those that come with the program.
void LaunchPage::fillPlans(QMenu* menu) {
    menu->clear();
    const auto addFolder = [&](const std::filesystem::path& folder) {
        const QDir plans(QString::fromStdString(folder.string()));
        for (const QFileInfo& file :
             plans.entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Time)) {
            const std::filesystem::path path = file.filePath().toStdString();
            menu->addAction(file.completeBaseName(), this, [this, path] { usePlan(path); });
        }
        menu->addSeparator();
    };
    addFolder(session_.workspace().root() / "plans");
    addFolder(session_.resources() / "plans");
    menu->addAction(tr("From a &file …"), this, &LaunchPage::choosePlan);
}

void LaunchPage::usePlan(const std::filesystem::path& file) {
    load(file, false);
}

void LaunchPage::openPlan(const std::filesystem::path& file) {
    load(file, true);
}

void LaunchPage::choosePlan() {
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Open a plan"), {}, tr("Plans (*.json);;All files (*)"));
    if (!file.isEmpty()) {
        openPlan(file.toStdString());
    }
}

void LaunchPage::savePlanAs() {
    if (!draft_) {
        return;
    }
    const auto folder = session_.workspace().root() / "plans";
    if (const auto made = makeFolders(folder); !made) {
        banner_->showError(made.error());
        return;
    }
    const std::string name = store::pathComponent(store::encodedName(draft_->plan.name, {})) + ".json";
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Save the plan"), QString::fromStdString((folder / name).string()), tr("Plans (*.json)"));
    if (file.isEmpty()) {
        return;
    }
    session_.background().write(
        this,
        [plan = draft_->plan, path = std::filesystem::path(file.toStdString())] {
            return savePlan(plan, path);
        },
        [this, file](const Result<void>& saved) {
            banner_->setClosable(true);
            if (saved) {
                banner_->showMessage("ok", tr("The plan was saved."), file);
            } else {
                banner_->showError(saved.error());
            }
        });
}

void LaunchPage::load(const std::filesystem::path& file, bool fromOutside) {
    session_.background().ask(
        this,
        [file, resources = session_.resources(), &vocabulary = session_.vocabulary(),
         cluster = session_.nodes().cluster()] { return readDraft(file, resources, vocabulary, cluster); },
        [this, fromOutside, question = ++asked_](const Result<PlanDraft>& draft) {
            if (question == asked_) {  // else another plan was asked for meanwhile
                take(draft, fromOutside);
            }
        });
}

void LaunchPage::take(const Result<PlanDraft>& draft, bool fromOutside) {
    if (!draft) {
        banner_->setClosable(true);
        banner_->showError(draft.error());
        return;
    }
    // What is being typed belongs to the plan before.
    if (QWidget* focused = QApplication::focusWidget(); focused != nullptr && plan_->isAncestorOf(focused)) {
        focused->clearFocus();
    }
    before_ = draft_ && draft_->changed ? std::exchange(draft_, {}) : std::nullopt;
    draft_ = *draft;
    asking_ = fromOutside && !isTrusted(draft_->bytes);
    banner_->hide();
    plan_->setEnabled(true);
    ask();
    draft_->cluster = session_.nodes().cluster();  // they may have been asked meanwhile
    prepareDraft(*draft_, session_.vocabulary());
    showDraft();
    emit planShown();
}

// Sorting 10,000 results by case takes its time, so another thread does it.
void LaunchPage::learnTimes() {
    session_.background().ask(
        this,
        [results = session_.results(), count = session_.own().size()] {
            return launch::ExpectedTimes(std::span(*results).first(count));
        },
        [this](launch::ExpectedTimes&& times) {
            times_ = std::move(times);
            timesChanged_ = true;
            if (draft_) {
                showRuns();
                showNotes();
            }
            emit timesShown();
        });
}

// A plan from outside is asked about; changes of the one before can be had back.
void LaunchPage::ask() {
    question_->setClosable(!asking_);
    if (asking_) {
        question_->showMessage(
            "warn", tr("A plan from outside starts programs on your nodes."),
            tr("Look at its options and at the script and environment on the right first."), {},
            tr("Use this plan"));
    } else if (before_) {
        question_->showMessage("info",
                               tr("Another plan stands here now; \"%1\" had changes that were not saved.")
                                   .arg(QString::fromStdString(before_->plan.name)),
                               {}, {}, tr("Take it back"));
    } else {
        question_->hide();
    }
}

void LaunchPage::change(const launch::Plan& plan) {
    if (!draft_) {
        return;
    }
    draft_->plan = plan;
    prepareDraft(*draft_, session_.vocabulary());
    showDraft();
}

// A probe may tell how many devices there are; what it does not change is left alone.
void LaunchPage::followNodes() {
    if (!draft_) {
        return;
    }
    cluster::Cluster cluster = session_.nodes().cluster();
    if (toJson(cluster) == toJson(draft_->cluster) && !shownRuns_.empty()) {
        showNotes();  // only what the checks say
        plan_->showNodes(session_.nodes().entries());
        showStart();
        return;
    }
    draft_->cluster = std::move(cluster);
    prepareDraft(*draft_, session_.vocabulary());
    showDraft();
}

void LaunchPage::act(PlanNote::Action action) {
    launch::Plan plan = draft_->plan;
    switch (action) {
        case PlanNote::Action::SkipDone:
            change(launch::withoutDoneCases(draft_->plan, draft_->prepared, session_.own()));
            break;
        case PlanNote::Action::RunAll:
            plan.only.clear();
            change(plan);
            break;
        case PlanNote::Action::ShowNodes:
            emit nodesRequested();
            break;
        case PlanNote::Action::None:
            break;
    }
}

void LaunchPage::showDraft() {
    setSubtitle(draft_->changed ? tr("Plan: %1, changed").arg(QString::fromStdString(draft_->plan.name))
                                : tr("Plan: %1").arg(QString::fromStdString(draft_->plan.name)));
    plan_->showDraft(*draft_);
    plan_->showNodes(session_.nodes().entries());
    showRuns();
    showNotes();
    showStart();
}

// The case that the user looks at stays, with what changed in it.
void LaunchPage::showRuns() {
    const auto& runs = draft_->prepared.runs;
    std::vector<std::pair<Case, int>> shown;
    shown.reserve(runs.size());
    for (const launch::PlannedRun& run : runs) {
        shown.emplace_back(run.benchmarkCase, run.repetition);
    }
    // An option that changes no case, or the plan's name, leaves thousands of cells as they are.
    if (shown != shownRuns_ || timesChanged_) {
        shownRuns_ = std::move(shown);
        timesChanged_ = false;
        runs_->showDraft(*draft_, times_, chosen_);
    }
    if (runs.empty()) {
        case_->clear();
        return;
    }
    const auto kept = std::ranges::find(runs, chosen_, &launch::PlannedRun::benchmarkCase);
    chooseCase(kept == runs.end() ? runs.front() : *kept);
}

void LaunchPage::chooseCase(const launch::PlannedRun& run) {
    chosen_ = run.benchmarkCase;
    case_->showRun(run, tr("%1, %2, batch %3")
                            .arg(recipeText(chosen_.configuration),
                                 QString::fromStdString(dlperf::toString(chosen_.topology)))
                            .arg(chosen_.configuration.batchSize));
}

void LaunchPage::showNotes() {
    runs_->setNotes(notesOf(*draft_, session_.own(), times_, session_.nodes()));
}

void LaunchPage::showStart() {
    if (!draft_) {
        runs_->setStart(tr("Start"), false, {}, {});
        return;
    }
    const auto& runs = draft_->prepared.runs;
    const QString text = runs.size() == 1 ? tr("Start 1 run") : tr("Start %1 runs").arg(runs.size());
    const run::Campaign* open = session_.openCampaign();
    const bool busy = open != nullptr && open->runnerAlive;
    const bool possible =
        !runs.empty() && !asking_ && !busy && !session_.isStarting() && session_.nodes().isAccepted();
    if (busy) {
        const QString plan = QString::fromStdString(open->plan);
        runs_->setStart(text, possible,
                        tr("A workspace runs one plan at a time; \"%1\" is running").arg(plan),
                        tr("%1 is running").arg(plan));
    } else if (runs.empty()) {
        runs_->setStart(text, possible, {}, tr("Nothing to run"));
    } else {
        const Case& first = runs.front().benchmarkCase;
        runs_->setStart(text, possible,
                        asking_ ? tr("Look at the plan first, then use it")
                        : session_.nodes().isAccepted()
                            ? QString()
                            : tr("Look at the node list first: Cluster asks about it"),
                        tr("First: %1, %2, batch %3")
                            .arg(recipeText(first.configuration),
                                 QString::fromStdString(dlperf::toString(first.topology)))
                            .arg(first.configuration.batchSize));
    }
}

void LaunchPage::primaryAction() {
    if (!runs_->startButton()->isEnabled()) {
        return;
    }
    const auto files = filesToStart(*draft_, session_.workspace());
    const auto begun = files ? session_.startPlan(files->plan, files->cluster) : Failure(files.error());
    if (!begun) {
        banner_->setClosable(true);
        banner_->showError(begun.error());
        return;
    }
    showStart();
    emit started();
}

void LaunchPage::enter() {
    runs_->startButton()->setFocus(Qt::OtherFocusReason);
}

}  // namespace dlperf::ui
