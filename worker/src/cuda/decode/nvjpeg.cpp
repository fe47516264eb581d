// SPDX-License-Identifier: Apache-2.0
#include "cuda/decode/nvjpeg.h"

#include <dlfcn.h>

#include <array>

#include "base/failure.h"
#include "base/world.h"

namespace dlperf::worker::cuda {
namespace {

[[noreturn]] void refuse(const std::string& reason) {
    throw Failure(ExitCode::Backend, "the GPU cannot decode images: " + reason + "; use --decode host");
}

template <typename Function>
void find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) {
        refuse(std::string("the nvJPEG that was found has no ") + name);
    }
}

// In the order of their numbers.
std::string nameOf(nvjpeg::Status status) {
    constexpr std::array names = {"success",           "not initialized",
                                  "invalid parameter", "bad JPEG",
                                  "not supported",     "no memory",
                                  "execution failed",  "wrong GPU",
                                  "internal error",    "no decoder of its kind",
                                  "incomplete image"};
    const auto index = static_cast<std::size_t>(status);
    return index < names.size() ? names[index] : "error " + std::to_string(status);
}

}  // namespace

void Nvjpeg::Close::operator()(void* library) const {
    dlclose(library);
}

std::unique_ptr<void, Nvjpeg::Close> Nvjpeg::open() {
    if (const std::optional<std::string> named = processEnvironment("DLPERF_WORKER_NVJPEG")) {
        std::unique_ptr<void, Close> library(dlopen(named->c_str(), RTLD_NOW | RTLD_LOCAL));
        if (!library) {
            refuse(std::string("DLPERF_WORKER_NVJPEG names no library that can be loaded: ") + dlerror());
        }
        return library;
    }
    for (const char* name : {"libnvjpeg.so.13", "libnvjpeg.so.12", "libnvjpeg.so.11"}) {
        if (std::unique_ptr<void, Close> library(dlopen(name, RTLD_NOW | RTLD_LOCAL)); library) {
            return library;
        }
    }
    refuse(
        "libnvjpeg.so.13, .12 or .11 is not found; install CUDA's libnvjpeg, or the Python package "
        "nvidia-nvjpeg and name its file in DLPERF_WORKER_NVJPEG");
}

nvjpeg::Functions Nvjpeg::functionsOf(void* library) {
    nvjpeg::Functions functions{};
    find(library, "nvjpegGetProperty", functions.getProperty);
    find(library, "nvjpegCreateEx", functions.createEx);
    find(library, "nvjpegDestroy", functions.destroy);
    find(library, "nvjpegJpegStateCreate", functions.stateCreate);
    find(library, "nvjpegJpegStateDestroy", functions.stateDestroy);
    find(library, "nvjpegDecodeBatchedInitialize", functions.batchedInitialize);
    find(library, "nvjpegDecodeBatched", functions.decodeBatched);
    return functions;
}

Nvjpeg::Nvjpeg()
    : library_(open()),
      functions_(functionsOf(library_.get())),
      handle_(createBest()),
      state_(nullptr, functions_.stateDestroy) {}

// Null where it refuses.
Nvjpeg::Owned<nvjpeg::Handle> Nvjpeg::create(int backend) const {
    nvjpeg::Handle* handle = nullptr;
    if (functions_.createEx(backend, nullptr, nullptr, 0, &handle) != nvjpeg::success) {
        handle = nullptr;
    }
    return {handle, functions_.destroy};
}

Nvjpeg::Owned<nvjpeg::Handle> Nvjpeg::createBest() {
    Owned<nvjpeg::Handle> handle = create(nvjpeg::hardwareBackend);
    hardware_ = handle != nullptr;
    if (!hardware_) {
        handle = create(nvjpeg::defaultBackend);
    }
    // A refusal may be CUDA's last error, of which the next launch is not to hear.
    cudaGetLastError();
    if (!handle) {
        refuse("nvJPEG " + version() + " refuses this GPU");
    }
    return handle;
}

std::string Nvjpeg::version() const {
    std::string text;
    for (const libraryPropertyType property : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL}) {
        int value = 0;
        functions_.getProperty(property, &value);
        text.append(text.empty() ? "" : ".").append(std::to_string(value));
    }
    return text;
}

std::string Nvjpeg::name() const {
    return "nvJPEG " + version() + (hardware_ ? ", hardware" : ", no hardware");
}

nvjpeg::Status Nvjpeg::prepareFor(int batchSize) {
    if (batchSize == batchSize_) {
        return nvjpeg::success;
    }
    if (!state_) {
        nvjpeg::State* state = nullptr;
        if (const nvjpeg::Status status = functions_.stateCreate(handle_.get(), &state);
            status != nvjpeg::success) {
            return status;
        }
        state_.reset(state);
    }
    const nvjpeg::Status status =
        functions_.batchedInitialize(handle_.get(), state_.get(), batchSize, 1, nvjpeg::interleavedRgb);
    batchSize_ = status == nvjpeg::success ? batchSize : 0;
    return status;
}

std::optional<std::string> Nvjpeg::decode(Jobs& jobs, cudaStream_t stream) {
    nvjpeg::Status status = prepareFor(static_cast<int>(jobs.files.size()));
    if (status == nvjpeg::success) {
        status = functions_.decodeBatched(handle_.get(), state_.get(), jobs.files.data(), jobs.lengths.data(),
                                          jobs.images.data(), stream);
    }
    if (status == nvjpeg::success) {
        return std::nullopt;
    }
    batchSize_ = 0;  // a batch that failed is reset like that
    cudaGetLastError();
    return nameOf(status);
}

}  // namespace dlperf::worker::cuda
