// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/launch_page.h"

#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>
#include <algorithm>
#include <span>
#include <utility>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/mapped.h"
#include "core/launch/plan_nodes.h"
#include "core/launch/prepare.h"
#include "core/store/names.h"
#include "ui/pages/case_panel.h"
#include "ui/pages/plan_panel.h"
#include "ui/pages/readiness_panel.h"
#include "ui/session/node_list.h"
#include "ui/session/readiness.h"
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
constexpr int narrowPlanBelow = 720;  // px of the page
constexpr int usualPlan = 344;
constexpr int narrowPlan = 310;
constexpr QLatin1String keptPlan("plan");  // in the workspace's settings

}  // namespace

LaunchPage::LaunchPage(Session& session, QWidget* parent)
    : Page(tr("Launch"), {620, 480}, parent), session_(session) {
    buildHeader();
    buildBody();
    connect(&session_, &Session::resultsChanged, this, &LaunchPage::learnTimes);
    connect(&session_, &Session::resultsChanged, this, &LaunchPage::followFormats);
    learnTimes();
    connect(&session_, &Session::statusChanged, this, &LaunchPage::showStart);
    connect(&session_, &Session::runnerStarted, this, &LaunchPage::showStart);
    connect(&session_.measurement(), &Measurement::changed, this, &LaunchPage::showStart);
    // Hundreds of nodes answer at about the same time: they are followed together.
    following_.setSingleShot(true);
    following_.setInterval(followMilliseconds);
    connect(&following_, &QTimer::timeout, this, &LaunchPage::followNodes);
    connect(&session_.nodes(), &NodeList::listChanged, &following_, qOverload<>(&QTimer::start));
    connect(&session_.nodes(), &NodeList::entryChanged, &following_, qOverload<>(&QTimer::start));
    if (!useKeptPlan()) {
        usePlan(session_.resources() / "plans" / "resnet50-this-machine.json");
    }
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
    replaced_ = new Banner;  // above the question: it stays where it is when that goes
    column->addWidget(replaced_);
    question_ = new Banner;
    column->addWidget(question_);
    banner_ = new Banner;
    column->addWidget(banner_);
    QHBoxLayout* row = makeRow(nullptr, {}, 10);
    column->addLayout(row, 1);
    QWidget* host = column->parentWidget();
    plan_ = new PlanPanel(session_.vocabulary(), host);
    plan_->setEnabled(false);  // until there is a plan
    row->addWidget(plan_);
    both_ = new QBoxLayout(QBoxLayout::LeftToRight);
    row->addLayout(both_, 1);
    runs_ = new PlannedRuns(session_.vocabulary(), host);
    QVBoxLayout* left = makeColumn(nullptr, {}, 10);
    both_->addLayout(left, 54);
    left->addWidget(runs_, 1);
    readiness_ = new ReadinessPanel(host);
    left->addWidget(readiness_);
    case_ = new CasePanel(host);
    both_->addWidget(case_, 46);
    connect(readiness_, &ReadinessPanel::prepareRequested, &session_.readiness(), &Readiness::prepare);
    connect(readiness_, &ReadinessPanel::cancelRequested, &session_.readiness(), &Readiness::cancel);
    connect(readiness_, &ReadinessPanel::lookRequested, &session_.readiness(), &Readiness::lookAgain);
    connect(&session_.readiness(), &Readiness::changed, this, [this] {
        readiness_->showRows(session_.readiness().rows(), session_.readiness().isPreparing());
        showStart();
    });
    connect(plan_, &PlanPanel::changed, this, &LaunchPage::change);
    connect(plan_, &PlanPanel::recipeAsked, this, &LaunchPage::chooseRecipe);
    connect(runs_, &PlannedRuns::caseChosen, this,
            [this](std::size_t run) { chooseCase(draft_->prepared.runs[run]); });
    connect(runs_, &PlannedRuns::startRequested, this, &LaunchPage::primaryAction);
    connect(runs_, &PlannedRuns::noteTriggered, this, &LaunchPage::act);
    connect(replaced_, &Banner::closed, this, [this] {
        before_.reset();
        keepPlan();
    });
    connect(replaced_, &Banner::actionTriggered, this, [this] {
        if (before_) {
            take(*std::exchange(before_, {}), false);
        }
    });
    connect(question_, &Banner::actionTriggered, this, [this] {
        asking_ = false;
        trust(draft_->bytes);
        ask();
        keepPlan();
        showReadiness();
        showStart();
    });
}

// What runs stands below the runs where there is no room beside them; the page scrolls then.
void LaunchPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    const bool narrow = width() < scaled(narrowBelow);
    both_->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    plan_->setFixedWidth(scaled(width() < scaled(narrowPlanBelow) ? narrowPlan : usualPlan));
    runs_->setMinimumHeight(narrow ? scaled(leastRuns) : 0);
    case_->setMinimumHeight(narrow ? scaled(leastCase) : 0);
}

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
    menu->addSeparator();
    menu->addAction(tr("Add a &recipe …"), this, &LaunchPage::chooseRecipe);
}

void LaunchPage::chooseRecipe() {
    askForFolder(this, tr("Add a recipe: the folder that holds recipe.json and launch.sh"),
                 [this](const std::filesystem::path& folder) { addRecipe(folder); });
}

// Into the workspace, so that a copy of it brings its trainers along.
void LaunchPage::addRecipe(const std::filesystem::path& folder) {
    struct Added {
        Result<launch::Recipe> recipe;
        launch::RecipeBook all;
    };
    session_.background().write(
        this,
        [folder, resources = session_.resources(), workspace = session_.workspace().root()] {
            auto recipe = launch::addRecipe(folder, resources, workspace);
            return Added{std::move(recipe), launch::readRecipes(launch::recipeFolders(resources, workspace))};
        },
        [this](Added&& added) {
            if (!added.recipe) {
                banner_->showError(added.recipe.error());
                return;
            }
            const QString name = QString::fromStdString(added.recipe->name);
            banner_->showMessage("ok", tr("The recipe %1 can be chosen now.").arg(name),
                                 tr("It was copied into the workspace."));
            if (draft_) {
                draft_->recipes = std::move(added.all);
                change(draft_->plan);
            }
        });
}

void LaunchPage::choosePlan() {
    askForFile(this, tr("Open a plan"), tr("Plans (*.json);;All files (*)"),
               [this](const std::filesystem::path& file) { openPlan(file); });
}

void LaunchPage::savePlanAs() {
    if (!draft_) {
        return;
    }
    const auto folder = session_.workspace().root() / "plans";
    if (const auto made = makeFolder(folder); !made) {
        banner_->showError(made.error());
        return;
    }
    const std::string name = store::proposedFileName(draft_->plan.name) + ".json";
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
        [this, file, plan = draft_->plan, asked = asked_](const Result<void>& saved) {
            if (saved) {
                banner_->showMessage("ok", tr("The plan was saved."), file);
                if (asked == asked_) {  // else another plan may be here by now
                    draft_->original = plan;
                    change(draft_->plan);
                }
            } else {
                banner_->showError(saved.error());
            }
        });
}

void LaunchPage::load(const std::filesystem::path& file, bool fromOutside) {
    loadWith([file](const auto&... place) { return readDraft(file, place...); }, fromOutside);
}

void LaunchPage::usePlan(const launch::Plan& plan) {
    loadWith([plan](const auto&... place) { return Result<PlanDraft>(draftOf(plan, place...)); }, false);
}

template <class Read>
void LaunchPage::loadWith(const Read& read, bool fromOutside) {
    session_.background().ask(
        this,
        [read, resources = session_.resources(), workspace = session_.workspace().root(),
         &vocabulary = session_.vocabulary(), cluster = session_.nodes().cluster(),
         formats = session_.formats()] { return read(resources, workspace, vocabulary, cluster, formats); },
        [this, fromOutside, question = ++asked_](const Result<PlanDraft>& draft) {
            // Else another plan was asked for meanwhile, which takes the place of the kept one alone.
            if (question == asked_ || question == kept_) {
                take(draft, fromOutside);
            }
        });
}

// A plan that was changed and not saved is there again when the workspace is opened the next time.
bool LaunchPage::useKeptPlan() {
    QSettings settings;
    settings.beginGroup(session_.settingsGroup());
    const std::string kept = settings.value(keptPlan).toByteArray().toStdString();
    const auto json = kept.empty() ? Failure(Error{}) : parseJson(kept, {});
    const auto plan = json ? launch::planFromJson(*json, {}) : Failure(json.error());
    if (!plan) {
        return false;
    }
    kept_ = asked_ + 1;
    loadWith(
        [plan = *plan](const auto&... place) {
            PlanDraft draft = draftOf(plan, place...);
            draft.original = {};  // no file has it
            return Result<PlanDraft>(draft);
        },
        false);
    return true;
}

void LaunchPage::keepPlan() const {
    if (asking_) {
        return;  // it is not the user's yet
    }
    QSettings settings;
    settings.beginGroup(session_.settingsGroup());
    if (draft_->changed || before_) {
        const launch::Plan& plan = draft_->changed ? draft_->plan : before_->plan;
        settings.setValue(keptPlan, QByteArray::fromStdString(launch::toJson(plan).dump()));
    } else {
        settings.remove(keptPlan);
    }
}

void LaunchPage::takeOver(const LaunchPage& other) {
    if (!other.draft_) {
        return;
    }
    ++asked_;  // the plan that is being read is not wanted any more
    kept_ = 0;
    draft_.reset();
    take(*other.draft_, other.asking_);
    before_ = other.before_;
    ask();
    keepPlan();
}

void LaunchPage::take(const Result<PlanDraft>& draft, bool fromOutside) {
    if (!draft) {
        banner_->showError(draft.error());
        return;
    }
    // What is being typed belongs to the plan before.
    if (QWidget* focused = QApplication::focusWidget(); focused != nullptr && plan_->isAncestorOf(focused)) {
        focused->clearFocus();
    }
    // What nobody agreed to is not had back; what was left before stays, as long as nothing takes its place.
    if (draft_ && draft_->changed && !asking_) {
        before_ = std::exchange(draft_, {});
    }
    draft_ = *draft;
    asking_ = fromOutside && !isTrusted(draft_->bytes);
    banner_->hide();
    plan_->setEnabled(true);
    plan_->startAnew();
    ask();
    draft_->cluster = session_.nodes().cluster();  // they may have been asked meanwhile
    prepareDraft(*draft_, session_.vocabulary(), session_.formats());
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

// Log formats come with the results: a recipe's may be known now.
void LaunchPage::followFormats() {
    if (draft_ && draft_->problem) {
        const std::string before = describe(*draft_->problem);
        prepareDraft(*draft_, session_.vocabulary(), session_.formats());
        if (!draft_->problem || describe(*draft_->problem) != before) {
            showDraft();
        }
    }
}

// A plan from outside is asked about; changes of the one before can be had back.
void LaunchPage::ask() {
    if (asking_) {
        question_->showMessage(
            "warn", tr("A plan from outside starts programs on your nodes."),
            tr("Look at its options and at the script and environment on the right first."), {},
            tr("Use this plan"));
        question_->setClosable(false);
    } else {
        question_->hide();
    }
    if (before_) {
        replaced_->showMessage("info",
                               tr("Another plan stands here now; \"%1\" had changes that were not saved.")
                                   .arg(QString::fromStdString(before_->plan.name)),
                               {}, {}, tr("Take it back"));
    } else {
        replaced_->hide();
    }
}

void LaunchPage::change(const launch::Plan& plan) {
    if (!draft_) {
        return;
    }
    draft_->plan = plan;
    prepareDraft(*draft_, session_.vocabulary(), session_.formats());
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
    prepareDraft(*draft_, session_.vocabulary(), session_.formats());
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
            plan.completesEarlier = false;
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
    showReadiness();
    showStart();
    keepPlan();
}

// A plan from outside, or a node list that was not looked at, asks no node anything.
void LaunchPage::showReadiness() {
    if (asking_ || !session_.nodes().isAccepted()) {
        return;
    }
    if (const auto nodes = launch::planNodes(draft_->plan, draft_->cluster, draft_->recipes)) {
        session_.readiness().look(*nodes);
    }
}

// The case that the user looks at stays, with what changed in it.
void LaunchPage::showRuns() {
    const auto& runs = draft_->prepared.runs;
    auto shown = mapped(
        runs, [](const launch::PlannedRun& run) { return std::pair(run.benchmarkCase, run.repetition); });
    // An option that changes no case, or the plan's name, leaves thousands of cells as they are.
    const bool addsRuns = draft_->plan.addsRuns();
    if (shown != shownRuns_ || addsRuns != shownMore_ || timesChanged_) {
        shownRuns_ = std::move(shown);
        shownMore_ = addsRuns;
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
    const QString text = draft_->plan.addsRuns() ? tr("Start %1+ runs").arg(runs.size())
                         : runs.size() == 1      ? tr("Start 1 run")
                                                 : tr("Start %1 runs").arg(runs.size());
    const run::Campaign* open = session_.openCampaign();
    const bool busy = open != nullptr && open->runnerAlive;
    const bool measuring = session_.measurement().isRunning();
    const Readiness& readiness = session_.readiness();
    const std::size_t unready = readiness.count(run::EnvironmentPhase::ToPrepare);
    const std::size_t impossible = readiness.count(run::EnvironmentPhase::Failed);
    const bool possible = !runs.empty() && !asking_ && !busy && !measuring && !session_.isStarting() &&
                          session_.nodes().isAccepted() && !readiness.isPreparing() &&
                          unready + impossible == 0;
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
                        measuring ? tr("The hardware is being measured: the runs would be measured as well")
                        : asking_ ? tr("Look at the plan first, then use it")
                        : !session_.nodes().isAccepted()
                            ? tr("Look at the node list first: Cluster asks about it")
                        : readiness.isPreparing() ? tr("The nodes are being prepared")
                        : impossible > 0 ? tr("Some nodes lack what a recipe needs: the list below says what")
                        : unready > 0    ? tr("Prepare the nodes first")
                                         : QString(),
                        tr("First: %1, %2, batch %3")
                            .arg(recipeText(first.configuration),
                                 QString::fromStdString(dlperf::toString(first.topology)))
                            .arg(first.configuration.batchSize));
    }
}

bool LaunchPage::isSettled() const {
    return session_.readiness().count(run::EnvironmentPhase::Looking) == 0;
}

void LaunchPage::primaryAction() {
    if (!runs_->startButton()->isEnabled()) {
        return;
    }
    const auto files = filesToStart(*draft_, session_.workspace());
    const auto begun = files ? session_.startPlan(files->plan, files->cluster) : Failure(files.error());
    if (!begun) {
        banner_->showError(begun.error());
        return;
    }
    showStart();
    emit started();
}

// Not to the button: who changes to this page and types on would start a campaign by the space bar.
void LaunchPage::enter() {
    if (QWidget* first = entryOf(*runs_)) {
        first->setFocus(Qt::OtherFocusReason);
    }
}

}  // namespace dlperf::ui
