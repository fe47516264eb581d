// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/dnn/graph.h"
#include "cuda/dnn/target.h"

namespace dlperf::worker::cuda::dnn {

// A setting of an engine: cuDNN's number of the knob and its position.
struct Knob {
    std::int64_t type = 0;
    std::int64_t value = 0;

    auto operator<=>(const Knob&) const = default;
};

// One of cuDNN's ways to compute a graph. The numbers mean the same only for one version of cuDNN.
struct EngineChoice {
    std::int64_t engine = 0;
    std::vector<Knob> knobs;  // those not named are left as the engine has them

    // "63 27=1 28=4": the engine, then knob=value; one line.
    std::string text() const;
    // Nothing where it is not such a text.
    static std::optional<EngineChoice> parse(std::string_view text);

    auto operator<=>(const EngineChoice&) const = default;
};

// Where a graph's tensor is in the device's memory: a multiple of 16, for as long as it is used.
struct Binding {
    Uid uid = Uid::Input;
    void* data = nullptr;
};

// Bindings of all of a graph's tensors and a workspace, which may be null where the plan needs none, in
// cuDNN's form. Throws Failure(Backend).
Descriptor argumentsOf(std::span<const Binding> bindings, void* workspace);

// A graph and the way to compute it, ready to be executed.
class ExecutionPlan {
public:
    // Nothing where the choice does not exist for this graph or does not support it; then `reason`, if given,
    // is filled with cuDNN's.
    static std::optional<ExecutionPlan> make(const Target& target, const Graph& graph,
                                             const EngineChoice& choice, std::string* reason = nullptr);

    const Graph& graph() const { return graph_; }
    const EngineChoice& choice() const { return choice_; }
    // Bytes of the device's memory that an execution needs besides its tensors.
    std::size_t workspaceBytes() const { return workspaceBytes_; }

    // Starts the computation in the target's stream, with what argumentsOf() made. Throws Failure(Backend).
    void execute(const Target& target, const Descriptor& arguments) const;

private:
    ExecutionPlan(Graph graph, EngineChoice choice, Descriptor engine, Descriptor config, Descriptor plan);

    Graph graph_;
    EngineChoice choice_;
    Descriptor engine_;
    Descriptor config_;
    Descriptor plan_;
    std::size_t workspaceBytes_ = 0;
};

}  // namespace dlperf::worker::cuda::dnn
