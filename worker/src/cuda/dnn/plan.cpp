// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/plan.h"

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "cuda/dnn/descriptor.h"

namespace dlperf::worker::cuda::dnn {
std::string EngineChoice::text() const {
    std::string result = std::to_string(engine);
    for (const Knob& knob : knobs) {
        result.append(1, ' ').append(std::to_string(knob.type));
        result.append(1, '=').append(std::to_string(knob.value));
    }
    return result;
}

// Whatever text() would not write is refused at the end.
std::optional<EngineChoice> EngineChoice::parse(std::string_view text) {
    std::istringstream stream{std::string(text)};
    EngineChoice choice;
    stream >> choice.engine;
    Knob knob;
    char equals = 0;
    while (stream >> knob.type >> equals >> knob.value) {
        choice.knobs.push_back(knob);
    }
    const bool isNegative = text.find('-') != std::string_view::npos;
    return isNegative || choice.text() != text ? std::nullopt : std::optional(std::move(choice));
}

namespace {

Descriptor engineOf(const Target& target, const Graph& graph, const EngineChoice& choice) {
    Descriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    engine.set(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph.descriptor());
    engine.set(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, choice.engine);
    target.setDescription(engine, CUDNN_ATTR_ENGINE_DEVICEPROP);
    engine.finalize("an engine");
    return engine;
}

Descriptor configOf(const Descriptor& engine, const std::vector<Knob>& knobs) {
    std::vector<Descriptor> choices;
    for (const Knob& knob : knobs) {
        Descriptor& choice = choices.emplace_back(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR);
        choice.set(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, static_cast<cudnnBackendKnobType_t>(knob.type));
        choice.set(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, knob.value);
        choice.finalize("a knob's choice");
    }
    std::vector<const Descriptor*> pointers;
    pointers.reserve(choices.size());
    for (const Descriptor& choice : choices) {
        pointers.push_back(&choice);
    }

    Descriptor config(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    config.set(CUDNN_ATTR_ENGINECFG_ENGINE, engine);
    if (!pointers.empty()) {
        config.setAll(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, pointers);
    }
    config.finalize("an engine's configuration");
    return config;
}

Descriptor planOf(const Target& target, const Descriptor& config) {
    Descriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config);
    target.setHandle(plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE);
    target.setDescription(plan, CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP);
    plan.finalize("an execution plan");
    return plan;
}

}  // namespace

Descriptor argumentsOf(std::span<const Binding> bindings, void* workspace) {
    std::vector<std::int64_t> uids;
    std::vector<void*> addresses;
    for (const Binding& binding : bindings) {
        uids.push_back(static_cast<std::int64_t>(binding.uid));
        addresses.push_back(binding.data);
    }
    Descriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    pack.setAll<std::int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, uids);
    pack.setAll<void*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, addresses);
    pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, workspace);
    pack.finalize("a plan's arguments");
    return pack;
}

ExecutionPlan::ExecutionPlan(Graph graph, EngineChoice choice, Descriptor engine, Descriptor config,
                             Descriptor plan)
    : graph_(std::move(graph)),
      choice_(std::move(choice)),
      engine_(std::move(engine)),
      config_(std::move(config)),
      plan_(std::move(plan)) {
    const auto bytes = plan_.value<std::int64_t>(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE);
    workspaceBytes_ = static_cast<std::size_t>(std::max<std::int64_t>(0, bytes));
}

std::optional<ExecutionPlan> ExecutionPlan::make(const Target& target, const Graph& graph,
                                                 const EngineChoice& choice, std::string* reason) {
    try {
        Descriptor engine = engineOf(target, graph, choice);
        Descriptor config = configOf(engine, choice.knobs);
        Descriptor plan = planOf(target, config);
        return ExecutionPlan(graph, choice, std::move(engine), std::move(config), std::move(plan));
    } catch (const Failure& failure) {
        if (reason != nullptr) {
            *reason = failure.what();
        }
        return std::nullopt;
    }
}

void ExecutionPlan::execute(const Target& target, const Descriptor& arguments) const {
    const cudnnStatus_t status = cudnnBackendExecute(target.handle(), plan_.get(), arguments.get());
    if (status != CUDNN_STATUS_SUCCESS) {
        check(status, ("compute " + graph_.key()).c_str());
    }
}

}  // namespace dlperf::worker::cuda::dnn
