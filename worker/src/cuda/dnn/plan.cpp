// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/plan.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "cuda/dnn/descriptor.h"

namespace dlperf::worker::cuda::dnn {
namespace {

// Takes a number that is not negative off the front; nothing where there is none.
std::optional<std::int64_t> takeNumber(std::string_view& text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

bool takeLetter(std::string_view& text, char letter) {
    if (text.empty() || text.front() != letter) {
        return false;
    }
    text.remove_prefix(1);
    return true;
}

}  // namespace

std::string EngineChoice::text() const {
    std::string result = std::to_string(engine);
    for (const Knob& knob : knobs) {
        result.append(1, ' ').append(std::to_string(knob.type));
        result.append(1, '=').append(std::to_string(knob.value));
    }
    return result;
}

std::optional<EngineChoice> EngineChoice::parse(std::string_view text) {
    const std::optional<std::int64_t> engine = takeNumber(text);
    if (!engine) {
        return std::nullopt;
    }
    EngineChoice choice{*engine, {}};
    while (!text.empty()) {
        if (!takeLetter(text, ' ')) {
            return std::nullopt;
        }
        const std::optional<std::int64_t> type = takeNumber(text);
        if (!type || !takeLetter(text, '=')) {
            return std::nullopt;
        }
        const std::optional<std::int64_t> value = takeNumber(text);
        if (!value) {
            return std::nullopt;
        }
        choice.knobs.push_back({*type, *value});
    }
    return choice;
}

namespace {

Descriptor engineOf(const Target& target, const Graph& graph, const EngineChoice& choice) {
    Descriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    engine.set(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph.descriptor());
    engine.set(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, choice.engine);
    target.applyToEngine(engine);
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
    target.applyToPlan(plan);
    plan.finalize("an execution plan");
    return plan;
}

}  // namespace

Arguments::Arguments(std::span<const Binding> bindings, void* workspace)
    : pack_(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR) {
    std::vector<std::int64_t> uids;
    std::vector<void*> addresses;
    for (const Binding& binding : bindings) {
        uids.push_back(static_cast<std::int64_t>(binding.uid));
        addresses.push_back(binding.data);
    }
    pack_.setAll<std::int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, uids);
    pack_.setAll<void*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, addresses);
    pack_.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, workspace);
    pack_.finalize("a plan's arguments");
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

void ExecutionPlan::execute(const Handle& handle, const Arguments& arguments) const {
    const cudnnStatus_t status = cudnnBackendExecute(handle.get(), plan_.get(), arguments.descriptor().get());
    if (status != CUDNN_STATUS_SUCCESS) {
        check(status, ("compute " + graph_.key()).c_str());
    }
}

void ExecutionPlan::execute(const Handle& handle, std::span<const Binding> bindings, void* workspace) const {
    execute(handle, Arguments(bindings, workspace));
}

}  // namespace dlperf::worker::cuda::dnn
