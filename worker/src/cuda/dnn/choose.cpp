// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/choose.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace dlperf::worker::cuda::dnn {
namespace {

/// Times within this factor are taken as equal.
constexpr double kTie = 1.01;
/// A plan whose first timing is longer than this times the best one is not timed again.
constexpr double kHopeless = 1.5;

/// The median of the timings; nothing where the plan fails. `best` is the fastest plan's time so far.
std::optional<double> timeOf(const ExecutionPlan& plan, int timings, double best, PlanTimer& timer) {
    std::vector<double> seconds;
    for (int turn = 0; turn < std::max(1, timings); ++turn) {
        const std::optional<double> once = timer.seconds(plan);
        if (!once) return std::nullopt;
        seconds.push_back(*once);
        if (turn == 0 && *once > kHopeless * best) break;
    }
    return median(std::move(seconds));
}

/// Counts the plans of a search, of which those that compile at run time are counted on their own as well.
class Budget {
public:
    explicit Budget(const SearchLimits& limits) : plans_(limits.plans), compiled_(limits.compiledPlans) {}

    bool take(const Candidate& candidate) {
        if (plans_ == 0 || (candidate.compilesAtRunTime && compiled_ == 0)) return false;
        --plans_;
        if (candidate.compilesAtRunTime) --compiled_;
        return true;
    }

private:
    std::size_t plans_;
    std::size_t compiled_;
};

std::optional<ExecutionPlan> fastestOf(const Target& target, const Graph& graph,
                                       std::span<const Candidate> candidates, const SearchLimits& limits,
                                       PlanTimer& timer) {
    Budget budget(limits);
    double best = std::numeric_limits<double>::infinity();
    std::vector<ExecutionPlan> plans;
    std::vector<PlanTime> times;
    for (const Candidate& candidate : candidates) {
        if (!budget.take(candidate)) continue;
        std::optional<ExecutionPlan> plan = ExecutionPlan::make(target, graph, candidate.choice);
        if (!plan || plan->workspaceBytes() > limits.workspaceBytes) continue;
        const std::optional<double> seconds = timeOf(*plan, limits.timings, best, timer);
        if (!seconds) continue;
        best = std::min(best, *seconds);
        times.push_back({*seconds, plan->workspaceBytes()});
        plans.push_back(std::move(*plan));
    }
    const std::optional<std::size_t> chosen = fastest(times);
    if (!chosen) return std::nullopt;
    return std::move(plans[*chosen]);
}

}  // namespace

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::optional<std::size_t> fastest(std::span<const PlanTime> times) {
    if (times.empty()) return std::nullopt;
    const auto bySeconds = [](const PlanTime& a, const PlanTime& b) { return a.seconds < b.seconds; };
    const double best = std::min_element(times.begin(), times.end(), bySeconds)->seconds;
    // Smaller is better, from left to right.
    const auto rank = [&](std::size_t index) {
        const PlanTime& time = times[index];
        const bool slow = time.seconds > kTie * best;
        return std::tuple(slow, time.workspaceBytes, time.seconds);
    };
    std::size_t chosen = 0;
    for (std::size_t index = 1; index < times.size(); ++index) {
        if (rank(index) < rank(chosen)) chosen = index;
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
    if (plan) return plan;
    return fastestOf(target, graph, candidates.subspan(count), limits, timer);
}

}  // namespace dlperf::worker::cuda::dnn
