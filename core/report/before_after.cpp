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
#include "core/model/campaign.h"
#include "core/report/finding.h"
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
    Variant variant;  // the case's
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
            const auto [at, isNew] = cases.try_emplace(
                key, OneSide{cell, series.unit, series.key.campaign, {}, key.configuration.variant});
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

// A case, and the sides that have it.
struct Match {
    const OneSide* before = nullptr;
    const OneSide* after = nullptr;

    [[nodiscard]] bool isNamed(const std::string& option) const {
        return (before != nullptr && before->variant.contains(option)) ||
               (after != nullptr && after->variant.contains(option));
    }
};
using Matches = std::map<Case, Match>;

// Of the options that no side's case names.
RecordedTexts defaultsOfRun(const RunResult& run, const Match& match) {
    RecordedTexts texts;
    for (const auto& [option, value] : run.defaults) {
        if (!match.isNamed(option)) {
            texts["option " + option] = value;
        }
    }
    return texts;
}

using TextsOfRuns = std::vector<RecordedTexts>;  // those of which something is recorded
// Versions, machines, defaults and ranges, each compared apart: a side that recorded nothing of one kind is
// not taken for one that had nothing.
using RecordedKinds = std::array<TextsOfRuns, 4>;
constexpr std::size_t defaultsKind = 2;

RecordedKinds recordedOf(const OneSide& one, const BeforeAfterSide& side, const Match& match) {
    RecordedKinds kinds;
    for (const RunResult* run : runsToAsk(one.runs)) {
        const auto found = side.machines.find(run->id);
        kinds[0].push_back(run->versions);
        kinds[1].push_back(found == side.machines.end() ? RecordedTexts() : found->second);
        kinds[defaultsKind].push_back(defaultsOfRun(*run, match));
        kinds[3].push_back({{"measured iterations", toString(run->range)}});
    }
    for (TextsOfRuns& texts : kinds) {
        std::erase_if(texts, [](const RecordedTexts& ofRun) { return ofRun.empty(); });
    }
    return kinds;
}

// Runs of earlier versions do not say it, whatever it was.
constexpr std::string_view lateFact = "cpu_quota";

bool tells(const TextsOfRuns& runs, const std::string& what) {
    return std::ranges::any_of(runs, [&](const RecordedTexts& ofRun) { return ofRun.contains(what); });
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

using Changed = std::tuple<std::string, std::string, std::string>;  // what, before, after

// What changed in how many cases, in the order of what it is.
class EnvironmentChanges {
public:
    // With those that are known: a variable of the plan may be recorded of the machine as well. Whether both
    // sides recorded versions or machines.
    bool addCase(std::set<Changed> changes, const RecordedKinds& before, const RecordedKinds& after) {
        for (std::size_t i = 0; i < before.size(); ++i) {
            addKind(changes, before[i], after[i], i == defaultsKind);
        }
        for (const Changed& change : changes) {
            ++counts_[change];
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
    // `inBoth`: only what both sides tell; an imported log says little of what its trainer was given.
    static void addKind(std::set<Changed>& changes, const TextsOfRuns& before, const TextsOfRuns& after,
                        bool inBoth) {
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
            if ((inBoth || what == lateFact) && !(tells(before, what) && tells(after, what))) {
                continue;
            }
            const std::string was = valueIn(before, what);
            const std::string is = valueIn(after, what);
            if (was != is) {
                changes.emplace(what, was, is);
            }
        }
    }
    std::map<Changed, std::size_t> counts_;
};

// How the model is trained, not which: an option of that kind, or else no option of the recipe.
bool isTuning(const std::string& name, const OneSide& side, const Vocabulary& vocabulary) {
    const auto isOption = [&](const RunResult* run) { return run->defaults.contains(name); };
    const auto knowsOptions = [](const RunResult* run) { return !run->defaults.empty(); };
    return vocabulary.find(WordKind::Tuning, name) != nullptr ||
           (std::ranges::any_of(side.runs, knowsOptions) && std::ranges::none_of(side.runs, isOption));
}

Case withoutTuning(Case tuned, const Match& match, const Vocabulary& vocabulary) {
    const OneSide& side = match.before == nullptr ? *match.after : *match.before;
    std::erase_if(tuned.configuration.variant,
                  [&](const auto& setting) { return isTuning(setting.first, side, vocabulary); });
    return tuned;
}

// What the variants of both say alike.
Case commonCase(Case one, const Case& other) {
    const Variant& theirs = other.configuration.variant;
    std::erase_if(one.configuration.variant, [&](const auto& setting) {
        const auto found = theirs.find(setting.first);
        return found == theirs.end() || found->second != setting.second;
    });
    return one;
}

// Imported logs do not tell by which recipe they were made.
enum class Recipes { Same, UnknownOnOneSide };

// Two that are each on one side only, if they are to be compared, become one.
void matchTuned(Matches& matches, Recipes recipes, const Vocabulary& vocabulary) {
    std::map<Case, std::vector<Case>> alike;
    for (const auto& [benchmarkCase, match] : matches) {
        if (match.before == nullptr || match.after == nullptr) {
            Case trained = withoutTuning(benchmarkCase, match, vocabulary);
            if (recipes == Recipes::UnknownOnOneSide) {
                trained.configuration.recipe.clear();
            }
            alike[trained].push_back(benchmarkCase);
        }
    }
    for (const auto& [trained, cases] : alike) {
        if (cases.size() != 2 ||
            (recipes == Recipes::UnknownOnOneSide && !cases[0].configuration.recipe.empty())) {
            continue;
        }
        const Match one = matches.at(cases[0]);
        const Match other = matches.at(cases[1]);
        const Case common = commonCase(cases[1], cases[0]);  // which knows its recipe, if only one does
        const bool isThere = matches.contains(common) && common != cases[0] && common != cases[1];
        if (!isThere && (one.before == nullptr) != (other.before == nullptr)) {
            matches.erase(cases[0]);
            matches.erase(cases[1]);
            matches[common] =
                one.before == nullptr ? Match{other.before, one.after} : Match{one.before, other.after};
        }
    }
}

std::string defaultOf(const OneSide& side, const std::string& option) {
    for (const RunResult* run : side.runs) {
        if (const auto found = run->defaults.find(option); found != run->defaults.end()) {
            return found->second;
        }
    }
    return {};
}

// Of options and variables that set the two sides of a case apart.
std::set<Changed> tunedOf(const Match& match, const Case& common, const Vocabulary& vocabulary) {
    const auto isOption = [&](const std::string& name) {
        return vocabulary.find(WordKind::Tuning, name) != nullptr ||
               !(defaultOf(*match.before, name) + defaultOf(*match.after, name)).empty();
    };
    const auto valueOn = [](const OneSide& side, const std::string& name) {
        const auto own = side.variant.find(name);
        const std::string value = own == side.variant.end() ? defaultOf(side, name) : own->second;
        return value.empty() ? std::string("none") : value;
    };
    std::set<Changed> changes;
    for (const OneSide* side : {match.before, match.after}) {
        for (const auto& [name, value] : side->variant) {
            if (!common.configuration.variant.contains(name)) {
                changes.emplace((isOption(name) ? "option " : "variable ") + name,
                                valueOn(*match.before, name), valueOn(*match.after, name));
            }
        }
    }
    return changes;
}

Matches matchesOf(const CasesOfSide& before, const CasesOfSide& after, const Vocabulary& vocabulary) {
    Matches matches;
    for (const auto& [benchmarkCase, side] : before) {
        matches[benchmarkCase].before = &side;
    }
    for (const auto& [benchmarkCase, side] : after) {
        matches[benchmarkCase].after = &side;
    }
    matchTuned(matches, Recipes::Same, vocabulary);
    matchTuned(matches, Recipes::UnknownOnOneSide, vocabulary);
    return matches;
}

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
    BeforeAfterSide side{.id = seriesCampaign(results, id), .name = name, .formats = formats};
    std::ranges::copy_if(results, std::back_inserter(side.results),
                         [&](const RunResult& result) { return seriesCampaign(result) == side.id; });
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
    EnvironmentChanges changes;
    RunsOfCase runsBefore;
    RunsOfCase runsAfter;
    for (const auto& [benchmarkCase, match] : matchesOf(was, is, vocabulary)) {
        compared.cases.push_back(caseOfSides(benchmarkCase, match.before, match.after));
        if (match.before != nullptr && match.after != nullptr) {
            const bool isRecorded = changes.addCase(tunedOf(match, benchmarkCase, vocabulary),
                                                    recordedOf(*match.before, before, match),
                                                    recordedOf(*match.after, after, match));
            ++compared.casesOnBothSides;
            compared.casesRecorded += isRecorded ? 1U : 0U;
            std::ranges::copy(match.before->runs, std::back_inserter(runsBefore));
            std::ranges::copy(match.after->runs, std::back_inserter(runsAfter));
        }
    }
    changes.fill(compared);
    compared.disturbedBefore = disturbedText(runsBefore);
    compared.disturbedAfter = disturbedText(runsAfter);
    nameCases(compared, vocabulary);
    std::ranges::stable_sort(compared.cases, [](const BeforeAfterCase& a, const BeforeAfterCase& b) {
        const auto order = naturalOrder(a.title, b.title);
        return order != 0 ? order < 0 : a.benchmarkCase.topology < b.benchmarkCase.topology;
    });
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
