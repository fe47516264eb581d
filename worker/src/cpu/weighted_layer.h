// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dnnl.hpp>

#include <algorithm>
#include <string>
#include <unordered_map>

#include "net/resnet50.h"

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

// Where one layer's tensors lie. A working copy is the weights in the layout and type that a primitive wants.
struct LayerMemory {
    const void* input = nullptr;
    void* output = nullptr;
    void* outputGradient = nullptr;
    void* inputGradient = nullptr;
    float* weights = nullptr;  // master weights, fp32
    float* weightsGradient = nullptr;
    void* forwardWeights = nullptr;   // working copy, or null where it is the master itself
    void* backwardWeights = nullptr;  // likewise, for the gradient of the input
};

// A layer that multiplies by weights: a convolution or the fully connected layer. Activations are NHWC. The
// master weights, their gradient and their momentum lie in the layout in which the gradient is computed, so
// that the update and the all-reduce are plain loops; only the working copies are converted, once a step.
class WeightedLayer {
public:
    // `type` is the type of the activations. `needsInputGradient` is false for the first layer.
    WeightedLayer(Engine& engine, const ConvLayer& conv, int batch, dnnl::memory::data_type type,
                  bool needsInputGradient);
    // The fully connected layer: `output` is always fp32.
    WeightedLayer(Engine& engine, int batch, int inputs, int outputs, dnnl::memory::data_type type);

    std::size_t masterBytes() const { return master_.get_size(); }
    // Zero where the master itself serves.
    std::size_t forwardCopyBytes() const;
    std::size_t backwardCopyBytes() const;
    // The same for two processes that keep the master weights in the same layout.
    std::string layoutId() const;

    // Binds everything; Engine::scratch must be there.
    void bind(const LayerMemory& memory);

    void forward() { forward_.task.run(); }
    void inputGradient() { inputGradient_.task.run(); }
    void weightsGradient() { weightsGradient_.task.run(); }
    // Brings the working copies up to date with the master weights.
    void refreshCopies();

    // Between the master layout and PyTorch's order: out, in, height, width.
    void toMaster(const float* canonical, float* master) const;
    void fromMaster(const float* master, float* canonical) const;

private:
    // A tensor as one primitive reads or writes it.
    struct Operand {
        int argument = 0;
        dnnl::memory::desc desc;
    };
    // One primitive: result = first x second.
    struct Product {
        Task task;
        Operand first;
        Operand second;
        Operand result;
        void bind(const void* firstData, const void* secondData, void* resultData);
    };

    void planConvolution(const ConvLayer& conv, int batch, bool needsInputGradient);
    // Stride 1, 1 x 1: the same as a product of matrices, which is faster for some shapes.
    void planInputGradientAsMatmul(dnnl::memory::dim pixels);
    // `layout` of the result, oihw or hwio: the rows of the product are best the narrower side.
    void planWeightsGradientAsMatmul(dnnl::memory::dim pixels, dnnl::memory::format_tag layout);
    Product makeMatmul(const dnnl::memory::desc& a, const dnnl::memory::desc& b, const dnnl::memory::desc& c);
    dnnl::memory::desc plainWeights(dnnl::memory::data_type type, dnnl::memory::format_tag tag) const;
    Task makeCopy(const dnnl::memory::desc& to, const LayerMemory& memory, void* copy);
    void convert(const dnnl::memory::desc& from, const float* source, const dnnl::memory::desc& to,
                 float* result) const;

    Engine* engine_;
    dnnl::memory::data_type type_;
    dnnl::memory::dims shape_;  // out, in, height, width
    Product forward_;
    Product inputGradient_;
    Product weightsGradient_;
    Task forwardCopy_;
    Task backwardCopy_;
    dnnl::memory::desc master_;           // fp32, as the weights' gradient is computed
    dnnl::memory::desc forwardWeights_;   // what forward_ multiplies by, in four dimensions
    dnnl::memory::desc backwardWeights_;  // what inputGradient_ multiplies by; zero size: never computed
};

}  // namespace dlperf::worker::cpu
