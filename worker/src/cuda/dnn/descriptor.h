// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cudnn_graph.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace dlperf::worker::cuda::dnn {

// Throws Failure(Backend) with cuDNN's reason where it refused; `what` says what was tried: "make a handle".
void check(cudnnStatus_t status, const char* what);

// cuDNN's name of a C++ type that attributes can have.
template <typename T>
void attributeType(T) = delete;
constexpr auto attributeType(std::int64_t) {
    return CUDNN_TYPE_INT64;
}
constexpr auto attributeType(bool) {
    return CUDNN_TYPE_BOOLEAN;
}
constexpr auto attributeType(float) {
    return CUDNN_TYPE_FLOAT;
}
constexpr auto attributeType(char) {
    return CUDNN_TYPE_CHAR;
}
constexpr auto attributeType(void*) {
    return CUDNN_TYPE_VOID_PTR;
}
constexpr auto attributeType(cudnnHandle_t) {
    return CUDNN_TYPE_HANDLE;
}
constexpr auto attributeType(cudnnDataType_t) {
    return CUDNN_TYPE_DATA_TYPE;
}
constexpr auto attributeType(cudnnConvolutionMode_t) {
    return CUDNN_TYPE_CONVOLUTION_MODE;
}
constexpr auto attributeType(cudnnPointwiseMode_t) {
    return CUDNN_TYPE_POINTWISE_MODE;
}
constexpr auto attributeType(cudnnGenStatsMode_t) {
    return CUDNN_TYPE_GENSTATS_MODE;
}
constexpr auto attributeType(cudnnBackendHeurMode_t) {
    return CUDNN_TYPE_HEUR_MODE;
}
constexpr auto attributeType(cudnnBackendKnobType_t) {
    return CUDNN_TYPE_KNOB_TYPE;
}
constexpr auto attributeType(cudnnBackendNumericalNote_t) {
    return CUDNN_TYPE_NUMERICAL_NOTE;
}
constexpr auto attributeType(cudnnBackendBehaviorNote_t) {
    return CUDNN_TYPE_BEHAVIOR_NOTE;
}

// One object of cuDNN's backend interface: attributes are set, then it is finalised, then they can be read.
// All functions throw Failure(Backend) with cuDNN's reason where it refuses, unless they say otherwise.
class Descriptor {
public:
    explicit Descriptor(cudnnBackendDescriptorType_t type);

    cudnnBackendDescriptor_t get() const { return descriptor_.get(); }

    template <typename T>
    void setAll(cudnnBackendAttributeName_t name, std::span<const T> values) {
        setRaw(name, attributeType(T{}), static_cast<std::int64_t>(values.size()), values.data());
    }
    template <typename T>
    void set(cudnnBackendAttributeName_t name, const T& value) {
        setAll(name, std::span<const T>(&value, 1));
    }
    // Other descriptors, which are finalised and outlive this one.
    void set(cudnnBackendAttributeName_t name, const Descriptor& value);
    void setAll(cudnnBackendAttributeName_t name, std::span<const Descriptor* const> values);

    // `what` names it in an error: "an operation graph".
    void finalize(const char* what);
    // False where cuDNN refuses, which is how it says that an engine does not support something.
    bool tryFinalize();

    template <typename T>
    T value(cudnnBackendAttributeName_t name) const {
        T result{};
        getRaw(name, attributeType(T{}), 1, &result);
        return result;
    }
    // At most `limit` values; empty where it has none.
    template <typename T>
    std::vector<T> values(cudnnBackendAttributeName_t name, std::size_t limit) const {
        std::vector<T> result(limit);
        result.resize(getRaw(name, attributeType(T{}), limit, result.data()));
        return result;
    }
    // Copies of the descriptors of one type that an attribute has, at most `limit`.
    std::vector<Descriptor> descriptors(cudnnBackendAttributeName_t name, cudnnBackendDescriptorType_t type,
                                        std::size_t limit) const;

private:
    void setRaw(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t count,
                const void* values);
    std::size_t getRaw(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::size_t limit,
                       void* values) const;

    struct Destroy {
        void operator()(void* descriptor) const { cudnnBackendDestroyDescriptor(descriptor); }
    };
    std::unique_ptr<void, Destroy> descriptor_;
};

}  // namespace dlperf::worker::cuda::dnn
