// SPDX-License-Identifier: Apache-2.0
#include "core/report/loss.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "core/analysis/rank_test.h"
#include "core/analysis/summary.h"
#include "core/report/numbers.h"

namespace dlperf::report {
namespace {

using analysis::Interval;
using analysis::RankTimes;
using Figures = std::vector<double>;

// A rank counts as slow from here on: by a test where there are repetitions for one, else by far.
constexpr double slowByTest = 0.02;
constexpr double slowByFar = 0.10;

constexpr std::array<std::pair<const char*, const char*>, 7> causeWords{{{"communication", "communication"},
                                                                         {"data-loading", "data loading"},
                                                                         {"slow-rank", "slow rank"},
                                                                         {"computation", "computation"},
                                                                         {"jitter", "jitter"},
                                                                         {"noise", "noise"},
                                                                         {"unknown", "unknown"}}};

std::string milliseconds(double seconds) {
    return fmt::format("{}\u00A0ms", grouped(seconds * 1000, 1));
}

// 95 % of the medians, or all figures where they are few; nothing of a single one.
std::optional<Interval> spreadOf(const Figures& figures) {
    if (const auto interval = analysis::medianInterval(figures)) {
        return interval;
    }
    if (figures.size() < 2) {
        return std::nullopt;
    }
    const auto [low, high] = std::ranges::minmax(figures);
    return Interval{low, high};
}

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

std::optional<double> dataColumn(const Group& group) {
    Figures figures;
    for (const TimedRun* run : group.runs) {
        if (run->times.data) {
            figures.push_back(*run->times.data);
        }
    }
    return figures.empty() ? std::nullopt : std::optional(analysis::medianOf(figures));
}

Alone aloneIn(const Group& group) {
    Alone alone{.throughputs = throughputsOf(group.runs)};
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

// "node3", where all of its ranks are like this one or it has only one; else "rank 5 (node3)".
std::string placeOf(const Group& group, const analysis::StepTimes& times, std::size_t rank,
                    double RankTimes::*part) {
    const auto devices = static_cast<std::size_t>(group.topology.devices);
    const std::size_t node = rank / devices;
    std::string name = node < times.nodes.size() ? times.nodes[node] : std::string();
    const Beside pair = beside(times.ranks, rank, part);
    const double halfway = (pair.own + pair.others) / 2;
    const auto first = times.ranks.begin() + static_cast<std::ptrdiff_t>(node * devices);
    const bool wholeNode =
        group.topology.nodes > 1 && std::all_of(first, first + group.topology.devices,
                                                [&](const RankTimes& one) { return one.*part > halfway; });
    if (wholeNode && !name.empty()) {
        return name;
    }
    return name.empty() ? fmt::format("rank {}", rank) : fmt::format("rank {} ({})", rank, name);
}

// The rank whose computing is slower than the others' in all runs, if that can be said.
struct SlowRank {
    std::size_t rank = 0;
    double slower = 0;  // 0.04: by 4 %, median over the runs
    std::optional<double> p{};
};

std::optional<SlowRank> slowRankIn(const std::vector<const analysis::StepTimes*>& timed) {
    std::size_t slowest = 0;
    double most = 0;
    for (std::size_t rank = 0; rank < timed.front()->ranks.size(); ++rank) {
        const double compute =
            medianOver(timed, [&](const auto* times) { return times->ranks[rank].compute; });
        slowest = compute > most ? rank : slowest;
        most = std::max(most, compute);
    }
    Figures own;
    Figures others;
    double least = std::numeric_limits<double>::infinity();
    for (const auto* times : timed) {
        const Beside pair = beside(times->ranks, slowest, &RankTimes::compute);
        own.push_back(pair.own);
        others.push_back(pair.others);
        least = std::min(least, pair.own / pair.others - 1);
    }
    SlowRank slow{slowest, analysis::medianOf(own) / analysis::medianOf(others) - 1};
    const analysis::Verdict verdict = analysis::verdictOf(own, others);
    if (verdict == analysis::Verdict::Different && slow.slower > slowByTest) {
        slow.p = analysis::mannWhitney(own, others)->p;
        return slow;
    }
    return verdict == analysis::Verdict::TooFew && least > slowByFar ? std::optional(slow) : std::nullopt;
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
                const std::optional<SlowRank>& slow) {
    Excess excess;
    excess.last = largestOf(times.ranks, [](const RankTimes& rank) { return rank.compute + rank.data; });
    const RankTimes& last = times.ranks[excess.last];
    excess.iteration = last.compute + last.data + last.comm;
    excess.communication = *times.exchange;
    excess.jitter = last.comm - *times.exchange;
    excess.data = last.data - alone.data;
    if (slow && beside(times.ranks, slow->rank, &RankTimes::compute).others < last.compute) {
        const auto [own, others] = beside(times.ranks, excess.last, &RankTimes::compute);
        excess.slow = std::max(0.0, own - others);
    }
    excess.computation = last.compute - excess.slow - alone.compute;
    return excess;
}

class Splitter {
public:
    Splitter(const Group& group, const Alone& alone) : group_(group), alone_(alone) {}

    Loss split() {
        const Figures figures = throughputsOf(group_.runs);
        const double ideal = alone_.throughput * group_.topology.worldSize();
        loss_.topology = group_.topology;
        loss_.runs = static_cast<int>(figures.size());
        loss_.baseRuns = static_cast<int>(alone_.throughputs.size());
        loss_.reached = analysis::medianOf(figures) / ideal;
        loss_.reachedRange = reachedRange(figures);
        loss_.seconds = samples() / analysis::medianOf(figures);
        const auto timed = group_.timed();
        if (!timed.empty() && alone_.times) {
            addRankParts(timed);
        } else {
            addColumn();
        }
        addRest();
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
        const auto slow = slowRankIn(timed);
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
        data.words =
            fmt::format("An iteration waits {} longer for its data than alone", milliseconds(data.seconds));
        const std::size_t last = excesses_.front().last;
        const auto [own, others] = beside(timed.front()->ranks, last, &RankTimes::data);
        if (own - others > data.seconds / 2 && data.seconds > 0) {
            data.where = placeOf(group_, *timed.front(), last, &RankTimes::data);
        }
        if (slow) {
            addSlow(*slow, *timed.front());
        }
        LossPart& computation = add(Cause::Computation, &Excess::computation);
        const double change = computation.seconds / alone_.times->compute;
        const std::string by = percent(std::abs(change));
        computation.words = change < 0 ? fmt::format("Together they compute {} faster than one alone", by)
                                       : fmt::format("Together they compute {} slower than one alone", by);
        LossPart& jitter = add(Cause::Jitter, &Excess::jitter);
        jitter.words =
            fmt::format("Ranks are late in turns, by {} of an iteration", milliseconds(jitter.seconds));
    }

    void addSlow(const SlowRank& slow, const analysis::StepTimes& times) {
        LossPart& part = add(Cause::SlowRank, &Excess::slow);
        part.where = placeOf(group_, times, slow.rank, &RankTimes::compute);
        part.words =
            slow.p ? fmt::format("{} computes {} slower than the others (p = {:.3f})", part.where,
                                 percent(slow.slower), *slow.p)
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
                               .range = spreadOf(shares),
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
        loss_.parts.push_back({.cause = Cause::DataLoading,
                               .share = seconds / loss_.seconds,
                               .seconds = seconds,
                               .words = fmt::format("An iteration waits {} longer for its data than alone",
                                                    milliseconds(seconds)),
                               .evidence = "the log's own column of data loading, of rank 0"});
    }

    // What is left is noise as far as the repetitions differ.
    void addRest() {
        double rest = loss_.lost();
        for (const LossPart& part : loss_.parts) {
            rest -= part.share;
        }
        const double noise =
            loss_.reachedRange ? (loss_.reachedRange->high - loss_.reachedRange->low) / 2 : 0;
        const double within = std::clamp(rest, -noise, noise);
        if (noise > 0) {
            loss_.parts.push_back(
                {.cause = Cause::Noise, .share = within, .words = "Within what the repetitions differ"});
        }
        loss_.parts.push_back({.cause = Cause::Unknown,
                               .share = rest - within,
                               .words = excesses_.empty()
                                            ? "The logs do not tell where the time of each rank goes"
                                            : "No time of any rank explains it"});
    }

    const Group& group_;
    const Alone& alone_;
    Loss loss_;
    std::vector<Excess> excesses_;  // by timed run
    std::string evidence_;
};

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
        sorted.push_back(std::move(group));
    }
    return sorted;
}

}  // namespace

const char* keyOf(Cause cause) {
    return causeWords.at(static_cast<std::size_t>(cause)).first;
}

std::string titleOf(Cause cause) {
    return causeWords.at(static_cast<std::size_t>(cause)).second;
}

std::vector<Loss> lossesOf(const std::vector<TimedRun>& runs) {
    const std::vector<Group> groups = groupsOf(runs);
    if (groups.empty() || groups.front().topology.worldSize() != 1) {
        return {};
    }
    const Alone alone = aloneIn(groups.front());
    std::vector<Loss> losses;
    for (const Group& group : groups) {
        if (group.topology.worldSize() > 1) {
            losses.push_back(Splitter(group, alone).split());
        }
    }
    return losses;
}

}  // namespace dlperf::report
