// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/plan_search.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "base/numbers.h"

namespace dlperf::worker::cuda::dnn {
namespace {

// More than cuDNN was ever seen to propose.
constexpr std::size_t mostProposals = 256;

using Notes = std::vector<cudnnBackendNumericalNote_t>;

bool has(const Notes& notes, cudnnBackendNumericalNote_t note) {
    return std::find(notes.begin(), notes.end(), note) != notes.end();
}

bool exactEnough(const Notes& notes, Precision type) {
    if (has(notes, CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS)) {
        return false;
    }
    if (has(notes, CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION)) {
        return false;
    }
    return type != Precision::Fp32 || !has(notes, CUDNN_NUMERICAL_NOTE_TENSOR_CORE);
}

std::vector<Knob> knobsOf(const Descriptor& config) {
    std::vector<Knob> knobs;
    for (const Descriptor& choice :
         config.descriptors(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR,
                            CUDNN_KNOB_TYPE_COUNTS)) {
        const auto type = choice.value<cudnnBackendKnobType_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE);
        knobs.push_back({type, choice.value<std::int64_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE)});
    }
    return knobs;
}

// Engine configurations that a heuristic returns; empty where it knows nothing of the graph.
std::vector<Descriptor> proposals(const Target& target, const Graph& graph, cudnnBackendHeurMode_t mode) {
    Descriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph.descriptor());
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, mode);
    target.setDescription(heuristics, CUDNN_ATTR_ENGINEHEUR_DEVICEPROP);
    if (!heuristics.tryFinalize()) {
        return {};
    }
    try {
        return heuristics.descriptors(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR,
                                      mostProposals);
    } catch (const Failure&) {
        // This is how cuDNN says that there are none.
        return {};
    }
}

// Appends what is exact enough and not there yet.
void appendExact(const std::vector<Descriptor>& configs, Precision type, std::set<EngineChoice>& known,
                 std::vector<Candidate>& candidates) {
    for (const Descriptor& config : configs) {
        const std::vector<Descriptor> engines =
            config.descriptors(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_BACKEND_ENGINE_DESCRIPTOR, 1);
        if (engines.empty()) {
            continue;
        }
        const Descriptor& engine = engines.front();
        const Notes notes = engine.values<cudnnBackendNumericalNote_t>(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE,
                                                                       CUDNN_NUMERICAL_NOTE_TYPE_COUNT);
        if (!exactEnough(notes, type)) {
            continue;
        }
        const auto behaviour = engine.values<cudnnBackendBehaviorNote_t>(CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE,
                                                                         CUDNN_BEHAVIOR_NOTE_TYPE_COUNT);
        Candidate candidate;
        candidate.choice = {engine.value<std::int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX), knobsOf(config)};
        candidate.deterministic = !has(notes, CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC);
        candidate.compilesAtRunTime = std::find(behaviour.begin(), behaviour.end(),
                                                CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION) != behaviour.end();
        if (known.insert(candidate.choice).second) {
            candidates.push_back(std::move(candidate));
        }
    }
}

}  // namespace

std::vector<Candidate> candidatesFor(const Target& target, const Graph& graph) {
    std::vector<Candidate> candidates;
    std::set<EngineChoice> known;
    for (const auto mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_B, CUDNN_HEUR_MODE_FALLBACK}) {
        appendExact(proposals(target, graph, mode), graph.type(), known, candidates);
    }
    std::stable_partition(candidates.begin(), candidates.end(),
                          [](const Candidate& candidate) { return candidate.deterministic; });
    return candidates;
}

namespace {

// Times within this factor are taken as equal.
constexpr double tieFactor = 1.01;
// A plan whose first timing is longer than this times the best one is not timed again,
constexpr double slowFactor = 1.5;
// and of one whose first execution is, that will do.
constexpr double hopelessFactor = 3;

// The median of the timings; nothing where the plan fails. `best` is the fastest plan's time so far.
std::optional<double> timeOf(const ExecutionPlan& plan, int timings, double best, const PlanTimer& timer) {
    std::vector<double> seconds;
    for (int turn = 0; turn < std::max(1, timings); ++turn) {
        const std::optional<double> once = timer(plan, hopelessFactor * best);
        if (!once) {
            return std::nullopt;
        }
        seconds.push_back(*once);
        if (turn == 0 && *once > slowFactor * best) {
            break;
        }
    }
    return median(std::move(seconds));
}

// The fastest plan of one kind of candidates: of those that are deterministic, or of the others; and of these
// of those that compile at run time, or of the others.
std::optional<ExecutionPlan> fastestOfKind(const Target& target, const Graph& graph,
                                           std::span<const Candidate> candidates, bool deterministic,
                                           bool compiled, const SearchLimits& limits,
                                           const PlanTimer& timer) {
    std::vector<ExecutionPlan> plans;
    std::vector<PlanTime> times;
    double best = std::numeric_limits<double>::infinity();
    std::size_t left = compiled ? limits.compiledPlans : limits.plans;
    for (const Candidate& candidate : candidates) {
        if (left == 0 || (limits.timings == 0 && !plans.empty())) {
            break;
        }
        if (candidate.deterministic != deterministic || candidate.compilesAtRunTime != compiled) {
            continue;
        }
        --left;
        std::optional<ExecutionPlan> plan = ExecutionPlan::make(target, graph, candidate.choice);
        if (!plan || plan->workspaceBytes() > limits.workspaceBytes) {
            continue;
        }
        const std::optional<double> seconds = timeOf(*plan, limits.timings, best, timer);
        if (!seconds) {
            continue;
        }
        best = std::min(best, *seconds);
        times.push_back({*seconds, plan->workspaceBytes()});
        plans.push_back(std::move(*plan));
    }
    const std::optional<std::size_t> chosen = fastest(times);
    if (!chosen) {
        return std::nullopt;
    }
    return std::move(plans[*chosen]);
}

}  // namespace

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
                                        const PlanTimer& timer) {
    for (const bool deterministic : {true, false}) {
        // Those that are compiled take seconds each to make, and the graphs of a network are dozens.
        for (const bool compiled : {false, true}) {
            if (auto plan =
                    fastestOfKind(target, graph, candidates, deterministic, compiled, limits, timer)) {
                return plan;
            }
        }
    }
    return std::nullopt;
}

namespace {

std::optional<ExecutionPlan> cachedPlan(const Target& target, const Graph& graph, const SearchLimits& limits,
                                        const PlanCache& cache) {
    const std::optional<EngineChoice> choice = cache.find(graph.key());
    if (!choice) {
        return std::nullopt;
    }
    std::optional<ExecutionPlan> plan = ExecutionPlan::make(target, graph, *choice);
    if (plan && plan->workspaceBytes() > limits.workspaceBytes) {
        return std::nullopt;
    }
    return plan;
}

// The reason why not even the first candidate is a plan, or what else is known.
[[noreturn]] void failWithout(const Target& target, const Graph& graph, const SearchLimits& limits,
                              const std::vector<Candidate>& candidates) {
    std::string reason = "it proposes none that is exact enough";
    if (!candidates.empty()) {
        reason = "none of " + std::to_string(candidates.size()) + " works within " +
                 std::to_string(limits.workspaceBytes >> 20) + " MiB of workspace";
        std::string first;
        if (!ExecutionPlan::make(target, graph, candidates.front().choice, &first)) {
            reason += "; " + first;
        }
    }
    throw Failure(ExitCode::Backend,
                  "cuDNN has no way to compute " + graph.key() + " on this GPU: " + reason);
}

}  // namespace

ExecutionPlan findPlan(const Target& target, const Graph& graph, const SearchLimits& limits,
                       const PlanTimer& timer, PlanCache& cache) {
    if (std::optional<ExecutionPlan> plan = cachedPlan(target, graph, limits, cache)) {
        return std::move(*plan);
    }
    const std::vector<Candidate> candidates = candidatesFor(target, graph);
    std::optional<ExecutionPlan> plan = choosePlan(target, graph, candidates, limits, timer);
    if (!plan) {
        failWithout(target, graph, limits, candidates);
    }
    if (limits.timings > 0) {
        cache.remember(graph.key(), plan->choice());
    }
    return std::move(*plan);
}

}  // namespace dlperf::worker::cuda::dnn
