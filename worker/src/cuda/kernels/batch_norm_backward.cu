// SPDX-License-Identifier: Apache-2.0
#include "cuda/kernels/kernels.h"
#include "cuda/kernels/launch.h"
#include "cuda/kernels/math.h"
#include "cuda/kernels/pack.h"
#include "cuda/kernels/row_sums.h"

namespace dlperf::worker::cuda {
namespace {

// What a thread reads of one row.
template <typename T>
struct GradientInputs {
    Pack<T> gradient;
    Pack<T> x;
};

template <typename T>
__global__ void __launch_bounds__(RowTiling::maxThreads, 3)
    reluSumsKernel(Rows shape, RowTiling tiling, const T* dy, const T* x, Affine affine, const float* mean,
                   float* partials) {
    const RowPlace place = placeOf(tiling, blockIdx.x, threadIdx.x);
    const Floats means = loadFloats(mean + place.channel);
    const Rectifier relu(affine, place.channel);
    Sums sums{};
    walkRows<sizeof(T) == 2 ? 2 : 1>(
        shape, tiling, place,
        [&](std::size_t at) {
            return GradientInputs<T>{loadPack(dy + at), loadPack(x + at)};
        },
        [&](std::size_t, const GradientInputs<T>& inputs) {
            const Floats values = unpack(inputs.x);
            sums.add(relu.dz(unpack(inputs.gradient), values), values, means);
        });
    storePartial(tiling, place, shape.channels, 0, sums.dz, partials);
    storePartial(tiling, place, shape.channels, 1, sums.centred, partials);
}

// What a thread reads of one row at the end of a block.
template <typename T>
struct BlockInputs {
    Pack<T> dy;
    Pack<T> dyShortcut;
    Pack<T> x;
    Pack<T> x2;
    unsigned mask;
};

// `joined`: dyShortcut is given; `two`: x2 is.
template <typename T, bool joined, bool two>
struct BlockTensors {
    const T* dy;
    const T* dyShortcut;
    const std::uint8_t* mask;
    BlockEnd<T> end;
    T* dz;

    __device__ BlockInputs<T> load(std::size_t at) const {
        BlockInputs<T> inputs;
        inputs.dy = loadPack(dy + at);
        if constexpr (joined) {
            inputs.dyShortcut = loadPack(dyShortcut + at);
        }
        inputs.x = loadPack(end.x + at);
        if constexpr (two) {
            inputs.x2 = loadPack(end.x2 + at);
        }
        inputs.mask = mask[at / packSize];
        return inputs;
    }
    // Returns dz as the branches will see it.
    __device__ Floats store(std::size_t at, const BlockInputs<T>& inputs) const {
        Floats gradient = unpack(inputs.dy);
        Floats around{};
        if constexpr (joined) {
            around = unpack(inputs.dyShortcut);
        }
        DLPERF_UNROLL
        for (int k = 0; k < packSize; ++k) {
            gradient[k] = whereSet(inputs.mask, k, gradient[k] + around[k]);
        }
        const Pack<T> rounded = toPack<T>(gradient);
        storePack(dz + at, rounded);
        return unpack(rounded);
    }
};

template <typename T, bool joined, bool two>
__global__ void __launch_bounds__(RowTiling::maxThreads, two ? 2 : 3)
    blockSumsKernel(Rows shape, RowTiling tiling, BlockTensors<T, joined, two> tensors, float* partials) {
    const RowPlace place = placeOf(tiling, blockIdx.x, threadIdx.x);
    const Floats mean = loadFloats(tensors.end.mean + place.channel);
    Floats mean2{};
    if constexpr (two) {
        mean2 = loadFloats(tensors.end.mean2 + place.channel);
    }
    Sums sums{};
    Floats centred2{};
    walkRows<sizeof(T) == 2 ? 2 : 1>(
        shape, tiling, place, [&](std::size_t at) { return tensors.load(at); },
        [&](std::size_t at, const BlockInputs<T>& inputs) {
            const Floats dz = tensors.store(at, inputs);
            sums.add(dz, unpack(inputs.x), mean);
            if constexpr (two) {
                const Floats values2 = unpack(inputs.x2);
                DLPERF_UNROLL
                for (int k = 0; k < packSize; ++k) {
                    centred2[k] = fmaf(dz[k], values2[k] - mean2[k], centred2[k]);
                }
            }
        });
    storePartial(tiling, place, shape.channels, 0, sums.dz, partials);
    storePartial(tiling, place, shape.channels, 1, sums.centred, partials);
    if constexpr (two) {
        storePartial(tiling, place, shape.channels, 2, centred2, partials);
    }
}

__global__ void __launch_bounds__(foldChannels* foldLanes, foldBlocks)
    absorbKernel(Rows shape, RowTiling tiling, const float* partials, unsigned centredSum, const float* gamma,
                 bool frozen, ParameterGradients gradients, NormMemory norm) {
    const std::size_t channel = foldedChannel();
    const float weight = gamma[channel];
    const float mean = norm.mean[channel];
    const float inverseDeviation = norm.inverseDeviation[channel];
    const FoldedSums sums = foldPartials(tiling, shape.channels, 0, centredSum, channel, partials);
    if (threadIdx.x >= foldChannels) {
        return;
    }

    const NormGradientValues values = normGradientValues(
        sums.first, sums.second, static_cast<double>(shape.rows), weight, mean, inverseDeviation, frozen);
    gradients.gamma[channel] = values.gamma;
    gradients.beta[channel] = values.beta;
    norm.gain[channel] = values.gain;
    norm.slope[channel] = values.slope;
    norm.offset[channel] = values.offset;
}

// A layer's coefficients of the thread's channels.
struct Coefficients {
    Floats gain;
    Floats slope;
    Floats offset;
    __device__ Coefficients(NormGradient gradient, std::size_t channel)
        : gain(loadFloats(gradient.gain + channel)),
          slope(loadFloats(gradient.slope + channel)),
          offset(loadFloats(gradient.offset + channel)) {}
    __device__ Floats dx(const Floats& dz, const Floats& x) const {
        Floats result;
        DLPERF_UNROLL
        for (int k = 0; k < packSize; ++k) {
            result[k] = inputGradient(dz[k], x[k], gain[k], slope[k], offset[k]);
        }
        return result;
    }
};

template <typename T>
__global__ void __launch_bounds__(RowTiling::maxThreads, 3)
    reluGradientKernel(Rows shape, RowTiling tiling, const T* dy, const T* x, Affine affine,
                       NormGradient coefficients, T* dx) {
    const RowPlace place = placeOf(tiling, blockIdx.x, threadIdx.x);
    const Coefficients norm(coefficients, place.channel);
    const Rectifier relu(affine, place.channel);
    walkRows<1>(
        shape, tiling, place,
        [&](std::size_t at) {
            return GradientInputs<T>{loadPack(dy + at), loadPack(x + at)};
        },
        [&](std::size_t at, const GradientInputs<T>& inputs) {
            const Floats values = unpack(inputs.x);
            storeFloats(dx + at, norm.dx(relu.dz(unpack(inputs.gradient), values), values));
        });
}

template <typename T>
__global__ void __launch_bounds__(RowTiling::maxThreads, 3)
    gradientKernel(Rows shape, RowTiling tiling, const T* dz, const T* x, NormGradient coefficients, T* dx) {
    const RowPlace place = placeOf(tiling, blockIdx.x, threadIdx.x);
    const Coefficients norm(coefficients, place.channel);
    walkRows<sizeof(T) == 2 ? 2 : 1>(
        shape, tiling, place,
        [&](std::size_t at) {
            return GradientInputs<T>{loadPack(dz + at), loadPack(x + at)};
        },
        [&](std::size_t at, const GradientInputs<T>& inputs) {
            storeFloats(dx + at, norm.dx(unpack(inputs.gradient), unpack(inputs.x)));
        });
}

template <typename T>
struct PairInputs {
    Pack<T> dz;
    Pack<T> x;
    Pack<T> x2;
};

template <typename T>
__global__ void __launch_bounds__(RowTiling::maxThreads, 2)
    gradientsKernel(Rows shape, RowTiling tiling, const T* dz, const T* x, NormGradient coefficients, T* dx,
                    const T* x2, NormGradient coefficients2, T* dx2) {
    const RowPlace place = placeOf(tiling, blockIdx.x, threadIdx.x);
    const Coefficients norm(coefficients, place.channel);
    const Coefficients norm2(coefficients2, place.channel);
    walkRows<sizeof(T) == 2 ? 2 : 1>(
        shape, tiling, place,
        [&](std::size_t at) {
            return PairInputs<T>{loadPack(dz + at), loadPack(x + at), loadPack(x2 + at)};
        },
        [&](std::size_t at, const PairInputs<T>& inputs) {
            const Floats gradient = unpack(inputs.dz);
            storeFloats(dx + at, norm.dx(gradient, unpack(inputs.x)));
            storeFloats(dx2 + at, norm2.dx(gradient, unpack(inputs.x2)));
        });
}

template <typename T, bool joined, bool two>
void startBlockSums(cudaStream_t stream, Rows shape, const BlockTensors<T, joined, two>& tensors,
                    float* scratch) {
    const RowTiling tiling = sumTiling(shape);
    launch("start the sums of a block's end", stream, tiling.blocks(), tiling.threads(),
           blockSumsKernel<T, joined, two>, shape, tiling, tensors, scratch);
}

}  // namespace

template <typename T>
void normReluSums(cudaStream_t stream, Rows shape, const T* dy, const T* x, Affine affine, const float* mean,
                  float* scratch) {
    const RowTiling tiling = sumTiling(shape);
    launch("start the sums of a gradient", stream, tiling.blocks(), tiling.threads(), reluSumsKernel<T>,
           shape, tiling, dy, x, affine, mean, scratch);
}

template <typename T>
void blockSums(cudaStream_t stream, Rows shape, const T* dy, const T* dyShortcut, const std::uint8_t* mask,
               BlockEnd<T> end, T* dz, float* scratch) {
    const auto start = [&]<bool joined, bool two>() {
        startBlockSums(stream, shape, BlockTensors<T, joined, two>{dy, dyShortcut, mask, end, dz}, scratch);
    };
    const bool two = end.x2 != nullptr;
    if (dyShortcut != nullptr) {
        two ? start.template operator()<true, true>() : start.template operator()<true, false>();
    } else {
        two ? start.template operator()<false, true>() : start.template operator()<false, false>();
    }
}

void normFoldGradients(cudaStream_t stream, Rows shape, const float* scratch, Branch branch,
                       const float* gamma, bool frozen, ParameterGradients gradients, NormMemory norm) {
    const unsigned centredSum = branch == Branch::Shortcut ? 2 : 1;
    launch("start the gradients of batch normalisation", stream, blocksFor(shape.channels, foldChannels),
           foldChannels * foldLanes, absorbKernel, shape, sumTiling(shape), scratch, centredSum, gamma,
           frozen, gradients, norm);
}

template <typename T>
void normReluGradient(cudaStream_t stream, Rows shape, const T* dy, const T* x, Affine affine,
                      NormGradient gradient, T* dx) {
    const RowTiling tiling = applyTiling(shape);
    launch("start the gradient of batch normalisation", stream, tiling.blocks(), tiling.threads(),
           reluGradientKernel<T>, shape, tiling, dy, x, affine, gradient, dx);
}

template <typename T>
void normGradient(cudaStream_t stream, Rows shape, const T* dz, const T* x, NormGradient gradient, T* dx) {
    const RowTiling tiling = applyTiling(shape);
    launch("start the gradient of batch normalisation", stream, tiling.blocks(), tiling.threads(),
           gradientKernel<T>, shape, tiling, dz, x, gradient, dx);
}

template <typename T>
void normGradients(cudaStream_t stream, Rows shape, const T* dz, const T* x, NormGradient gradient, T* dx,
                   const T* x2, NormGradient gradient2, T* dx2) {
    const RowTiling tiling = applyTiling(shape);
    launch("start the gradients of a block's end", stream, tiling.blocks(), tiling.threads(),
           gradientsKernel<T>, shape, tiling, dz, x, gradient, dx, x2, gradient2, dx2);
}

#define DLPERF_INSTANTIATE(T)                                                                             \
    template void normReluSums(cudaStream_t, Rows, const T*, const T*, Affine, const float*, float*);     \
    template void blockSums(cudaStream_t, Rows, const T*, const T*, const std::uint8_t*, BlockEnd<T>, T*, \
                            float*);                                                                      \
    template void normReluGradient(cudaStream_t, Rows, const T*, const T*, Affine, NormGradient, T*);     \
    template void normGradient(cudaStream_t, Rows, const T*, const T*, NormGradient, T*);                 \
    template void normGradients(cudaStream_t, Rows, const T*, const T*, NormGradient, T*, const T*,       \
                                NormGradient, T*);
DLPERF_INSTANTIATE(float)
DLPERF_INSTANTIATE(__half)
DLPERF_INSTANTIATE(__nv_bfloat16)

}  // namespace dlperf::worker::cuda
