// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/choose.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace dlperf::worker::cuda::dnn {
namespace {

// Times within this factor are taken as equal.
constexpr double tieFactor = 1.01;
// A plan whose first timing is longer than this times the best one is not timed again.
constexpr double hopelessFactor = 1.5;

// The median of the timings; nothing where the plan fails. `best` is the fastest plan's time so far.
std::optional<double> timeOf(const ExecutionPlan& plan, int timings, double best, PlanTimer& timer) {
    std::vector<double> seconds;
    for (int turn = 0; turn < std::max(1, timings); ++turn) {
        const std::optional<double> once = timer.seconds(plan);
        if (!once) {
            return std::nullopt;
        }
        seconds.push_back(*once);
        if (turn == 0 && *once > hopelessFactor * best) {
            break;
        }
    }
    return median(std::move(seconds));
}

// A search for the fastest plan.
class Search {
public:
    Search(const Target& target, const Graph& graph, const SearchLimits& limits, PlanTimer& timer)
        : target_(target), graph_(graph), limits_(limits), timer_(timer) {}

    // Looks among those candidates that compile at run time, or among the others, at `limit` of them.
    void look(std::span<const Candidate> candidates, bool compiled, std::size_t limit) {
        for (const Candidate& candidate : candidates) {
            if (limit == 0) {
                return;
            }
            if (candidate.compilesAtRunTime != compiled) {
                continue;
            }
            --limit;
            tryOut(candidate);
        }
    }

    std::optional<ExecutionPlan> result() {
        const std::optional<std::size_t> chosen = fastest(times_);
        if (!chosen) {
            return std::nullopt;
        }
        return std::move(plans_[*chosen]);
    }
    bool found() const { return !plans_.empty(); }

private:
    void tryOut(const Candidate& candidate) {
        std::optional<ExecutionPlan> plan = ExecutionPlan::make(target_, graph_, candidate.choice);
        if (!plan || plan->workspaceBytes() > limits_.workspaceBytes) {
            return;
        }
        const std::optional<double> seconds = timeOf(*plan, limits_.timings, best_, timer_);
        if (!seconds) {
            return;
        }
        best_ = std::min(best_, *seconds);
        times_.push_back({*seconds, plan->workspaceBytes()});
        plans_.push_back(std::move(*plan));
    }

    const Target& target_;
    const Graph& graph_;
    const SearchLimits& limits_;
    PlanTimer& timer_;
    double best_ = std::numeric_limits<double>::infinity();
    std::vector<ExecutionPlan> plans_;
    std::vector<PlanTime> times_;
};

std::optional<ExecutionPlan> fastestOf(const Target& target, const Graph& graph,
                                       std::span<const Candidate> candidates, const SearchLimits& limits,
                                       PlanTimer& timer) {
    Search search(target, graph, limits, timer);
    search.look(candidates, false, limits.plans);
    // Each takes seconds to make, and the graphs of a network are dozens.
    if (!search.found()) {
        search.look(candidates, true, limits.compiledPlans);
    }
    return search.result();
}

}  // namespace

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::optional<std::size_t> fastest(std::span<const PlanTime> times) {
    if (times.empty()) {
        return std::nullopt;
    }
    const auto bySeconds = [](const PlanTime& a, const PlanTime& b) { return a.seconds < b.seconds; };
    const double best = std::min_element(times.begin(), times.end(), bySeconds)->seconds;
    // Smaller is better, from left to right.
    const auto rank = [&](std::size_t index) {
        const PlanTime& time = times[index];
        const bool slow = time.seconds > tieFactor * best;
        return std::tuple(slow, time.workspaceBytes, time.seconds);
    };
    std::size_t chosen = 0;
    for (std::size_t index = 1; index < times.size(); ++index) {
        if (rank(index) < rank(chosen)) {
            chosen = index;
        }
    }
    return chosen;
}

std::optional<ExecutionPlan> choosePlan(const Target& target, const Graph& graph,
                                        std::span<const Candidate> candidates, const SearchLimits& limits,
                                        PlanTimer& timer) {
    const auto end = std::find_if(candidates.begin(), candidates.end(),
                                  [](const Candidate& candidate) { return !candidate.deterministic; });
    const auto count = static_cast<std::size_t>(end - candidates.begin());
    auto plan = fastestOf(target, graph, candidates.first(count), limits, timer);
    if (plan) {
        return plan;
    }
    return fastestOf(target, graph, candidates.subspan(count), limits, timer);
}

}  // namespace dlperf::worker::cuda::dnn
