// SPDX-License-Identifier: Apache-2.0
#include "core/report/before_after.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/report/numbers.h"
#include "core/report/series_title.h"

namespace dlperf::report {
namespace {

constexpr std::size_t changesAtMost = 200;
constexpr std::size_t changeLength = 120;  // bytes of a text, before what both sides begin with gives way
constexpr double roundingNoise = 1e-9;     // 98 is not more than 2 % below 100, whatever binary says

using RunsOfCase = std::vector<const RunResult*>;

// A case on one side.
struct OneSide {
    Cell cell;
    std::string unit;
    std::string campaign;
    RunsOfCase runs;
};
using CasesOfSide = std::map<Case, OneSide>;

Failure severalCampaigns(const BeforeAfterSide& side, const Case& benchmarkCase, const std::string& one,
                         const std::string& other) {
    return fail(
        fmt::format("the case {} {} is in several campaigns: {} and {}",
                    benchmarkCase.configuration.implementation, toString(benchmarkCase.topology), one, other),
        side.name, "Name two campaigns, and their workspace by --workspace.");
}

Result<CasesOfSide> casesOf(const BeforeAfterSide& side, const Vocabulary& vocabulary) {
    CasesOfSide cases;
    for (const ComparedSeries& series : compare(side.results, vocabulary, side.formats).series) {
        for (const Cell& cell : series.cells) {
            const Case key{series.key.configuration, cell.topology};
            if (!cell.wasTried()) {
                continue;
            }
            const auto [at, isNew] =
                cases.try_emplace(key, OneSide{cell, series.unit, series.key.campaign, {}});
            if (!isNew) {
                return severalCampaigns(side, key, at->second.campaign, series.key.campaign);
            }
        }
    }
    for (const RunResult& run : side.results) {
        if (const auto found = cases.find(run.benchmarkCase); found != cases.end()) {
            found->second.unit = run.unit;  // a series has that of its first topology
            found->second.runs.push_back(&run);
        }
    }
    return cases;
}

bool hasMedian(const std::optional<Cell>& cell) {
    return cell && cell->fold.median.value_or(0) > 0;
}

std::string whyNoDifference(const BeforeAfterCase& one) {
    if (!one.before) {
        return "only after";
    }
    if (!one.after) {
        return "only before";
    }
    std::vector<std::string> reasons;
    const auto add = [&](const char* when, const std::optional<Cell>& cell) {
        if (!hasMedian(cell)) {
            reasons.push_back(
                fmt::format("{}: {}", when, cell->missing.empty() ? "0" : firstLine(cell->missing)));
        }
    };
    add("no figure before", one.before);
    add("no figure after", one.after);
    return join(reasons, "; ");
}

std::optional<analysis::Interval> differenceInterval(const Cell& after, const Cell& before) {
    const auto ratio = analysis::ratioInterval(after.repetitions, before.repetitions);
    return ratio ? std::optional(analysis::Interval{ratio->low - 1, ratio->high - 1}) : std::nullopt;
}

// Without its title, which needs all of them.
BeforeAfterCase caseOfSides(const Case& benchmarkCase, const OneSide* before, const OneSide* after) {
    BeforeAfterCase one{.benchmarkCase = benchmarkCase,
                        .title = {},
                        .unit = before == nullptr ? after->unit : before->unit,
                        .before = before == nullptr ? std::nullopt : std::optional(before->cell),
                        .after = after == nullptr ? std::nullopt : std::optional(after->cell)};
    if (before != nullptr && after != nullptr && before->unit != after->unit) {
        one.missing = fmt::format("units differ: {}, {}", before->unit, after->unit);
        return one;
    }
    if (before != nullptr && after != nullptr) {
        one.difference = differenceOf(after->cell, before->cell);
    }
    if (one.difference) {
        one.interval = differenceInterval(after->cell, before->cell);
    } else {
        one.missing = whyNoDifference(one);
    }
    return one;
}

void nameCases(BeforeAfter& compared, const Vocabulary& vocabulary) {
    std::set<Configuration> configurations;
    for (const BeforeAfterCase& one : compared.cases) {
        configurations.insert(one.benchmarkCase.configuration);
    }
    const Titles titles = titlesOf(mapped(configurations,
                                          [](const Configuration& configuration) {
                                              return SeriesKey{configuration, Origin::Own, {}};
                                          }),
                                   vocabulary);
    compared.title = titles.common;
    for (BeforeAfterCase& one : compared.cases) {
        const auto at = configurations.find(one.benchmarkCase.configuration);
        one.title = titles.series[static_cast<std::size_t>(std::distance(configurations.begin(), at))];
    }
}

// The runs that made the figure; all of them where there is none, for they may tell why.
RunsOfCase runsToAsk(const RunsOfCase& runs) {
    RunsOfCase counted;
    std::ranges::copy_if(runs, std::back_inserter(counted),
                         [](const RunResult* run) { return run->outcome == Outcome::Ok && !run->excluded; });
    return counted.empty() ? runs : counted;
}

// Of the options that its case does not name.
RecordedTexts defaultsOfRun(const RunResult& run) {
    RecordedTexts texts;
    for (const auto& [option, value] : run.defaults) {
        if (!run.benchmarkCase.configuration.variant.contains(option)) {
            texts["option " + option] = value;
        }
    }
    return texts;
}

using TextsOfRuns = std::vector<RecordedTexts>;  // those of which something is recorded
// Versions, machines, defaults and ranges, each compared apart: a side that recorded nothing of one kind is
// not taken for one that had nothing.
using RecordedKinds = std::array<TextsOfRuns, 4>;

RecordedKinds recordedOf(const OneSide& one, const BeforeAfterSide& side) {
    RecordedKinds kinds;
    for (const RunResult* run : runsToAsk(one.runs)) {
        const auto found = side.machines.find(run->id);
        kinds[0].push_back(run->versions);
        kinds[1].push_back(found == side.machines.end() ? RecordedTexts() : found->second);
        kinds[2].push_back(defaultsOfRun(*run));
        kinds[3].push_back({{"measured iterations", toString(run->range)}});
    }
    for (TextsOfRuns& texts : kinds) {
        std::erase_if(texts, [](const RecordedTexts& ofRun) { return ofRun.empty(); });
    }
    return kinds;
}

// "2.18.3"; of runs that differ all that they had.
std::string valueIn(const TextsOfRuns& runs, const std::string& what) {
    std::set<std::string> values;
    for (const RecordedTexts& ofRun : runs) {
        const auto found = ofRun.find(what);
        values.insert(found == ofRun.end() || found->second.empty() ? "none" : found->second);
    }
    return join({values.begin(), values.end()}, "; ");
}

// Long lists of nodes: from shortly before the first difference on, and not to their end.
std::string shortFrom(const std::string& text, std::size_t begin) {
    const std::string rest = text.substr(begin);
    return cleanUtf8((begin == 0 ? "" : "…") + rest.substr(0, changeLength)) +
           (rest.size() > changeLength ? "…" : "");
}

std::pair<std::string, std::string> shortened(const std::string& before, const std::string& after) {
    if (std::max(before.size(), after.size()) <= changeLength) {
        return {cleanUtf8(before), cleanUtf8(after)};
    }
    const auto [at, other] = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
    const std::string same(before.begin(), at);
    const std::size_t blank = same.rfind(' ');
    const std::size_t begin = blank == std::string::npos ? 0 : blank + 1;
    return {shortFrom(before, begin), shortFrom(after, begin)};
}

// What changed in how many cases, in the order of what it is.
class EnvironmentChanges {
public:
    // Whether both sides recorded versions or machines.
    bool addCase(const RecordedKinds& before, const RecordedKinds& after) {
        for (std::size_t i = 0; i < before.size(); ++i) {
            addKind(before[i], after[i]);
        }
        const auto areThere = [&](std::size_t i) { return !before[i].empty() && !after[i].empty(); };
        return areThere(0) || areThere(1);
    }
    void fill(BeforeAfter& compared) const {
        for (const auto& [change, cases] : counts_) {
            const auto& [what, was, is] = change;
            if (compared.environment.size() >= changesAtMost) {
                ++compared.environmentLeftOut;
                continue;
            }
            const auto [before, after] = shortened(was, is);
            compared.environment.push_back({firstLine(what), before, after, cases});
        }
    }

private:
    void addKind(const TextsOfRuns& before, const TextsOfRuns& after) {
        if (before.empty() || after.empty()) {
            return;
        }
        std::set<std::string> all;
        for (const TextsOfRuns* side : {&before, &after}) {
            for (const RecordedTexts& ofRun : *side) {
                std::ranges::transform(ofRun, std::inserter(all, all.end()),
                                       [](const auto& entry) { return entry.first; });
            }
        }
        for (const std::string& what : all) {
            const std::string was = valueIn(before, what);
            const std::string is = valueIn(after, what);
            if (was != is) {
                ++counts_[{what, was, is}];
            }
        }
    }
    std::map<std::tuple<std::string, std::string, std::string>, std::size_t> counts_;
};

// What is held against itself never falls.
Result<void> checkSides(const BeforeAfterSide& before, const BeforeAfterSide& after) {
    if (before.id == after.id) {
        return fail("before and after are the same", before.id, "Name two that differ.");
    }
    for (const BeforeAfterSide* side : {&before, &after}) {
        if (side->results.empty()) {
            return fail("the campaign has no results yet", side->name, "Run it to its end first.",
                        ErrorKind::Work);
        }
    }
    return {};
}

}  // namespace

BeforeAfterSide sideOfCampaign(const store::Workspace& workspace, const std::string& id,
                               const std::string& name, const std::vector<RunResult>& results,
                               const analysis::FormatBook& formats) {
    BeforeAfterSide side{.id = id, .name = name, .formats = formats};
    std::ranges::copy_if(results, std::back_inserter(side.results),
                         [&](const RunResult& result) { return result.campaign == id; });
    side.machines = readMachines(workspace, side.results);
    return side;
}

double BeforeAfterCase::worseBy() const {
    const double relative = difference ? difference->relative : 0;
    return lowerIsBetter(unit) ? relative : -relative;
}

Result<BeforeAfter> beforeAndAfter(const BeforeAfterSide& before, const BeforeAfterSide& after,
                                   const Vocabulary& vocabulary) {
    TRY(checkSides(before, after));
    const CasesOfSide was = TRY(casesOf(before, vocabulary));
    const CasesOfSide is = TRY(casesOf(after, vocabulary));
    BeforeAfter compared{.before = before.name,
                         .after = after.name,
                         .beforeId = before.id,
                         .afterId = after.id,
                         .title = {},
                         .cases = {},
                         .environment = {}};
    std::set<Case> cases;
    for (const CasesOfSide* side : {&was, &is}) {
        std::ranges::transform(*side, std::inserter(cases, cases.end()),
                               [](const auto& entry) { return entry.first; });
    }
    EnvironmentChanges changes;
    for (const Case& benchmarkCase : cases) {
        const auto one = was.find(benchmarkCase);
        const auto other = is.find(benchmarkCase);
        compared.cases.push_back(caseOfSides(benchmarkCase, one == was.end() ? nullptr : &one->second,
                                             other == is.end() ? nullptr : &other->second));
        if (one != was.end() && other != is.end()) {
            const bool isRecorded =
                changes.addCase(recordedOf(one->second, before), recordedOf(other->second, after));
            ++compared.casesOnBothSides;
            compared.casesRecorded += isRecorded ? 1U : 0U;
        }
    }
    changes.fill(compared);
    nameCases(compared, vocabulary);
    return compared;
}

const char* keyOf(Regression regression) {
    constexpr std::array names{"worse", "too-few-runs", "no-figure"};
    return names.at(static_cast<std::size_t>(regression));
}

std::optional<Regression> regressionOf(const BeforeAfterCase& one, double limit) {
    if (!hasMedian(one.before)) {
        return std::nullopt;
    }
    if (!one.difference) {
        return Regression::NoFigure;
    }
    if (one.worseBy() <= limit + roundingNoise || one.difference->verdict == analysis::Verdict::Alike) {
        return std::nullopt;
    }
    return one.difference->verdict == analysis::Verdict::Different ? Regression::Worse
                                                                   : Regression::TooFewRuns;
}

Change changeOf(const BeforeAfterCase& one, double limit) {
    if (!one.before || !one.after) {
        return Change::OneSide;
    }
    if (!one.difference) {
        return Change::NoFigure;
    }
    switch (one.difference->verdict) {
        case analysis::Verdict::Different:
            break;
        case analysis::Verdict::Alike:
            return Change::NoDifference;
        case analysis::Verdict::TooFew:
        case analysis::Verdict::Unknown:
            return Change::TooFewRuns;
    }
    return regressionOf(one, limit) ? Change::Slower
           : one.worseBy() > 0      ? Change::WithinTolerance
           : one.worseBy() < 0      ? Change::Faster
                                    : Change::NoDifference;
}

std::optional<double> parseLimit(std::string_view text) {
    std::string_view number = trim(text);
    if (number.ends_with('%')) {
        number = trim(number.substr(0, number.size() - 1));
    }
    const auto value = numberIn<double>(number);
    const bool isShare = value && std::isfinite(*value) && *value >= 0 && *value <= 100;
    return isShare ? std::optional(*value / 100) : std::nullopt;
}

}  // namespace dlperf::report
