// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/run_summary.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/session/session.h"
#include "ui/theme/numbers.h"

namespace dlperf::ui {
namespace {

// The context of the texts, for translators.
struct SummaryText {
    Q_DECLARE_TR_FUNCTIONS(dlperf::ui::RunSummary)

public:
    static RunSummary of(const Session& session);

private:
    static void describeActive(const run::CampaignStatus& campaign, const run::RunStatus& active,
                               const Vocabulary& vocabulary, RunSummary& summary);
};

QString countText(int count) {
    return numberLocale().toString(count);
}

int countIn(const run::CampaignStatus& campaign, run::RunState state) {
    return static_cast<int>(std::ranges::count(campaign.runs, state, &run::RunStatus::state));
}

void SummaryText::describeActive(const run::CampaignStatus& campaign, const run::RunStatus& active,
                                 const Vocabulary& vocabulary, RunSummary& summary) {
    const Case& benchmarkCase = active.benchmarkCase;
    summary.title = QString::fromStdString(
        vocabulary.title(WordKind::Implementation, benchmarkCase.subject.implementation) + " " +
        toString(benchmarkCase.topology));
    const int finished = countIn(campaign, run::RunState::Finished);
    const auto all = static_cast<int>(campaign.runs.size());
    summary.detail = tr("Run %1 of %2").arg(countText(finished + 1), countText(all));
    summary.repetition = tr("repetition %1").arg(active.repetition);
    summary.progress = static_cast<double>(finished) / all;
}

RunSummary SummaryText::of(const Session& session) {
    RunSummary summary;
    summary.figures = static_cast<int>(std::ranges::count_if(
        session.own(), [](const RunResult& result) { return result.throughput.has_value(); }));
    int listed = 0;
    for (const run::CampaignStatus& campaign : session.campaigns()) {
        listed += static_cast<int>(campaign.runs.size());
    }
    const auto imported =
        static_cast<int>(std::ranges::count(session.own(), Origin::Imported, &RunResult::origin));
    summary.runs = listed + imported;
    summary.status = tr("No run active");
    const run::CampaignStatus* open = session.openCampaign();
    if (const run::RunStatus* active = session.activeRun(); active != nullptr && open != nullptr) {
        describeActive(*open, *active, session.vocabulary(), summary);
        summary.status = tr("1 run active, %1 queued").arg(countText(countIn(*open, run::RunState::Queued)));
    } else if (open != nullptr && !open->runnerAlive) {
        summary.status = tr("%1 runs stand still: nothing works on them")
                             .arg(countText(countIn(*open, run::RunState::Queued)));
    }
    return summary;
}

}  // namespace

RunSummary summarize(const Session& session) {
    return SummaryText::of(session);
}

}  // namespace dlperf::ui
