// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/launch_page.h"

#include <QCryptographicHash>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QVBoxLayout>
#include <algorithm>
#include <thread>

#include "ui/pages/case_panel.h"
#include "ui/pages/plan_panel.h"
#include "ui/pages/run_matrix.h"
#include "ui/session/machine_facts.h"
#include "ui/session/session.h"
#include "ui/theme/numbers.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

void empty(QLayout* layout) {
    while (QLayoutItem* item = layout->takeAt(0)) {
        delete item->widget();
        if (QLayout* inner = item->layout()) {
            empty(inner);
        }
        delete item;
    }
}

QString trustKey(const std::string& bytes) {
    const QByteArray hash =
        QCryptographicHash::hash(QByteArray::fromStdString(bytes), QCryptographicHash::Sha256).toHex();
    return QStringLiteral("trusted-plans/") + QString::fromLatin1(hash);
}

}  // namespace

LaunchPage::LaunchPage(Session& session, QWidget* parent)
    : Page(tr("Launch"), {1080, 480}, parent), session_(session) {
    build();
    connect(&session_, &Session::resultsChanged, this, [this] {
        if (draft_) {
            show(false);
        }
    });
    connect(&session_, &Session::statusChanged, this, &LaunchPage::showStart);
    usePlan(session_.resources() / "plans" / "resnet50-this-machine.json");
}

void LaunchPage::build() {
    QPushButton* open = makeButton(tr("Open plan …"), QStringLiteral("folder"));
    connect(open, &QPushButton::clicked, this, &LaunchPage::choosePlan);
    addAction(open);
    QVBoxLayout* column = roomyBody();
    banner_ = new Banner;
    column->addWidget(banner_);
    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    plan_ = new PlanPanel(session_.vocabulary());
    row->addWidget(plan_);
    row->addWidget(buildRuns(), 54);
    case_ = new CasePanel;
    row->addWidget(case_, 46);
    column->addLayout(row, 1);
    connect(plan_, &PlanPanel::changed, this, &LaunchPage::change);
    connect(banner_, &Banner::actionTriggered, this, [this] {
        asking_ = false;
        banner_->hide();
        trust(draft_->bytes);
        showStart();
    });
}

QWidget* LaunchPage::buildFigures() {
    auto* host = new QFrame;
    host->setProperty("kind", "panelheader");
    auto* row = new QHBoxLayout(host);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    const auto add = [&](const QString& unit) {
        if (row->count() > 0) {
            row->addWidget(makeVerticalSeparator());
        }
        auto* column = new QVBoxLayout;
        column->setContentsMargins(14, 9, 10, 9);
        column->setSpacing(2);
        QLabel* value = makeLabel({}, "figure");
        column->addWidget(value);
        column->addWidget(makeLabel(unit, "secondary"));
        row->addLayout(column, 1);
        return value;
    };
    runCount_ = add(tr("runs"));
    caseCount_ = add(tr("cases"));
    time_ = add(tr("about"));
    nodeCount_ = add(tr("nodes at most"));
    return host;
}

QWidget* LaunchPage::buildRuns() {
    runs_ = new Panel;
    runs_->addHeader(tr("Runs"));
    runs_->body()->addWidget(buildFigures());
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->viewport()->setAutoFillBackground(false);
    auto* content = new QWidget;
    content->setProperty("kind", "clear");
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    matrix_ = new RunMatrix;
    connect(matrix_, &RunMatrix::caseChosen, this,
            [this](std::size_t run) { chooseCase(draft_->prepared.runs[run]); });
    column->addWidget(matrix_);
    notes_ = new QVBoxLayout;
    notes_->setSpacing(0);
    column->addLayout(notes_);
    column->addStretch(1);
    scroll->setWidget(content);
    runs_->body()->addWidget(scroll, 1);
    auto* foot = new QFrame;
    foot->setProperty("kind", "panelfooter");
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(12, 11, 12, 11);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    first_ = makeLabel({}, "strong");
    words->addWidget(first_);
    words->addWidget(makeLabel(tr("Runs go on when this window is closed."), "caption"));
    row->addLayout(words, 1);
    start_ = makeButton({}, QStringLiteral("launch"), "primary");
    connect(start_, &QPushButton::clicked, this, &LaunchPage::primaryAction);
    row->addWidget(start_);
    runs_->body()->addWidget(foot);
    return runs_;
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

void LaunchPage::load(const std::filesystem::path& file, bool fromOutside) {
    session_.machineBackground().ask(
        this,
        [file, resources = session_.resources(), &vocabulary = session_.vocabulary()] {
            return readDraft(file, resources, vocabulary, machineAsCluster());
        },
        [this, fromOutside](const Result<PlanDraft>& draft) { take(draft, fromOutside); });
}

void LaunchPage::take(const Result<PlanDraft>& draft, bool fromOutside) {
    if (!draft) {
        banner_->showError(draft.error());
        return;
    }
    draft_ = *draft;
    asking_ = fromOutside && !isTrusted(draft_->bytes);
    if (asking_) {
        banner_->setClosable(false);
        banner_->showMessage("warn", tr("A plan from outside starts programs on this machine."),
                             tr("Look at its options and at the script and environment on the right first."),
                             {}, tr("Use this plan"));
    } else {
        banner_->hide();
    }
    plan_->showDraft(*draft_);
    show(true);
    emit planShown();
}

void LaunchPage::change(const launch::Plan& plan) {
    PlanDraft next = *draft_;
    next.plan = plan;
    if (plan.topologies.empty() || plan.batchSizes.empty() || plan.precisions.empty()) {
        next.prepared = {};
    } else if (auto prepared = prepareDraft(next, session_.vocabulary()); !prepared) {
        banner_->showError(prepared.error());
        return;
    }
    draft_ = std::move(next);
    if (!asking_) {
        banner_->hide();
    }
    show(true);
}

void LaunchPage::show(bool newDraft) {
    setSubtitle(tr("Plan: %1").arg(QString::fromStdString(draft_->plan.name)));
    showMatrix(newDraft);
    showNotes();
    showStart();
}

// A finished run changes times only: the case that the user looks at stays.
void LaunchPage::showMatrix(bool newDraft) {
    const auto& runs = draft_->prepared.runs;
    const auto first = std::ranges::find_if(
        runs, [this](const launch::PlannedRun& run) { return run.benchmarkCase == chosen_; });
    const bool kept = first != runs.end();
    matrix_->showRuns(runs, session_.own(), kept ? static_cast<std::size_t>(first - runs.begin()) : 0);
    const MatrixTotals& totals = matrix_->totals();
    runs_->setTitle(tr("Runs"), tr("%1 repetitions in each cell").arg(draft_->plan.repetitions));
    runCount_->setText(QString::number(runs.size()));
    caseCount_->setText(QString::number(totals.cases));
    time_->setText(totals.time ? roughly(*totals.time) : missing);
    time_->setToolTip(totals.time ? QString() : tr("The first run tells: no earlier run to judge by"));
    nodeCount_->setText(QString::number(totals.nodes));
    if (runs.empty()) {
        case_->clear();
    } else if (!kept || newDraft) {
        chooseCase(kept ? *first : runs.front());
    }
}

void LaunchPage::chooseCase(const launch::PlannedRun& run) {
    chosen_ = run.benchmarkCase;
    const Case& chosen = chosen_;
    case_->showRun(run,
                   tr("%1, %2, batch %3")
                       .arg(recipeText(chosen.subject), QString::fromStdString(toString(chosen.topology)))
                       .arg(chosen.subject.batchSize));
}

void LaunchPage::addNote(const QString& iconName, const char* state, const QString& text) {
    notes_->addWidget(makeSeparator());
    auto* host = new QWidget;
    auto* row = new QHBoxLayout(host);
    row->setContentsMargins(14, 9, 14, 9);
    row->setSpacing(10);
    row->addWidget(makeIcon(iconName, state), 0, Qt::AlignTop);
    QLabel* words = makeLabel(text);
    words->setWordWrap(true);
    row->addWidget(words, 1);
    notes_->addWidget(host);
}

void LaunchPage::showNotes() {
    empty(notes_);
    const auto& prepared = draft_->prepared;
    const auto own = std::ranges::count_if(session_.own(), [](const RunResult& result) {
        return result.origin == Origin::Own && result.outcome == Outcome::Ok;
    });
    addNote(
        QStringLiteral("state-queued"), "idle",
        own > 0
            ? tr("Time from earlier runs in this workspace: %1.").arg(own)
            : tr("No earlier run in this workspace tells how long this takes; the first one will. A run is "
                 "stopped after %1 min at the latest.")
                  .arg((draft_->plan.timeoutSeconds + 59) / 60));
    const bool sharesCores = std::ranges::any_of(prepared.runs, [](const launch::PlannedRun& run) {
        return run.benchmarkCase.subject.framework == "dlperf-worker" &&
               run.benchmarkCase.topology.devices > 1 &&
               run.benchmarkCase.subject.variant.contains("image_size");
    });
    if (sharesCores) {
        addNote(QStringLiteral("info"), "info",
                tr("Expect a poor speedup here. All processes share this machine's %1 cores, and small "
                   "images leave "
                   "little work between two exchanges of gradients. The plan shows that everything works, "
                   "not how "
                   "well the machine scales.")
                    .arg(std::thread::hardware_concurrency()));
    }
    for (const Error& skipped : prepared.skipped) {
        addNote(QStringLiteral("state-warn"), "warn", QString::fromStdString(describe(skipped)));
    }
    for (const Error& problem : draft_->recipes.problems) {
        addNote(QStringLiteral("state-warn"), "warn", QString::fromStdString(describe(problem)));
    }
    notes_->addWidget(makeSeparator());
}

void LaunchPage::showStart() {
    if (!draft_) {
        start_->setText(tr("Start"));
        start_->setEnabled(false);
        return;
    }
    const auto& runs = draft_->prepared.runs;
    start_->setText(runs.size() == 1 ? tr("Start 1 run") : tr("Start %1 runs").arg(runs.size()));
    const run::CampaignStatus* open = session_.openCampaign();
    const bool busy = open != nullptr && open->runnerAlive;
    start_->setEnabled(!runs.empty() && !asking_ && !busy && !session_.isStarting());
    start_->setToolTip(busy ? tr("A workspace runs one plan at a time; \"%1\" is running")
                                  .arg(QString::fromStdString(open->plan))
                            : QString());
    if (busy) {
        first_->setText(tr("%1 is running").arg(QString::fromStdString(open->plan)));
    } else if (runs.empty()) {
        first_->setText(tr("Nothing to run"));
    } else {
        const Case& first = runs.front().benchmarkCase;
        first_->setText(tr("First: %1, %2, batch %3")
                            .arg(recipeText(first.subject), QString::fromStdString(toString(first.topology)))
                            .arg(first.subject.batchSize));
    }
}

void LaunchPage::primaryAction() {
    if (!start_->isEnabled()) {
        return;
    }
    const auto file = fileToStart(*draft_, session_.workspace());
    const auto begun = file ? session_.startPlan(*file) : Failure(file.error());
    if (!begun) {
        banner_->setClosable(true);
        banner_->showError(begun.error());
        return;
    }
    start_->setEnabled(false);
    emit started();
}

bool LaunchPage::isTrusted(const std::string& bytes) {
    return QSettings().value(trustKey(bytes)).toBool();
}

void LaunchPage::trust(const std::string& bytes) {
    QSettings().setValue(trustKey(bytes), true);
}

void LaunchPage::enter() {
    start_->setFocus(Qt::OtherFocusReason);
}

}  // namespace dlperf::ui
