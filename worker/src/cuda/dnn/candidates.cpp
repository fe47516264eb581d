// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/candidates.h"

#include <algorithm>
#include <set>

#include "base/failure.h"

namespace dlperf::worker::cuda::dnn {
namespace {

// More than cuDNN was ever seen to propose.
constexpr std::size_t mostProposals = 256;

using Notes = std::vector<cudnnBackendNumericalNote_t>;

bool has(const Notes& notes, cudnnBackendNumericalNote_t note) {
    return std::find(notes.begin(), notes.end(), note) != notes.end();
}

bool exactEnough(const Notes& notes, ElementType type) {
    if (has(notes, CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS)) {
        return false;
    }
    if (has(notes, CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION)) {
        return false;
    }
    return type != ElementType::Fp32 || !has(notes, CUDNN_NUMERICAL_NOTE_TENSOR_CORE);
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
    target.applyToHeuristics(heuristics);
    if (!heuristics.tryFinalize(nullptr)) {
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
void appendExact(const std::vector<Descriptor>& configs, ElementType type, std::set<EngineChoice>& known,
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

}  // namespace dlperf::worker::cuda::dnn
