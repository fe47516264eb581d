// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "net/sgd.h"
#include "net/tensor_shapes.h"

namespace dlperf::worker::cpu {

// The upper half of a float, rounded to the nearest, ties to even.
struct Bf16 {
    std::uint16_t bits;
};

// Memory for sums over rows. Every thread sums its own rows, then the threads' sums are added in their order,
// so that the same number of threads gives the same bits.
struct Scratch {
    float* partial;     // threads * maxSums * channels
    double* perThread;  // threads * maxSums * channels
};
constexpr std::size_t maxSums = 3;

// The loops between the convolutions, for activations of type T (float or Bf16). All arithmetic is in fp32,
// sums over rows in double. Each passes over memory as few times as its result allows.
template <typename T>
struct ActivationKernels {
    // y = (pixel / 255 - mean) / deviation with the constants of ImageNet; `count` pixels of three channels.
    void (*normalizePixels)(const std::uint8_t* pixels, std::size_t count, T* y);

    // sums[c] = sum of (x - pivot), sums[channels + c] = sum of its squares; pivot is the first row, which
    // keeps the variance exact where the mean is large beside it.
    void (*statistics)(Rows shape, const T* x, Scratch scratch, double* sums);

    // y = relu(affine(x))
    void (*normRelu)(Rows shape, const T* x, Affine affine, T* y);
    // y = relu(affine(x) + shortcut)
    void (*normAddRelu)(Rows shape, const T* x, Affine affine, const T* shortcut, T* y);
    // y = relu(affine(x) + affine2(shortcut))
    void (*normAddNormRelu)(Rows shape, const T* x, Affine affine, const T* shortcut, Affine affine2, T* y);

    // With dz = dy where affine(x) > 0, else 0: sums of dz and of dz * (x - mean).
    void (*normReluSums)(Rows shape, const T* dy, const T* x, Affine affine, const float* mean,
                         Scratch scratch, double* sums);
    // dx = gradient of x, with the same dz; may be in place of dy.
    void (*normReluGradient)(Rows shape, const T* dy, const T* x, Affine affine, NormGradient gradient,
                             T* dx);

    // The end of a block: dz = (dy + dyShortcut) where y > 0, else 0, stored in place of dy; sums of dz, of
    // dz * (x - mean) and, where x2 is given, of dz * (x2 - mean2). dyShortcut may be null.
    void (*blockSums)(Rows shape, T* dy, const T* dyShortcut, const T* y, const T* x, const float* mean,
                      const T* x2, const float* mean2, Scratch scratch, double* sums);
    // dx = gradient of x for a given dz.
    void (*normGradient)(Rows shape, const T* dz, const T* x, NormGradient gradient, T* dx);

    // 3 x 3, stride 2, padding 1; `winner` says which of the nine it was.
    void (*maxPool)(Pooling shape, const T* x, T* y, std::uint8_t* winner);
    // Of dy + dyShortcut: the pooled image feeds both branches of the first block.
    void (*maxPoolGradient)(Pooling shape, const T* dy, const T* dyShortcut, const std::uint8_t* winner,
                            T* dx);
    // Mean over the `inSize` x `inSize` pixels of each image and channel.
    void (*meanPool)(Pooling shape, const T* x, T* y);
    void (*meanPoolGradient)(Pooling shape, const T* dy, T* dx);

    void (*fromFloats)(const float* x, std::size_t count, T* y);
};

// One set a level of the instruction set; the functions run on OpenMP's current number of threads.
struct Kernels {
    ActivationKernels<float> fp32;
    ActivationKernels<Bf16> bf16;
    void (*sgd)(SgdStep step, std::size_t count, const float* gradient, float* momentum, float* weight);
    const char* instructionSet;
};

// The best set for this CPU.
const Kernels& kernels();

template <typename T>
const ActivationKernels<T>& activationKernels() {
    if constexpr (sizeof(T) == sizeof(float)) {
        return kernels().fp32;
    } else {
        return kernels().bf16;
    }
}

}  // namespace dlperf::worker::cpu
