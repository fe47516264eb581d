// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cudnn_graph.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dlperf::worker::cuda::dnn {

// What cuDNN said of the last thing that it refused on this thread: the status and its own explanation, in
// one line.
std::string reasonOf(cudnnStatus_t status);

// Throws Failure(Backend) with cuDNN's reason where it refused; `what` says what was tried: "make a handle".
void check(cudnnStatus_t status, const char* what);

// cuDNN's name of a C++ type that attributes can have.
template <typename T>
struct AttributeType;

template <cudnnBackendAttributeType_t type>
struct AttributeTypeIs {
    static constexpr cudnnBackendAttributeType_t value = type;
};
template <>
struct AttributeType<std::int64_t> : AttributeTypeIs<CUDNN_TYPE_INT64> {};
template <>
struct AttributeType<bool> : AttributeTypeIs<CUDNN_TYPE_BOOLEAN> {};
template <>
struct AttributeType<float> : AttributeTypeIs<CUDNN_TYPE_FLOAT> {};
template <>
struct AttributeType<double> : AttributeTypeIs<CUDNN_TYPE_DOUBLE> {};
template <>
struct AttributeType<char> : AttributeTypeIs<CUDNN_TYPE_CHAR> {};
template <>
struct AttributeType<void*> : AttributeTypeIs<CUDNN_TYPE_VOID_PTR> {};
template <>
struct AttributeType<cudnnHandle_t> : AttributeTypeIs<CUDNN_TYPE_HANDLE> {};
template <>
struct AttributeType<cudnnDataType_t> : AttributeTypeIs<CUDNN_TYPE_DATA_TYPE> {};
template <>
struct AttributeType<cudnnConvolutionMode_t> : AttributeTypeIs<CUDNN_TYPE_CONVOLUTION_MODE> {};
template <>
struct AttributeType<cudnnPointwiseMode_t> : AttributeTypeIs<CUDNN_TYPE_POINTWISE_MODE> {};
template <>
struct AttributeType<cudnnGenStatsMode_t> : AttributeTypeIs<CUDNN_TYPE_GENSTATS_MODE> {};
template <>
struct AttributeType<cudnnBackendHeurMode_t> : AttributeTypeIs<CUDNN_TYPE_HEUR_MODE> {};
template <>
struct AttributeType<cudnnBackendKnobType_t> : AttributeTypeIs<CUDNN_TYPE_KNOB_TYPE> {};
template <>
struct AttributeType<cudnnBackendNumericalNote_t> : AttributeTypeIs<CUDNN_TYPE_NUMERICAL_NOTE> {};
template <>
struct AttributeType<cudnnBackendBehaviorNote_t> : AttributeTypeIs<CUDNN_TYPE_BEHAVIOR_NOTE> {};

// One object of cuDNN's backend interface: attributes are set, then it is finalised, then they can be read.
// All functions throw Failure(Backend) with cuDNN's reason where it refuses, unless they say otherwise.
class Descriptor {
public:
    explicit Descriptor(cudnnBackendDescriptorType_t type);

    cudnnBackendDescriptor_t get() const { return descriptor_.get(); }

    template <typename T>
    void setAll(cudnnBackendAttributeName_t name, std::span<const T> values) {
        setRaw(name, AttributeType<T>::value, static_cast<std::int64_t>(values.size()), values.data());
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
    // False where cuDNN refuses, which is how it says that an engine does not support something; then
    // `reason`, if given, is filled.
    bool tryFinalize(std::string* reason);

    template <typename T>
    T value(cudnnBackendAttributeName_t name) const {
        T result{};
        getRaw(name, AttributeType<T>::value, 1, &result);
        return result;
    }
    // At most `limit` values; empty where it has none.
    template <typename T>
    std::vector<T> values(cudnnBackendAttributeName_t name, std::size_t limit) const {
        std::vector<T> result(limit);
        result.resize(getRaw(name, AttributeType<T>::value, limit, result.data()));
        return result;
    }
    // Copies of the descriptors of one type that an attribute has, at most `limit`.
    std::vector<Descriptor> descriptors(cudnnBackendAttributeName_t name, cudnnBackendDescriptorType_t type,
                                        std::size_t limit) const;
    // Of an attribute that is text.
    std::string text(cudnnBackendAttributeName_t name) const;

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
