// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "cuda/kernels/row_tiling.h"

namespace dlperf::worker::cuda {

// Batch normalisation of activations T (float, __half or __nv_bfloat16) in NHWC, fused with the ReLU and
// the sums around it. Arithmetic is in fp32, coefficients and the last stage of sums in fp64. All pointers
// are to the device; those to activations, to the members of NormMemory and to scratch are multiples of 16
// bytes. "s" below is sizeof(T): what a function must move is given in bytes an element.
//
// A mask has one bit an element, set where the ReLU let it through: bit k of byte i is of element
// 8 * i + k.

// An Affine in fp16, a channel, for convolutions that normalise what they read. Its shift is that of the
// rounded scale, so that at the mean only the shift's own rounding is left; both are kept within fp16's
// range, as an infinite shift would make the whole channel infinite.
struct FoldedAffine {
    __half* scale = nullptr;
    __half* shift = nullptr;
};

// What a layer knows of its channels, each `channels` floats.
struct NormMemory {
    float* mean;
    float* inverseDeviation;  // 1 / sqrt(variance + epsilon)
    float* scale;
    float* shift;
    float* gain;
    float* slope;
    float* offset;
    FoldedAffine folded{};  // null where nobody wants it; set together with scale and shift

    Affine affine() const { return {scale, shift}; }
    NormGradient gradient() const { return {gain, slope, offset}; }
};

struct NormParameters {
    const float* gamma;
    const float* beta;
};

// Both null: not kept.
struct RunningStatistics {
    float* mean;
    float* variance;
};

// Floats of scratch memory that the functions below need; it is free again when they are done.
std::size_t normScratchFloats(Rows shape);

// The statistics of x, in training: sets mean, inverseDeviation, scale and shift, and moves the running
// statistics towards them. Sums are of x less its first row, which keeps the variance exact where the mean
// is large beside it. Moves s.
template <typename T>
void normStatistics(cudaStream_t stream, Rows shape, const T* x, NormParameters parameters,
                    RunningStatistics running, float* scratch, NormMemory norm);

// In place of normStatistics() where a convolution has summed x and its square over the rows: `sums` are
// those of all channels, then those of the squares. They have no pivot: with sums in fp32 the variance loses
// about (mean / deviation)^2 / 2^24 of itself, where normStatistics() loses nothing to speak of. A variance
// below zero is taken as 0.
void normStatisticsFromSums(cudaStream_t stream, Rows shape, const float* sums, NormParameters parameters,
                            RunningStatistics running, NormMemory norm);

// Frozen statistics in place of normStatistics(): the running ones, or mean 0 and variance 1 where they are
// null.
void normFreeze(cudaStream_t stream, std::size_t channels, NormParameters parameters,
                RunningStatistics running, NormMemory norm);

// y = relu(affine(x)); y may be x. `mask` may be null. Moves 2 s, and 1/8 with the mask.
template <typename T>
void normRelu(cudaStream_t stream, Rows shape, const T* x, Affine affine, T* y, std::uint8_t* mask);

// y = relu(affine(x) + shortcut); y may be either. Moves 3 s, and 1/8 with the mask.
template <typename T>
void normAddRelu(cudaStream_t stream, Rows shape, const T* x, Affine affine, const T* shortcut, T* y,
                 std::uint8_t* mask);

// y = relu(affine(x) + affine2(shortcut)); y may be either. Moves 3 s, and 1/8 with the mask.
template <typename T>
void normAddNormRelu(cudaStream_t stream, Rows shape, const T* x, Affine affine, const T* shortcut,
                     Affine affine2, T* y, std::uint8_t* mask);

// Where the ReLU behind a normalisation let x through: what the mask says, or, where that is null,
// where affine(x) is above zero; x is read anyway.
struct ReluMask {
    const std::uint8_t* mask;
    Affine affine;  // not looked at where there is a mask
};

// With dz = dy where the ReLU let x through, else 0: partial sums of dz and of dz * (x - mean) in
// `scratch`. Moves 2 s, and 1/8 with the mask.
template <typename T>
void normReluSums(cudaStream_t stream, Rows shape, const T* dy, const T* x, ReluMask reluMask,
                  const float* mean, float* scratch);

// The branches that meet at the end of a block.
template <typename T>
struct BlockEnd {
    const T* x;
    const float* mean;
    const T* x2;  // the shortcut's convolution's; null: none
    const float* mean2;
};

// The end of a block: dz = dy (+ dyShortcut, unless null) where the mask is set, else 0, is stored, rounded;
// partial sums of dz, of dz * (x - mean) and, with x2, of dz * (x2 - mean2) in `scratch`. dz may be dy or
// dyShortcut. Moves 3 s and 1/8, and s for each of dyShortcut and x2.
template <typename T>
void blockSums(cudaStream_t stream, Rows shape, const T* dy, const T* dyShortcut, const std::uint8_t* mask,
               BlockEnd<T> end, T* dz, float* scratch);

// Which sums of `scratch` are the layer's.
enum class Branch {
    Only,      // normReluSums(), or blockSums() without x2
    Main,      // blockSums() with x2: x's
    Shortcut,  // x2's
};

struct ParameterGradients {
    float* gamma;
    float* beta;
};

// Folds the partial sums: sets the parameters' gradients, and of `norm` gain, slope and offset; reads its
// mean and inverseDeviation. `frozen`: the statistics do not depend on x.
void normFoldGradients(cudaStream_t stream, Rows shape, const float* scratch, Branch branch,
                       const float* gamma, bool frozen, ParameterGradients gradients, NormMemory norm);

// dx = gradient of x, with the dz of normReluSums(); dx may be dy or x. Moves 3 s, and 1/8 with the mask.
template <typename T>
void normReluGradient(cudaStream_t stream, Rows shape, const T* dy, const T* x, ReluMask reluMask,
                      NormGradient gradient, T* dx);

// dx = gradient of x for a given dz; dx may be dz or x. Moves 3 s.
template <typename T>
void normGradient(cudaStream_t stream, Rows shape, const T* dz, const T* x, NormGradient gradient, T* dx);

// Of both branches of a block's end, reading dz once; dx may be dz or x, dx2 may be x2 (or dz, if dx is
// not). Moves 5 s.
template <typename T>
void normGradients(cudaStream_t stream, Rows shape, const T* dz, const T* x, NormGradient gradient, T* dx,
                   const T* x2, NormGradient gradient2, T* dx2);

}  // namespace dlperf::worker::cuda
