// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/planned_runs.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

#include "core/cluster/slurm.h"
#include "ui/theme/localized.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

// The context of the texts, for translators.
struct PlanNoteText {
    Q_DECLARE_TR_FUNCTIONS(PlanNoteText)
};

constexpr std::size_t mostSkipped = 8;  // notes of their own; a product of lists can skip thousands

using Notes = std::vector<PlanNote>;

void addTimeNote(Notes& notes, const PlanDraft& draft, const launch::ExpectedTimes& times) {
    const bool known = std::ranges::any_of(
        draft.prepared.runs, [&](const launch::PlannedRun& run) { return times.of(run).has_value(); });
    notes.push_back({QStringLiteral("state-queued"), "idle",
                     known
                         ? PlanNoteText::tr("Times are those of earlier runs in this workspace.")
                         : PlanNoteText::tr("No earlier run in this workspace tells how long this takes; the "
                                            "first one will. A run is stopped after %1 min at the latest.")
                               .arg((draft.plan.timeoutSeconds + 59) / 60)});
}

void addMoreRunsNote(Notes& notes, const launch::Plan& plan) {
    if (plan.addsRuns()) {
        notes.push_back(
            {QStringLiteral("info"), "info",
             PlanNoteText::tr(
                 "The plan adds runs to these, depending on what they find. The times do not include "
                 "them.")});
    }
}

void addDoneNote(Notes& notes, const PlanDraft& draft, std::span<const RunResult> own) {
    if (!draft.plan.only.empty()) {
        notes.push_back({QStringLiteral("state-ok"), "ok",
                         PlanNoteText::tr("%1 cases of the plan are chosen; the others are skipped.")
                             .arg(draft.plan.only.size()),
                         PlanNoteText::tr("Run all"), PlanNote::Action::RunAll});
        return;
    }
    const std::size_t done = launch::doneCases(draft.prepared, own);
    if (done == 0) {
        return;
    }
    PlanNote note{QStringLiteral("state-ok"), "ok",
                  done == 1 ? PlanNoteText::tr("1 case has its repetitions already.")
                            : PlanNoteText::tr("%1 cases have their repetitions already.").arg(done)};
    if (!launch::withoutDoneCases(draft.plan, draft.prepared, own)
             .only.empty()) {  // else nothing would be left
        note.actionText = PlanNoteText::tr("Skip");
        note.action = PlanNote::Action::SkipDone;
    }
    notes.push_back(std::move(note));
}

void addMachineNote(Notes& notes, const PlanDraft& draft) {
    const bool isHere = std::ranges::all_of(draft.cluster.nodes, &cluster::Node::local);
    const bool sharesCores =
        isHere && std::ranges::any_of(draft.prepared.runs, [](const launch::PlannedRun& run) {
            return run.usesWorker && run.benchmarkCase.topology.devices > 1 &&
                   run.benchmarkCase.configuration.variant.contains("image_size");
        });
    if (sharesCores) {
        notes.push_back(
            {QStringLiteral("info"), "info",
             PlanNoteText::tr("Expect a poor speedup here. All processes share this machine's %1 cores, "
                              "and small images leave little work between two exchanges of gradients. "
                              "The plan shows that everything works, not how well the machine scales.")
                 .arg(std::thread::hardware_concurrency())});
    }
}

// Runs whose nodes did not pass: they would fail, or be slower than they should.
void addNodeNote(Notes& notes, const PlanDraft& draft, const NodeList& nodes) {
    for (const NodeEntry& entry : nodes.entries()) {
        const bool failed = entry.state == NodeState::NotReached || entry.count(cluster::Verdict::Failed) > 0;
        const auto uses = [&](const launch::PlannedRun& run) {
            return std::ranges::find(run.nodes, entry.node.name, &launch::NodeLaunch::node) !=
                   run.nodes.end();
        };
        const auto runs = std::ranges::count_if(draft.prepared.runs, uses);
        if (failed && runs > 0) {
            notes.push_back({QStringLiteral("state-fail"), "fail",
                             PlanNoteText::tr("%1 runs need %2, which fails a check.")
                                 .arg(runs)
                                 .arg(QString::fromStdString(entry.node.name)),
                             PlanNoteText::tr("Remedy"), PlanNote::Action::ShowNodes});
        }
    }
}

// Trainers on GPUs mostly wait for them.
std::int64_t threadsOn(const NodeEntry& entry, const launch::PlannedRun& run) {
    const auto found = std::ranges::find(run.nodes, entry.node.name, &launch::NodeLaunch::node);
    const bool isOnGpus = !entry.facts->gpus.empty() && run.usesGpus();
    return found == run.nodes.end() || isOnGpus ? 0
                                                : std::int64_t{launch::computingThreads(found->environment)} *
                                                      run.benchmarkCase.topology.devices;
}

void addThreadsNote(Notes& notes, const PlanDraft& draft, const NodeList& nodes) {
    for (const NodeEntry& entry : nodes.entries()) {
        std::int64_t most = 0;
        for (const launch::PlannedRun& run : draft.prepared.runs) {
            most = entry.facts ? std::max(most, threadsOn(entry, run)) : 0;
        }
        if (most > 0 && entry.facts->cores > 0 && most > entry.facts->cores) {
            notes.push_back(
                {QStringLiteral("state-warn"), "warn",
                 PlanNoteText::tr("Up to %1 threads compute on the %2 cores of %3: they keep each "
                                  "other waiting, and a run may take ten times as long. Give "
                                  "processes fewer threads, by the option threads or "
                                  "OMP_NUM_THREADS, or choose topologies of fewer devices.")
                     .arg(most)
                     .arg(entry.facts->cores)
                     .arg(QString::fromStdString(entry.node.name))});
        }
    }
}

void addTimeLimitNote(Notes& notes, const PlanDraft& draft) {
    const auto& slurm = draft.cluster.slurm;
    if (slurm && cluster::endsBefore(*slurm, std::chrono::seconds(draft.plan.timeoutSeconds))) {
        notes.push_back(
            {QStringLiteral("state-warn"), "warn",
             PlanNoteText::tr("Slurm ends a job after its time limit, %1, which is less than the "
                              "%2 min that a run may take. Raise the limit on the Cluster page, or "
                              "lower the timeout.")
                 .arg(QString::fromStdString(slurm->timeLimit))
                 .arg((draft.plan.timeoutSeconds + 59) / 60)});
    }
}

void addErrors(Notes& notes, const std::vector<Error>& errors) {
    for (std::size_t i = 0; i < errors.size() && i < mostSkipped; ++i) {
        notes.push_back({QStringLiteral("state-warn"), "warn", localized(describe(errors[i]))});
    }
    if (errors.size() > mostSkipped) {
        notes.push_back({QStringLiteral("state-warn"), "warn",
                         PlanNoteText::tr("%1 more cases cannot run.").arg(errors.size() - mostSkipped)});
    }
}

}  // namespace

std::vector<PlanNote> notesOf(const PlanDraft& draft, std::span<const RunResult> own,
                              const launch::ExpectedTimes& times, const NodeList& nodes) {
    Notes notes;
    if (draft.problem) {
        notes.push_back({QStringLiteral("state-fail"), "fail", localized(describe(*draft.problem))});
        return notes;
    }
    addTimeNote(notes, draft, times);
    addMoreRunsNote(notes, draft.plan);
    addDoneNote(notes, draft, own);
    addMachineNote(notes, draft);
    addThreadsNote(notes, draft, nodes);
    addTimeLimitNote(notes, draft);
    addNodeNote(notes, draft, nodes);
    addErrors(notes, draft.prepared.skipped);
    addErrors(notes, draft.recipes.problems);
    return notes;
}

PlanNotes::PlanNotes(QWidget* parent) : QWidget(parent), column_(makeColumn(this, {}, 0)) {}

// The same notes stay as they are, with the keyboard's place on a link.
void PlanNotes::setNotes(const std::vector<PlanNote>& notes) {
    if (notes == notes_) {
        return;
    }
    notes_ = notes;
    emptyLayoutAfterClick(column_);
    for (const PlanNote& note : notes) {
        addNote(note);
    }
    column_->addWidget(makeSeparator());
}

void PlanNotes::addNote(const PlanNote& note) {
    column_->addWidget(makeSeparator());
    auto* host = new QWidget(this);
    QHBoxLayout* row = makeRow(host, {14, 9, 14, 9}, 10);
    // Beside a button the line stands in the middle, and so does its icon.
    const Qt::Alignment height = note.action == PlanNote::Action::None ? Qt::AlignTop : Qt::AlignVCenter;
    row->addWidget(makeIcon(note.icon, note.state), 0, height);
    QLabel* words = makeText(note.text);
    words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(words, 1);
    if (note.action != PlanNote::Action::None) {
        QPushButton* link = makeSmallButton(note.actionText, {}, "link");
        connect(link, &QPushButton::clicked, this, [this, action = note.action] { emit triggered(action); });
        row->addWidget(link, 0, height);
    }
    column_->addWidget(host);
}

}  // namespace dlperf::ui
