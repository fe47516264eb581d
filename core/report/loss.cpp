// SPDX-License-Identifier: Apache-2.0
#include "core/report/loss.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "core/analysis/rank_test.h"
#include "core/analysis/slower.h"
#include "core/analysis/summary.h"
#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/model/node_name.h"
#include "core/report/busy_processors.h"
#include "core/report/difference.h"
#include "core/report/finding.h"
#include "core/report/held_back.h"
#include "core/report/loss_estimates.h"
#include "core/report/numbers.h"

namespace dlperf::report {
namespace {

using analysis::Interval;
using analysis::RankTimes;
using Figures = std::vector<double>;

constexpr std::array<std::pair<const char*, const char*>, 7> causeWords{{{"communication", "communication"},
                                                                         {"data-loading", "data loading"},
                                                                         {"slow-rank", "slow rank"},
                                                                         {"computation", "computation"},
                                                                         {"jitter", "jitter"},
                                                                         {"noise", "noise"},
                                                                         {"unknown", "unknown"}}};

Figures throughputsOf(const std::vector<const TimedRun*>& runs) {
    Figures figures;
    for (const TimedRun* run : runs) {
        figures.push_back(*run->run->throughput);
    }
    return figures;
}

// The runs of one topology.
struct Group {
    Topology topology;
    std::vector<const TimedRun*> runs;

    [[nodiscard]] std::vector<const analysis::StepTimes*> timed() const {
        std::vector<const analysis::StepTimes*> times;
        for (const TimedRun* run : runs) {
            if (static_cast<int>(run->times.ranks.size()) == topology.worldSize()) {
                times.push_back(&run->times);
            }
        }
        return times;
    }
};

// One device alone.
struct Alone {
    std::vector<const TimedRun*> runs{};
    double throughput = 0;
    Figures throughputs;
    std::optional<RankTimes> times{};  // medians
    std::optional<double> data{};      // of the log's own column
};

template <class Of>
double medianOver(const auto& items, const Of& of) {
    Figures figures;
    for (const auto& item : items) {
        figures.push_back(of(item));
    }
    return analysis::medianOf(figures);
}

Figures dataColumns(const Group& group) {
    Figures figures;
    for (const TimedRun* run : group.runs) {
        if (run->times.data) {
            figures.push_back(*run->times.data);
        }
    }
    return figures;
}

std::optional<double> dataColumn(const Group& group) {
    Figures figures = dataColumns(group);
    return figures.empty() ? std::nullopt : std::optional(analysis::medianOf(figures));
}

Alone aloneIn(const Group& group) {
    Alone alone{.runs = group.runs, .throughputs = throughputsOf(group.runs)};
    alone.throughput = analysis::medianOf(alone.throughputs);
    alone.data = dataColumn(group);
    const auto timed = group.timed();
    if (!timed.empty()) {
        const auto median = [&](double RankTimes::*part) {
            return medianOver(timed, [&](const auto* times) { return times->ranks.front().*part; });
        };
        alone.times = {median(&RankTimes::compute), median(&RankTimes::data), 0};
    }
    return alone;
}

// A rank and the others in one run.
struct Beside {
    double own = 0;
    double others = 0;  // median
};

Beside beside(const std::vector<RankTimes>& ranks, std::size_t rank, double RankTimes::*part) {
    Figures others;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (i != rank) {
            others.push_back(ranks[i].*part);
        }
    }
    const double own = ranks[rank].*part;
    return {own, others.empty() ? own : analysis::medianOf(others)};
}

std::size_t largestOf(const std::vector<RankTimes>& ranks, const auto& of) {
    const auto largest = std::ranges::max_element(
        ranks, [&](const RankTimes& a, const RankTimes& b) { return of(a) < of(b); });
    return static_cast<std::size_t>(largest - ranks.begin());
}

// Ranks of one node, or one alone, that compute slower than the others in all runs.
struct SlowRanks {
    std::size_t first = 0;
    std::size_t count = 1;
    double slower = 0;  // 0.04: by 4 %, median over the runs
    std::optional<double> p{};

    [[nodiscard]] bool holds(std::size_t rank) const { return rank >= first && rank < first + count; }
};

// Its title; empty where that is not known.
std::string nodeOf(const Group& group, const analysis::StepTimes& times, std::size_t rank) {
    const std::size_t node = rank / static_cast<std::size_t>(group.topology.devices);
    return node < times.nodes.size() ? nodeTitle(times.nodes[node]) : std::string();
}

// "node3", or "rank 5 (node3)" of one among several on its node.
std::string placeOf(const Group& group, const analysis::StepTimes& times, const SlowRanks& slow) {
    const std::string name = nodeOf(group, times, slow.first);
    const bool wholeNode = static_cast<int>(slow.count) == group.topology.devices && group.topology.nodes > 1;
    if (wholeNode) {
        return name.empty() ? fmt::format("node {}", slow.first / slow.count) : name;
    }
    return name.empty() ? fmt::format("rank {}", slow.first) : fmt::format("rank {} ({})", slow.first, name);
}

// What the fastest of them computes: a node is slow where all of its ranks are.
double fastestOf(const std::vector<RankTimes>& ranks, const SlowRanks& some) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t rank = some.first; rank < some.first + some.count; ++rank) {
        least = std::min(least, ranks[rank].compute);
    }
    return least;
}

double medianOfOthers(const std::vector<RankTimes>& ranks, const SlowRanks& some) {
    Figures compute;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        if (!some.holds(rank)) {
            compute.push_back(ranks[rank].compute);
        }
    }
    return analysis::medianOf(compute);
}

// The slowest of all groups of `count` ranks, if it can be said to be slow.
std::optional<SlowRanks> slowestOf(const std::vector<const analysis::StepTimes*>& timed, std::size_t count) {
    const std::size_t groups = timed.front()->ranks.size() / count;
    SlowRanks slow{.count = count};
    double most = 0;
    for (std::size_t group = 0; groups > 1 && group < groups; ++group) {
        const SlowRanks one{.first = group * count, .count = count};
        const double compute =
            medianOver(timed, [&](const auto* times) { return fastestOf(times->ranks, one); });
        slow.first = compute > most ? one.first : slow.first;
        most = std::max(most, compute);
    }
    Figures own;
    Figures others;
    for (std::size_t i = 0; groups > 1 && i < timed.size(); ++i) {
        own.push_back(fastestOf(timed[i]->ranks, slow));
        others.push_back(medianOfOthers(timed[i]->ranks, slow));
    }
    const auto slower = analysis::slowerThan(own, others, groups);
    if (!slower) {
        return std::nullopt;
    }
    slow.slower = slower->by;
    slow.p = slower->p;
    return slow;
}

// Of runs on the same nodes: a whole node first, else one rank.
std::optional<SlowRanks> slowRanksIn(const Group& group,
                                     const std::vector<const analysis::StepTimes*>& timed) {
    const bool sameNodes =
        std::ranges::all_of(timed, [&](const auto* times) { return times->nodes == timed.front()->nodes; });
    if (!sameNodes) {
        return std::nullopt;
    }
    const auto node = group.topology.nodes > 1
                          ? slowestOf(timed, static_cast<std::size_t>(group.topology.devices))
                          : std::nullopt;
    return node ? node : slowestOf(timed, 1);
}

std::string dataWords(double seconds) {
    const std::string by = milliseconds(std::abs(seconds));
    return seconds < 0 ? fmt::format("An iteration waits {} less for its data than alone", by)
                       : fmt::format("An iteration waits {} longer for its data than alone", by);
}

// What one run's iterations take longer than alone, in seconds.
struct Excess {
    double iteration = 0;  // all of it
    double communication = 0;
    double data = 0;
    double slow = 0;
    double computation = 0;
    double jitter = 0;
    std::size_t last = 0;  // the rank that the others wait for
};

Excess excessOf(const analysis::StepTimes& times, const RankTimes& alone,
                const std::optional<SlowRanks>& slow) {
    Excess excess;
    excess.last = largestOf(times.ranks, [](const RankTimes& rank) { return rank.compute + rank.data; });
    const RankTimes& last = times.ranks[excess.last];
    excess.iteration = last.compute + last.data + last.comm;
    excess.communication = *times.exchange;
    excess.jitter = last.comm - *times.exchange;
    excess.data = last.data - alone.data;
    if (slow && slow->holds(excess.last)) {
        excess.slow = std::max(0.0, last.compute - medianOfOthers(times.ranks, *slow));
    }
    excess.computation = last.compute - excess.slow - alone.compute;
    return excess;
}

class Splitter {
public:
    Splitter(const Group& group, const Alone& alone, const HardwareBaselines& baselines)
        : group_(group), alone_(alone), baselines_(baselines) {}

    Loss split() {
        const Figures figures = throughputsOf(group_.runs);
        const double ideal = alone_.throughput * group_.topology.worldSize();
        loss_.topology = group_.topology;
        loss_.runs = static_cast<int>(figures.size());
        loss_.baseRuns = static_cast<int>(alone_.throughputs.size());
        loss_.reached = analysis::medianOf(figures) / ideal;
        loss_.ideal = ideal;
        loss_.unit = group_.runs.front()->run->unit;
        loss_.reachedRange = reachedRange(figures);
        loss_.seconds = samples() / analysis::medianOf(figures);
        const auto timed = group_.timed();
        if (!timed.empty() && alone_.times) {
            addRankParts(timed);
        } else {
            addColumn();
            addEstimates();
        }
        addRest();
        addRemarks();
        return std::move(loss_);
    }

private:
    std::optional<Interval> reachedRange(const Figures& figures) const {
        const double devices = group_.topology.worldSize();
        if (const auto ratio = analysis::ratioInterval(figures, alone_.throughputs)) {
            return Interval{ratio->low / devices, ratio->high / devices};
        }
        if (figures.size() < 2 || alone_.throughputs.size() < 2) {
            return std::nullopt;
        }
        const auto [low, high] = std::ranges::minmax(figures);
        const auto [baseLow, baseHigh] = std::ranges::minmax(alone_.throughputs);
        return Interval{low / baseHigh / devices, high / baseLow / devices};
    }

    // Of an iteration, on all devices.
    double samples() const {
        return static_cast<double>(group_.runs.front()->run->benchmarkCase.configuration.batchSize) *
               group_.topology.worldSize();
    }

    void addRankParts(const std::vector<const analysis::StepTimes*>& timed) {
        const auto slow = slowRanksIn(group_, timed);
        for (const auto* times : timed) {
            excesses_.push_back(excessOf(*times, *alone_.times, slow));
        }
        evidence_ = timed.size() == 1 ? std::string("the times of all ranks in 1 run")
                                      : fmt::format("the times of all ranks in {} runs", timed.size());
        LossPart& communication = add(Cause::Communication, &Excess::communication);
        communication.words =
            fmt::format("The exchange of gradients takes {} of an iteration beyond what computing hides",
                        milliseconds(communication.seconds));
        LossPart& data = add(Cause::DataLoading, &Excess::data);
        data.words = dataWords(data.seconds);
        data.where = lateForData(timed, data.seconds);
        addBusyProcessors(data);
        if (slow) {
            addSlow(*slow, *timed.front());
        }
        LossPart& computation = add(Cause::Computation, &Excess::computation);
        const double change = computation.seconds / alone_.times->compute;
        const std::string by = percent(std::abs(change));
        computation.words = change < 0 ? fmt::format("Together they compute {} faster than one alone", by)
                                       : fmt::format("Together they compute {} slower than one alone", by);
        addBusyProcessors(computation);
        LossPart& jitter = add(Cause::Jitter, &Excess::jitter);
        jitter.words =
            fmt::format("Ranks are late in turns, by {} of an iteration", milliseconds(jitter.seconds));
    }

    // The rank that all wait for because it waits for its data, if it is the same one in all runs.
    std::string lateForData(const std::vector<const analysis::StepTimes*>& timed, double seconds) const {
        const std::size_t last = excesses_.front().last;
        for (std::size_t i = 0; i < timed.size(); ++i) {
            const auto [own, others] = beside(timed[i]->ranks, last, &RankTimes::data);
            if (seconds <= 0 || excesses_[i].last != last || own - others <= seconds / 2 ||
                timed[i]->nodes != timed.front()->nodes) {
                return {};
            }
        }
        const bool aloneOnNode = group_.topology.devices == 1;
        const std::string name = nodeOf(group_, *timed.front(), last);
        return aloneOnNode && !name.empty() ? name : placeOf(group_, *timed.front(), {.first = last});
    }

    void addSlow(const SlowRanks& slow, const analysis::StepTimes& times) {
        LossPart& part = add(Cause::SlowRank, &Excess::slow);
        part.where = placeOf(group_, times, slow);
        part.words =
            slow.p ? fmt::format("{} computes {} slower than the others ({})", part.where,
                                 percent(slow.slower), analysis::pText(*slow.p))
                   : fmt::format("{} computes {} slower than the others", part.where, percent(slow.slower));
    }

    LossPart& add(Cause cause, double Excess::*seconds) {
        Figures shares;
        Figures all;
        for (const Excess& excess : excesses_) {
            shares.push_back(excess.*seconds / excess.iteration);
            all.push_back(excess.*seconds);
        }
        loss_.parts.push_back({.cause = cause,
                               .share = analysis::medianOf(shares),
                               .range = analysis::spreadOf(shares),
                               .seconds = analysis::medianOf(all),
                               .evidence = evidence_});
        return loss_.parts.back();
    }

    // Of a log that tells of data loading only.
    void addColumn() {
        const auto data = dataColumn(group_);
        if (!data || !alone_.data || loss_.seconds <= 0) {
            return;
        }
        const double seconds = *data - *alone_.data;
        const auto shareOf = [&](double column) { return (column - *alone_.data) / loss_.seconds; };
        loss_.parts.push_back({.cause = Cause::DataLoading,
                               .share = shareOf(*data),
                               .range = analysis::spreadOf(mapped(dataColumns(group_), shareOf)),
                               .seconds = seconds,
                               .words = dataWords(seconds),
                               .evidence = "the log's own column of data loading, of rank 0"});
        addBusyProcessors(loss_.parts.back());
    }

    // Threads that load data, or compute, beyond the processors that there are wait for each other.
    void addBusyProcessors(LossPart& part) const {
        const std::string busy =
            part.seconds > 0 ? busyProcessors(mapped(group_.runs, &TimedRun::run), part.where) : "";
        part.words += busy.empty() ? "" : "; " + busy;
    }

    void addEstimates() {
        const double alone = loss_.seconds * loss_.reached;
        UnsplitRuns unsplit{.runs = group_.runs,
                            .alone = alone_.runs,
                            .seconds = loss_.seconds,
                            .secondsAlone = alone,
                            .computing = alone - alone_.data.value_or(0),
                            .left = loss_.seconds - alone,
                            .tellsData = alone_.data && dataColumn(group_)};
        for (const LossPart& part : loss_.parts) {
            unsplit.left -= part.seconds;
        }
        Estimates estimates = estimatesOf(unsplit, baselines_);
        std::ranges::move(estimates.parts, std::back_inserter(loss_.parts));
        std::ranges::stable_sort(loss_.parts, {}, &LossPart::cause);
        possible_ = std::move(estimates.possible);
        if (group_.runs.front()->run->origin == Origin::Own) {
            std::vector<std::string> problems = baselines_.unreadable;
            if (!baselines_.noModels.empty()) {
                problems.push_back(baselines_.noModels);
            }
            loss_.remarks = mapped(problems, [](const std::string& problem) {
                return fmt::format("The split does without what cannot be read: {}", problem);
            });
        }
    }

    // What is left is noise as far as the repetitions differ.
    void addRest() {
        double rest = loss_.lost();
        for (const LossPart& part : loss_.parts) {
            rest -= part.share;
        }
        const double noise =
            loss_.reachedRange ? (loss_.reachedRange->high - loss_.reachedRange->low) / 2 : 0;
        // Where no part is known it is either all noise or no noise.
        const bool isSplit = !excesses_.empty();
        const double within = isSplit || std::abs(rest) <= noise ? std::clamp(rest, -noise, noise) : 0;
        if (within != 0) {
            const std::string differ = "Within what the repetitions differ";
            const auto held = whatHeldSlowOnesBack(mapped(group_.runs, &TimedRun::run));
            loss_.parts.push_back(
                {.cause = Cause::Noise,
                 .share = within,
                 .words = held.empty() ? differ : fmt::format("{}; {}", differ, held.front())});
        }
        LossPart unknown{.cause = Cause::Unknown, .share = rest - within};
        possible_.insert(possible_.begin(), whyUnknown(isSplit));
        unknown.words = isBeyondTheLoss(unknown)
                            ? "The other parts are medians, each by itself, and add up to more than is lost"
                            : join(possible_, "; ");
        loss_.parts.push_back(std::move(unknown));
    }

    void addRemarks() {
        auto runs = mapped(group_.runs, &TimedRun::run);
        std::ranges::copy(mapped(alone_.runs, &TimedRun::run), std::back_inserter(runs));
        if (std::string disturbed = disturbedText(runs); !disturbed.empty()) {
            loss_.remarks.insert(loss_.remarks.begin(), std::move(disturbed));
        }
        for (const FindingKind kind : {FindingKind::ManyThreads, FindingKind::OneMachine}) {
            const auto says = [&](const TimedRun* run) { return findingOf(*run->run, kind) != nullptr; };
            if (const auto found = std::ranges::find_if(group_.runs, says); found != group_.runs.end()) {
                const RunFinding& finding = *findingOf(*(*found)->run, kind);
                loss_.remarks.insert(loss_.remarks.begin(), withWhy(finding.kind, finding.what));
            }
        }
        for (const TimedRun* run : group_.runs) {
            const std::string& note = run->run->note;
            if (!note.empty() && std::ranges::find(loss_.remarks, note) == loss_.remarks.end()) {
                loss_.remarks.push_back(note);
            }
        }
    }

    std::string whyUnknown(bool isSplit) const {
        if (isSplit) {
            return "No time of any rank explains it";
        }
        if (group_.runs.front()->run->origin == Origin::Published) {
            return "Published figures come without logs";
        }
        return group_.timed().empty() ? "The logs do not tell where the time of each rank goes"
                                      : "The logs on 1n1g do not tell where the time goes";
    }

    const Group& group_;
    const Alone& alone_;
    const HardwareBaselines& baselines_;
    Loss loss_;
    std::vector<std::string> possible_;  // behind what is unknown
    std::vector<Excess> excesses_;       // by timed run
    std::string evidence_;
};

// Published figures are quoted again by other sources, and medians beside the runs that they are of: each run
// counts once, and a median only where its runs are not known.
void countOnce(std::vector<const TimedRun*>& runs) {
    const auto isPublished = [](const TimedRun* run) { return run->run->origin == Origin::Published; };
    const bool areRunsKnown = std::ranges::any_of(
        runs, [&](const TimedRun* run) { return isPublished(run) && run->run->repetition > 0; });
    std::set<int> counted;
    std::erase_if(runs, [&](const TimedRun* run) {
        const int repetition = run->run->repetition;
        return isPublished(run) && ((repetition == 0 && areRunsKnown) || !counted.insert(repetition).second);
    });
}

std::vector<Group> groupsOf(const std::vector<TimedRun>& runs) {
    std::map<Topology, Group> groups;
    for (const TimedRun& run : runs) {
        const RunResult& result = *run.run;
        if (result.outcome == Outcome::Ok && !result.excluded && result.throughput.value_or(0) > 0 &&
            !lowerIsBetter(result.unit)) {
            Group& group = groups[result.benchmarkCase.topology];
            group.topology = result.benchmarkCase.topology;
            group.runs.push_back(&run);
        }
    }
    std::vector<Group> sorted;
    sorted.reserve(groups.size());
    for (auto& [topology, group] : groups) {
        countOnce(group.runs);
        sorted.push_back(std::move(group));
    }
    return sorted;
}

}  // namespace

bool isBeyondTheLoss(const LossPart& part) {
    return part.cause == Cause::Unknown && part.share < 0;
}

const char* keyOf(Cause cause) {
    return causeWords.at(static_cast<std::size_t>(cause)).first;
}

std::string titleOf(Cause cause) {
    return causeWords.at(static_cast<std::size_t>(cause)).second;
}

std::string titleOf(const LossPart& part) {
    return isBeyondTheLoss(part) ? "more explained than lost" : titleOf(part.cause);
}

std::vector<Loss> lossesOf(const std::vector<TimedRun>& runs, const HardwareBaselines& baselines) {
    const std::vector<Group> groups = groupsOf(runs);
    if (groups.empty() || groups.front().topology.worldSize() != 1) {
        return {};
    }
    const Alone alone = aloneIn(groups.front());
    std::vector<Loss> losses;
    for (const Group& group : groups) {
        if (group.topology.worldSize() > 1) {
            losses.push_back(Splitter(group, alone, baselines).split());
        }
    }
    return losses;
}

}  // namespace dlperf::report
