// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <dnnl.hpp>
#include <unordered_map>

namespace dlperf::worker::cpu {

// The engine, the stream and the scratchpad that all primitives of one backend share; they run one after
// another.
struct Engine {
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream{engine};
    std::size_t scratchBytes = 0;
    void* scratch = nullptr;

    // Primitives made with these take their scratchpad from us.
    static dnnl::primitive_attr attributes() {
        dnnl::primitive_attr attr;
        attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
        return attr;
    }
};

// A primitive with its memory, ready to run any number of times.
class Task {
public:
    Task() = default;

    // `desc` is a primitive descriptor of the primitive; its scratchpad is made room for.
    template <typename Primitive, typename Desc>
    static Task of(Engine& engine, const Desc& desc) {
        Task task;
        task.primitive_ = Primitive(desc);
        task.engine_ = &engine;
        task.scratchDesc_ = desc.scratchpad_desc();
        engine.scratchBytes = std::max(engine.scratchBytes, task.scratchDesc_.get_size());
        return task;
    }

    // Binds a tensor; `data` stays valid and in place while the task is used.
    void bind(int argument, const dnnl::memory::desc& desc, const void* data) {
        arguments_.insert_or_assign(argument, dnnl::memory(desc, engine_->engine, const_cast<void*>(data)));
    }

    // To be called once when Engine::scratch is there.
    void bindScratch() {
        if (scratchDesc_.get_size() > 0) {
            bind(DNNL_ARG_SCRATCHPAD, scratchDesc_, engine_->scratch);
        }
    }

    explicit operator bool() const { return engine_ != nullptr; }

    void run() const { primitive_.execute(engine_->stream, arguments_); }

private:
    dnnl::primitive primitive_;
    Engine* engine_ = nullptr;
    dnnl::memory::desc scratchDesc_;
    std::unordered_map<int, dnnl::memory> arguments_;
};

}  // namespace dlperf::worker::cpu
