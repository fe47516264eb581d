// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "base/options.h"

namespace dlperf::worker::cuda {

// Collectives among the GPUs of a world. All ranks call average() with pieces of the same sizes in the same
// order.
class DeviceComm {
public:
    virtual ~DeviceComm() = default;

    // For the log's header: "nccl 2.28.9".
    virtual std::string name() const = 0;

    struct Piece {
        void* data = nullptr;
        std::size_t count = 0;
        Precision type = Precision::Fp32;
    };
    // Replaces the pieces by their averages over all ranks, in one go, in the stream. May be captured into a
    // graph. Throws Failure(Communication).
    virtual void average(cudaStream_t stream, std::span<const Piece> pieces) = 0;

    // What has gone wrong since it was made; nothing where all is well. From any thread.
    virtual std::optional<std::string> error() = 0;
    // Ends what is under way, here; other ranks see it as an error. From any thread; nothing but the
    // destructor may be called after it.
    virtual void abort() = 0;
};

template <typename T>
constexpr Precision precisionOf = std::is_same_v<T, float>    ? Precision::Fp32
                                  : std::is_same_v<T, __half> ? Precision::Fp16
                                                              : Precision::Bf16;

}  // namespace dlperf::worker::cuda
