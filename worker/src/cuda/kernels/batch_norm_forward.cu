// SPDX-License-Identifier: Apache-2.0
#include "cuda/kernels/kernels.h"
#include "cuda/kernels/launch.h"
#include "cuda/kernels/math.h"
#include "cuda/kernels/pack.h"
#include "cuda/kernels/row_sums.h"

namespace dlperf::worker::cuda {
namespace {

template <typename T>
__global__ void __launch_bounds__(RowTiling::maxThreads, 3)
    statisticsKernel(Rows shape, RowTiling tiling, const T* x, float* partials) {
    const RowPlace place = placeOf(tiling, blockIdx.x, threadIdx.x);
    const Floats pivot = loadFloats(x + place.channel);
    Floats sum{};
    Floats squares{};
    walkRows<sizeof(T) == 2 ? 4 : 2>(
        shape, tiling, place, [&](std::size_t at) { return loadPack(x + at); },
        [&](std::size_t, const Pack<T>& pack) {
            const Floats values = unpack(pack);
            DLPERF_UNROLL
            for (int k = 0; k < packSize; ++k) {
                const float centred = values[k] - pivot[k];
                sum[k] += centred;
                squares[k] = fmaf(centred, centred, squares[k]);
            }
        });
    storePartial(tiling, place, shape.channels, 0, sum, partials);
    storePartial(tiling, place, shape.channels, 1, squares, partials);
}

// Of a block that has a thread for each channel.
constexpr std::size_t channelThreads = 128;

__device__ void storeNorm(NormMemory norm, std::size_t channel, Moments moments, NormParameters parameters) {
    const float beta = parameters.beta[channel];
    const NormValues values = normValues(moments, parameters.gamma[channel], beta);
    norm.mean[channel] = values.mean;
    norm.inverseDeviation[channel] = values.inverseDeviation;
    norm.scale[channel] = values.scale;
    norm.shift[channel] = values.shift;
    if (norm.folded.scale == nullptr) {
        return;
    }
    const __half scale = __float2half_rn(withinHalf(static_cast<double>(values.scale)));
    const double shift = static_cast<double>(beta) - static_cast<double>(toFloat(scale)) * moments.mean;
    norm.folded.scale[channel] = scale;
    norm.folded.shift[channel] = __float2half_rn(withinHalf(shift));
}

template <typename T>
__global__ void __launch_bounds__(foldChannels* foldLanes, foldBlocks)
    observeKernel(Rows shape, RowTiling tiling, const T* x, const float* partials, NormParameters parameters,
                  NormMemory norm) {
    const std::size_t channel = foldedChannel();
    const auto pivot = static_cast<double>(toFloat(x[channel]));
    const FoldedSums sums = foldPartials(tiling, shape.channels, 0, 1, channel, partials);
    if (threadIdx.x >= foldChannels) {
        return;
    }

    const auto rows = static_cast<double>(shape.rows);
    storeNorm(norm, channel, momentsOf(pivot, sums.first, sums.second, rows), parameters);
}

__global__ void observeSumsKernel(Rows shape, const float* sums, NormParameters parameters, NormMemory norm) {
    const std::size_t channel = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (channel >= shape.channels) {
        return;
    }
    const auto rows = static_cast<double>(shape.rows);
    const auto sum = static_cast<double>(sums[channel]);
    const auto squares = static_cast<double>(sums[shape.channels + channel]);
    storeNorm(norm, channel, momentsOf(0, sum, squares, rows), parameters);
}

__global__ void freezeKernel(std::size_t channels, NormParameters parameters, NormMemory norm) {
    const std::size_t channel = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (channel < channels) {
        storeNorm(norm, channel, frozenMoments(), parameters);
    }
}

enum class Added { Nothing, Shortcut, NormedShortcut };

// What a thread reads of one row.
template <typename T>
struct ApplyInputs {
    Pack<T> x;
    Pack<T> shortcut;
};

template <typename T, Added added>
struct ApplyTensors {
    const T* x;
    Affine affine;
    const T* shortcut;
    Affine affine2;
    T* y;
    std::uint8_t* mask;

    __device__ ApplyInputs<T> load(std::size_t at) const {
        ApplyInputs<T> inputs;
        inputs.x = loadPack(x + at);
        if constexpr (added != Added::Nothing) {
            inputs.shortcut = loadPack(shortcut + at);
        }
        return inputs;
    }
    __device__ void store(std::size_t at, Floats values) const {
        if constexpr (added != Added::Nothing) {
            mask[at / packSize] = maskOf(values);
        }
        DLPERF_UNROLL
        for (int k = 0; k < packSize; ++k) {
            values[k] = rectified(values[k]);
        }
        storeFloats(y + at, values);
    }
};

template <typename T, Added added>
__global__ void __launch_bounds__(RowTiling::maxThreads, added == Added::NormedShortcut ? 2 : 3)
    applyKernel(Rows shape, RowTiling tiling, ApplyTensors<T, added> tensors) {
    const RowPlace place = placeOf(tiling, blockIdx.x, threadIdx.x);
    const Floats scale = loadFloats(tensors.affine.scale + place.channel);
    const Floats shift = loadFloats(tensors.affine.shift + place.channel);
    Floats scale2{};
    Floats shift2{};
    if constexpr (added == Added::NormedShortcut) {
        scale2 = loadFloats(tensors.affine2.scale + place.channel);
        shift2 = loadFloats(tensors.affine2.shift + place.channel);
    }
    constexpr int together = (added == Added::Nothing ? 4 : 2) * 2 / static_cast<int>(sizeof(T));
    walkRows<together>(
        shape, tiling, place, [&](std::size_t at) { return tensors.load(at); },
        [&](std::size_t at, const ApplyInputs<T>& inputs) {
            Floats values = unpack(inputs.x);
            Floats around{};
            if constexpr (added != Added::Nothing) {
                around = unpack(inputs.shortcut);
            }
            DLPERF_UNROLL
            for (int k = 0; k < packSize; ++k) {
                values[k] = affine(values[k], scale[k], shift[k]);
                if constexpr (added == Added::Shortcut) {
                    values[k] += around[k];
                }
                if constexpr (added == Added::NormedShortcut) {
                    values[k] += affine(around[k], scale2[k], shift2[k]);
                }
            }
            tensors.store(at, values);
        });
}

template <typename T, Added added>
void apply(cudaStream_t stream, Rows shape, const ApplyTensors<T, added>& tensors) {
    const RowTiling tiling = applyTiling(shape);
    launch("start batch normalisation", stream, tiling.blocks(), tiling.threads(), applyKernel<T, added>,
           shape, tiling, tensors);
}

}  // namespace

std::size_t normScratchFloats(Rows shape) {
    return partialCount(shape);
}

template <typename T>
void normStatistics(cudaStream_t stream, Rows shape, const T* x, NormParameters parameters, float* scratch,
                    NormMemory norm) {
    const RowTiling tiling = sumTiling(shape);
    launch("start the sums of batch normalisation", stream, tiling.blocks(), tiling.threads(),
           statisticsKernel<T>, shape, tiling, x, scratch);
    launch("start the statistics of batch normalisation", stream, blocksFor(shape.channels, foldChannels),
           foldChannels * foldLanes, observeKernel<T>, shape, tiling, x, scratch, parameters, norm);
}

void normStatisticsFromSums(cudaStream_t stream, Rows shape, const float* sums, NormParameters parameters,
                            NormMemory norm) {
    launch("start the statistics of batch normalisation", stream, blocksFor(shape.channels, channelThreads),
           channelThreads, observeSumsKernel, shape, sums, parameters, norm);
}

void normFreeze(cudaStream_t stream, std::size_t channels, NormParameters parameters, NormMemory norm) {
    launch("freeze batch normalisation", stream, blocksFor(channels, channelThreads), channelThreads,
           freezeKernel, channels, parameters, norm);
}

template <typename T>
void normRelu(cudaStream_t stream, Rows shape, const T* x, Affine affine, T* y) {
    apply(stream, shape, ApplyTensors<T, Added::Nothing>{x, affine, nullptr, {}, y, nullptr});
}

template <typename T>
void normAddRelu(cudaStream_t stream, Rows shape, const T* x, Affine affine, const T* shortcut, T* y,
                 std::uint8_t* mask) {
    apply(stream, shape, ApplyTensors<T, Added::Shortcut>{x, affine, shortcut, {}, y, mask});
}

template <typename T>
void normAddNormRelu(cudaStream_t stream, Rows shape, const T* x, Affine affine, const T* shortcut,
                     Affine affine2, T* y, std::uint8_t* mask) {
    apply(stream, shape, ApplyTensors<T, Added::NormedShortcut>{x, affine, shortcut, affine2, y, mask});
}

#define DLPERF_INSTANTIATE(T)                                                                       \
    template void normStatistics(cudaStream_t, Rows, const T*, NormParameters, float*, NormMemory); \
    template void normRelu(cudaStream_t, Rows, const T*, Affine, T*);                               \
    template void normAddRelu(cudaStream_t, Rows, const T*, Affine, const T*, T*, std::uint8_t*);   \
    template void normAddNormRelu(cudaStream_t, Rows, const T*, Affine, const T*, Affine, T*, std::uint8_t*);
DLPERF_INSTANTIATE(float)
DLPERF_INSTANTIATE(__half)
DLPERF_INSTANTIATE(__nv_bfloat16)

}  // namespace dlperf::worker::cuda
