// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "cuda/kernels/math.h"
#include "cuda/kernels/walks.h"
#include "data/crop.h"

namespace dlperf::worker::cuda {

// Batch normalisation of activations T (float, __half or __nv_bfloat16) in NHWC, fused with the ReLU and the
// sums around it. Arithmetic is in fp32, coefficients and the last stage of sums in fp64. All pointers are to
// the device; those to activations, to the members of NormMemory and to scratch are multiples of 16 bytes.
// "s" below is sizeof(T): what a function must move is given in bytes an element.
//
// A mask has one bit an element, set where the ReLU let it through: bit k of byte i is of element 8 * i + k.

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

// Floats of scratch memory that the functions below need; it is free again when they are done.
std::size_t normScratchFloats(Rows shape);

// The statistics of x: sets mean, inverseDeviation, scale and shift. Sums are of x less its first row, which
// keeps the variance exact where the mean is large beside it. Moves s.
template <typename T>
void normStatistics(cudaStream_t stream, Rows shape, const T* x, NormParameters parameters, float* scratch,
                    NormMemory norm);

// In place of normStatistics() where a convolution has summed x and its square over the rows: `sums` are
// those of all channels, then those of the squares. They have no pivot: with sums in fp32 the variance loses
// about (mean / deviation)^2 / 2^24 of itself, where normStatistics() loses nothing to speak of. A variance
// below zero is taken as 0.
void normStatisticsFromSums(cudaStream_t stream, Rows shape, const float* sums, NormParameters parameters,
                            NormMemory norm);

// In place of normStatistics() where statistics are frozen: frozenMoments().
void normFreeze(cudaStream_t stream, std::size_t channels, NormParameters parameters, NormMemory norm);

// y = relu(affine(x)); y may be x. Moves 2 s.
template <typename T>
void normRelu(cudaStream_t stream, Rows shape, const T* x, Affine affine, T* y);

// y = relu(affine(x) + shortcut); y may be either. Sets the mask. Moves 3 s and 1/8.
template <typename T>
void normAddRelu(cudaStream_t stream, Rows shape, const T* x, Affine affine, const T* shortcut, T* y,
                 std::uint8_t* mask);

// y = relu(affine(x) + affine2(shortcut)); y may be either. Sets the mask. Moves 3 s and 1/8.
template <typename T>
void normAddNormRelu(cudaStream_t stream, Rows shape, const T* x, Affine affine, const T* shortcut,
                     Affine affine2, T* y, std::uint8_t* mask);

// With dz = dy where the ReLU let x through, which is where affine(x) is above zero, else 0: partial sums of
// dz and of dz * (x - mean) in `scratch`. Moves 2 s.
template <typename T>
void normReluSums(cudaStream_t stream, Rows shape, const T* dy, const T* x, Affine affine, const float* mean,
                  float* scratch);

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

// dx = gradient of x, with the dz of normReluSums(); dx may be dy or x. Moves 3 s.
template <typename T>
void normReluGradient(cudaStream_t stream, Rows shape, const T* dy, const T* x, Affine affine,
                      NormGradient gradient, T* dx);

// dx = gradient of x for a given dz; dx may be dz or x. Moves 3 s.
template <typename T>
void normGradient(cudaStream_t stream, Rows shape, const T* dz, const T* x, NormGradient gradient, T* dx);

// Of both branches of a block's end, reading dz once; dx may be dz or x, dx2 may be x2 (or dz, if dx is not).
// Moves 5 s.
template <typename T>
void normGradients(cudaStream_t stream, Rows shape, const T* dz, const T* x, NormGradient gradient, T* dx,
                   const T* x2, NormGradient gradient2, T* dx2);

// An image in RGB of which a crop is wanted.
struct DecodedImage {
    const std::uint8_t* pixels;  // null: it is not here
    int width;
    int height;
    Crop crop;
};

// The crops of `batch` images scaled to `size` x `size` into `pixels`, image, row, column, RGB, where it
// leaves out those that are not here. All pointers are to the device. Reads four pixels and writes one.
void resizeCrops(cudaStream_t stream, std::size_t batch, int size, const DecodedImage* images,
                 std::uint8_t* pixels);

struct Images {
    std::size_t batch;
    std::size_t height;
    std::size_t width;  // a multiple of 4
};

// Decoded pixels as the first convolution takes them: `pixels` is batch x height x width x RGB; y (float,
// __half or __nv_bfloat16) has a fourth channel of zeros, values (pixel / 255 - mean) / deviation with
// ImageNet's constants. Images whose byte in `flips` is not 0 are mirrored. Pointers are to the
// device, `pixels` a multiple of 4 bytes and y of 16. Moves 3 bytes and 4 sizeof(T) a pixel.
template <typename T>
void normalizePixels(cudaStream_t stream, Images images, const std::uint8_t* pixels,
                     const std::uint8_t* flips, T* y);

// Channels are a multiple of 8. T is float, __half or __nv_bfloat16; all pointers are to the device,
// multiples of 16 bytes (of 8 for winners). "s" is sizeof(T): what a function must move is given in bytes.

// The largest of windows of 3 x 3, stride 2, padding 1, of relu(affine(x)), which is never stored; `winner`,
// a byte an output element, says which of the nine it was, the first among equals. Moves s an input element,
// s and 1 an output element.
template <typename T>
void normReluMaxPool(cudaStream_t stream, Pooling shape, const T* x, Affine affine, T* y,
                     std::uint8_t* winner);

// What the gradient of normReluMaxPool() is made of: its input and winners, and its output's gradient, which
// is dy + dyShortcut (that may be null).
template <typename T>
struct PoolGradient {
    const T* x;
    const T* dy;
    const T* dyShortcut;
    const std::uint8_t* winner;
};

// Back through the pooling and the ReLU, with the sums of normReluSums(), so that what is between them is
// never stored: dz = the gradient in front of the ReLU, rounded; partial sums of dz and of dz * (x - mean) in
// `scratch`, for the rows of x. Moves 2 s an input element, 2 s and 1 an output element.
template <typename T>
void maxPoolReluSums(cudaStream_t stream, Pooling shape, PoolGradient<T> tensors, Affine affine,
                     const float* mean, T* dz, float* scratch);

// y = mean of each image's pixels, batch x channels. Moves s an input element.
template <typename T>
void meanPool(cudaStream_t stream, Pooling shape, const T* x, T* y);

// dx = dy / pixels for every pixel. Moves s an input element.
template <typename T>
void meanPoolGradient(cudaStream_t stream, Pooling shape, const T* dy, T* dx);

struct LossShape {
    std::size_t batch;
    std::size_t classes;  // any number
};

// Pointers to the device.
template <typename T>
struct LossTensors {
    const float* logits;         // batch x classes, without the bias
    const float* bias;           // classes
    const std::int32_t* labels;  // batch, each below classes
    const float* lossScale;      // one; null: 1
    float* loss;                 // one: set to the mean over the batch, not scaled
    T* gradient;                 // batch x classes: set to lossScale * d loss / d logits; may be `logits`
    float* biasGradient;         // classes: set to lossScale * d loss / d bias
};

// Floats of scratch memory for softmaxCrossEntropy().
std::size_t lossScratchFloats(LossShape shape);

// Softmax cross-entropy of logits + bias with label smoothing as in PyTorch. Two kernels, which read the
// logits once each.
template <typename T>
void softmaxCrossEntropy(cudaStream_t stream, LossShape shape, float smoothing, LossTensors<T> tensors,
                         float* scratch);

// Sets *overflow to 1 if any of `count` gradients (float, __half or __nv_bfloat16) is not finite, else leaves
// it as it is. Moves sizeof(G) an element. All pointers are to the device, that to gradients a multiple of 16
// bytes.
template <typename G>
void findOverflow(cudaStream_t stream, const G* gradients, std::size_t count, int* overflow);

// After a step: `state` follows what *overflow says, which is then 0.
void updateLossScale(cudaStream_t stream, LossScaleState* state, int* overflow);

// Parameters that lie in one piece: any number of tensors, padding among them included. Each pointer is to
// `count` elements on the device, a multiple of 16 bytes. G is float or T, T float, __half or __nv_bfloat16.
template <typename G, typename T>
struct SgdTensors {
    const G* gradients;
    float* momentum;
    float* weights;
    T* copy;  // set to the weights, rounded; null: none
};

// What a step reads of the device's memory.
struct SgdInputs {
    const SgdStep* control;
    const LossScaleState* lossScale;  // gradients are divided by its scale; null: by 1
    const int* overflow;              // not 0: the step is skipped as a whole; null: never
};

// One step of stochastic gradient descent. Moves sizeof(G) + 16 bytes an element, and sizeof(T) with a copy.
template <typename G, typename T>
void sgd(cudaStream_t stream, std::size_t count, SgdTensors<G, T> tensors, SgdInputs inputs);

// y = x, rounded to the nearest where To is the smaller; one of the two types is float, the other float,
// __half or __nv_bfloat16. Pointers are to the device, multiples of 16 bytes. Moves both sizes an element.
template <typename From, typename To>
void convert(cudaStream_t stream, std::size_t count, const From* x, To* y);

}  // namespace dlperf::worker::cuda
