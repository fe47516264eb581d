// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/descriptor.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "base/failure.h"

namespace dlperf::worker::cuda::dnn {
namespace {

// cuDNN's explanations have a line for each of its functions that the error went through.
std::string inOneLine(const std::string& text) {
    std::istringstream words(text);
    std::string line;
    for (std::string word; words >> word;) {
        line.append(line.empty() ? "" : " ").append(word);
    }
    return line;
}

// What cuDNN said of the last thing that it refused on this thread: the status and its own explanation, in
// one line.
std::string reasonOf(cudnnStatus_t status) {
    std::array<char, 2048> buffer{};
    cudnnGetLastErrorString(buffer.data(), buffer.size());
    buffer.back() = '\0';
    const std::string explanation = inOneLine(buffer.data());
    const std::string name = cudnnGetErrorString(status);
    return explanation.empty() ? name : name + ": " + explanation;
}

}  // namespace

void check(cudnnStatus_t status, const char* what) {
    if (status == CUDNN_STATUS_SUCCESS) {
        return;
    }
    throw Failure(ExitCode::Backend, std::string("cuDNN cannot ") + what + ": " + reasonOf(status));
}

Descriptor::Descriptor(cudnnBackendDescriptorType_t type) {
    cudnnBackendDescriptor_t descriptor = nullptr;
    check(cudnnBackendCreateDescriptor(type, &descriptor), "make a descriptor");
    descriptor_.reset(descriptor);
}

void Descriptor::setRaw(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                        std::int64_t count, const void* values) {
    const cudnnStatus_t status = cudnnBackendSetAttribute(get(), name, type, count, values);
    if (status != CUDNN_STATUS_SUCCESS) {
        check(status, ("set attribute " + std::to_string(name)).c_str());
    }
}

std::size_t Descriptor::getRaw(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                               std::size_t limit, void* values) const {
    std::int64_t count = 0;
    const cudnnStatus_t status =
        cudnnBackendGetAttribute(get(), name, type, static_cast<std::int64_t>(limit), &count, values);
    if (status != CUDNN_STATUS_SUCCESS) {
        check(status, ("read attribute " + std::to_string(name)).c_str());
    }
    return std::min(limit, static_cast<std::size_t>(std::max<std::int64_t>(0, count)));
}

void Descriptor::set(cudnnBackendAttributeName_t name, const Descriptor& value) {
    const cudnnBackendDescriptor_t raw = value.get();
    setRaw(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &raw);
}

void Descriptor::setAll(cudnnBackendAttributeName_t name, std::span<const Descriptor* const> values) {
    std::vector<cudnnBackendDescriptor_t> raw;
    for (const Descriptor* value : values) {
        raw.push_back(value->get());
    }
    setRaw(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, static_cast<std::int64_t>(raw.size()), raw.data());
}

void Descriptor::finalize(const char* what) {
    const cudnnStatus_t status = cudnnBackendFinalize(get());
    if (status != CUDNN_STATUS_SUCCESS) {
        check(status, (std::string("make ") + what).c_str());
    }
}

bool Descriptor::tryFinalize() {
    return cudnnBackendFinalize(get()) == CUDNN_STATUS_SUCCESS;
}

std::vector<Descriptor> Descriptor::descriptors(cudnnBackendAttributeName_t name,
                                                cudnnBackendDescriptorType_t type, std::size_t limit) const {
    std::vector<Descriptor> result;
    std::vector<cudnnBackendDescriptor_t> raw;
    for (std::size_t index = 0; index < limit; ++index) {
        raw.push_back(result.emplace_back(type).get());
    }
    const std::size_t count = getRaw(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, limit, raw.data());
    result.erase(result.begin() + static_cast<std::ptrdiff_t>(count), result.end());
    return result;
}

}  // namespace dlperf::worker::cuda::dnn
