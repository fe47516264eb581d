// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "cuda/dnn/engine_choice.h"
#include "cuda/dnn/graph.h"
#include "cuda/dnn/target.h"

namespace dlperf::worker::cuda::dnn {

// Where a graph's tensor is in the device's memory: a multiple of 16, for as long as it is used.
struct Binding {
    Uid uid = Uid::Input;
    void* data = nullptr;
};

// Bindings of all of a graph's tensors and a workspace, in cuDNN's form, made once and used any number of
// times.
class Arguments {
public:
    // `workspace` may be null where the plan needs none. Throws Failure(Backend).
    Arguments(std::span<const Binding> bindings, void* workspace);
    const Descriptor& descriptor() const { return pack_; }

private:
    Descriptor pack_;
};

// A graph and the way to compute it, ready to be executed.
class ExecutionPlan {
public:
    // Nothing where the choice does not exist for this graph or does not support it; then `reason`, if
    // given, is filled with cuDNN's.
    static std::optional<ExecutionPlan> make(const Target& target, const Graph& graph,
                                             const EngineChoice& choice, std::string* reason = nullptr);

    const Graph& graph() const { return graph_; }
    const EngineChoice& choice() const { return choice_; }
    // Bytes of the device's memory that an execution needs besides its tensors.
    std::size_t workspaceBytes() const { return workspaceBytes_; }

    // Starts the computation in the handle's stream. Throws Failure(Backend).
    void execute(const Handle& handle, const Arguments& arguments) const;
    // The same, for a single time.
    void execute(const Handle& handle, std::span<const Binding> bindings, void* workspace) const;

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
