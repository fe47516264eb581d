// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>
#include <library_types.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dlperf::worker::cuda {

// Of NVIDIA's nvJPEG what we call, as https://docs.nvidia.com/cuda/nvjpeg/ describes it. Its versions 11 to
// 13 agree in that, and it is opened at run time: who lacks it can build and train all the same.
namespace nvjpeg {

struct Handle;
struct State;

using Status = int;
constexpr Status success = 0;

constexpr int defaultBackend = 0;
constexpr int hardwareBackend = 3;
constexpr int interleavedRgb = 5;

// Where an image's pixels are to be; of channels that are interleaved there is one.
struct Image {
    unsigned char* channel[4];
    std::size_t pitch[4];  // bytes from line to line
};

struct Functions {
    Status (*getProperty)(libraryPropertyType property, int* value);
    Status (*createEx)(int backend, void* deviceAllocator, void* pinnedAllocator, unsigned flags,
                       Handle** handle);
    Status (*destroy)(Handle* handle);
    Status (*stateCreate)(Handle* handle, State** state);
    Status (*stateDestroy)(State* state);
    Status (*batchedInitialize)(Handle* handle, State* state, int batchSize, int threads, int outputFormat);
    Status (*decodeBatched)(Handle* handle, State* state, const unsigned char* const* files,
                            const std::size_t* lengths, Image* images, cudaStream_t stream);
};

}  // namespace nvjpeg

// A decoder of the thread's current GPU: its engines for JPEG where it has some, else its multiprocessors.
class Nvjpeg {
public:
    // Opens the library that DLPERF_WORKER_NVJPEG names, else the newest that is found. Throws
    // Failure(Backend), saying what to do, where there is none or it refuses this GPU.
    Nvjpeg();

    // "nvJPEG 13.0.0, hardware"
    std::string name() const;

    // Files, and as many places for what they show.
    struct Jobs {
        std::vector<const unsigned char*> files;
        std::vector<std::size_t> lengths;
        std::vector<nvjpeg::Image> images;
    };

    // Begins to decode to interleaved RGB. The jobs, files and images stay until the stream has come so far,
    // and until then there is no other call. Where nvJPEG fails it returns how: nothing of the images is of
    // use then, and what it began may still be under way.
    std::optional<std::string> decode(Jobs& jobs, cudaStream_t stream);

private:
    struct Close {
        void operator()(void* library) const;
    };
    // Destroyed by a function that is known when the library is open.
    template <typename Object>
    using Owned = std::unique_ptr<Object, nvjpeg::Status (*)(Object*)>;

    static std::unique_ptr<void, Close> open();
    static nvjpeg::Functions functionsOf(void* library);
    Owned<nvjpeg::Handle> create(int backend) const;
    Owned<nvjpeg::Handle> createBest();
    nvjpeg::Status prepareFor(int batchSize);
    std::string version() const;

    std::unique_ptr<void, Close> library_;
    nvjpeg::Functions functions_;
    bool hardware_ = false;
    Owned<nvjpeg::Handle> handle_;
    Owned<nvjpeg::State> state_;
    int batchSize_ = 0;  // that the state is prepared for; 0: none
};

}  // namespace dlperf::worker::cuda
