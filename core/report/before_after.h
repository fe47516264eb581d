// SPDX-License-Identifier: Apache-2.0
// The same cases before and after something changed: each beside itself, what the rank test of the
// repetitions says to it, and what else is recorded to have changed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/format_book.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/model/case.h"
#include "core/model/vocabulary.h"
#include "core/report/chart_spec.h"
#include "core/report/comparison.h"
#include "core/report/difference.h"
#include "core/report/recorded_environment.h"
#include "core/report/table.h"
#include "core/store/workspace.h"

namespace dlperf::report {

// What is compared: a campaign, or all of a workspace.
struct BeforeAfterSide {
    std::string id;    // of the campaign; or the folder
    std::string name;  // what people call it
    std::vector<RunResult> results{};
    std::map<std::string, RecordedTexts> machines{};  // by run id, see readMachines()
    analysis::FormatBook formats{};                   // that its results may be measured by
};

// Those of the results that are the campaign's and of those that it completes or that complete it, with what
// the workspace recorded of their machines.
[[nodiscard]] BeforeAfterSide sideOfCampaign(const store::Workspace& workspace, const std::string& id,
                                             const std::string& name, const std::vector<RunResult>& results,
                                             const analysis::FormatBook& formats);

struct BeforeAfterCase {
    Case benchmarkCase;
    std::string title;           // "NGC PyTorch, batch size 256": what is not common to all cases, unique
    std::string unit;            // of both figures; see lowerIsBetter()
    std::optional<Cell> before;  // nothing where only the other side has the case
    std::optional<Cell> after;   // the same
    std::optional<Difference> difference{};  // of the figure after to that before
    // Where 95 % of the differences of resamples lie, as Difference::relative; few repetitions: nothing.
    std::optional<analysis::Interval> interval{};
    std::string missing{};  // why there is none: "no figure after: OOM"; empty where there is one

    // How much worse the figure is after, as a fraction of that before: 0.03 of a throughput that fell by 3 %
    // or of a time that rose by as much. Below 0 where it is better.
    [[nodiscard]] double worseBy() const;
};

// What the runs of a case had on one side, and on the other. "none" where only one side has it.
struct EnvironmentChange {
    std::string what;  // "nccl", "variable NCCL_ALGO", "nodes", "measured iterations"
    std::string before;
    std::string after;
    std::size_t cases = 0;  // how many changed this way
};

struct BeforeAfter {
    std::string before;  // names of both sides
    std::string after;
    std::string beforeId;
    std::string afterId;
    std::string title;                   // "ResNet50 v1.5, fp32": what the cases have in common
    std::vector<BeforeAfterCase> cases;  // by title, then topology; what nobody tried is none
    std::vector<EnvironmentChange> environment;
    std::size_t environmentLeftOut = 0;  // changes beyond those that the list has room for
    std::size_t casesOnBothSides = 0;
    std::size_t casesRecorded = 0;  // of these, whose versions or machines both sides recorded
    std::string disturbedBefore{};  // that runs of these cases were, see disturbedText(); mostly empty
    std::string disturbedAfter{};
};

// Cases match by configuration and topology, whatever their campaign and origin. One of each side that is
// left over then matches where only tuning sets the two apart: a variable of the trainers, or an option that
// Vocabulary has under Tuning, unless the case without these is there too. What differs is listed with the
// environment. An Input error where both sides are the same, which never differ, and where one has a case of
// several campaigns: which of them was meant? A Work error where a side has no results.
[[nodiscard]] Result<BeforeAfter> beforeAndAfter(const BeforeAfterSide& before, const BeforeAfterSide& after,
                                                 const Vocabulary& vocabulary);

// Why a case does not pass.
enum class Regression {
    Worse,       // by more than the limit, and the rank test says that the repetitions differ
    TooFewRuns,  // by more than the limit, and no test of so few runs can say whether they differ
    NoFigure,    // there was a figure before, and there is none to hold against it
};
[[nodiscard]] const char* keyOf(Regression regression);  // "worse", "too-few-runs", "no-figure"

// `limit` is a fraction: 0.02 lets a case be 2 % worse. Nothing where the case passes: what the test cannot
// tell from the runs before passes however far apart the medians are.
[[nodiscard]] std::optional<Regression> regressionOf(const BeforeAfterCase& one, double limit);
// What became of a case, in the order that counts are told in.
enum class Change {
    Slower,           // by more than the limit, and the rank test says so: Regression::Worse
    WithinTolerance,  // slower as well, but by no more than the limit
    Faster,
    NoDifference,  // that the rank test sees
    TooFewRuns,    // for the test to say anything
    NoFigure,      // on one side or both
    OneSide,       // only before, or only after
};
[[nodiscard]] Change changeOf(const BeforeAfterCase& one, double limit);
// "slower", "no difference seen"; of a case without two figures why: "no figure after: OOM"
[[nodiscard]] std::string changeText(const BeforeAfterCase& one, double limit);
// "7 cases: 2 slower, 1 faster, 4 no difference seen"
[[nodiscard]] std::string countsText(const BeforeAfter& compared, double limit);
// "images/s"; "images/s, ms (lower is better)"
[[nodiscard]] std::string unitsText(const BeforeAfter& compared);

// A sentence for each case that does not pass, and one where no case had a figure before: nothing that could
// have become worse is no pass. Empty where all pass.
[[nodiscard]] std::vector<std::string> regressionTexts(const BeforeAfter& compared, double limit);
// "2 %", "0.5 %" or either without the sign, from 0 to 100; as a fraction.
[[nodiscard]] std::optional<double> parseLimit(std::string_view text);

// Case, topology, figures, difference, runs and what the test says. "5 of 7" runs have a figure.
[[nodiscard]] Table beforeAfterTable(const BeforeAfter& compared);
// The differences of the medians by topology, in percent, a series for each title, with their intervals.
// Cases that do not pass have a finding. Empty without two figures of any case.
[[nodiscard]] ChartSpec differenceDots(const BeforeAfter& compared, double limit);
// What else differs, before, after, and in how many cases; as environmentTexts(), without its notes.
[[nodiscard]] Table environmentTable(const BeforeAfter& compared);
// That nothing differs, or no case is on both sides, and what the list has no room for or could not know.
[[nodiscard]] std::vector<std::string> environmentNotes(const BeforeAfter& compared);
// "nccl: 2.18 -> 2.19", "driver: 535 -> 550 (2 of 5 cases)", then the notes; where no case is on both sides
// the note, then what sets the cases apart: "batch size: 64 -> 128".
[[nodiscard]] std::vector<std::string> environmentTexts(const BeforeAfter& compared);
// All of it for programs; the manual names the keys. Whether cases pass only with a limit.
[[nodiscard]] Json toJson(const BeforeAfter& compared, const std::optional<double>& limit);

}  // namespace dlperf::report
