// SPDX-License-Identifier: Apache-2.0
#include "cuda/kernels/kernels.h"

#include "cuda/kernels/launch.h"
#include "cuda/kernels/math.h"
#include "cuda/kernels/pack.h"

namespace dlperf::worker::cuda {
namespace {

constexpr unsigned rowThreads = 256;
constexpr unsigned classesPerBlock = 32;  // that a block of the second kernel has
constexpr unsigned lanes = 32;            // images that it treats at once

// Of every image.
struct RowResults {
    float* total;  // log of the sum of exp(logit)
    float* loss;
};

// One block an image.
template <typename T>
__global__ void __launch_bounds__(rowThreads)
    rowKernel(LossShape shape, float smoothing, LossTensors<T> tensors, RowResults results) {
    __shared__ LogitSums shared[rowThreads];
    const std::size_t image = blockIdx.x;
    const float* logits = tensors.logits + image * shape.classes;
    LogitSums mine = noLogits();
    for (std::size_t c = threadIdx.x; c < shape.classes; c += rowThreads) {
        mine = withLogit(mine, logits[c] + tensors.bias[c]);
    }
    shared[threadIdx.x] = mine;
    for (unsigned half = rowThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            shared[threadIdx.x] = together(shared[threadIdx.x], shared[threadIdx.x + half]);
        }
    }
    if (threadIdx.x > 0) {
        return;
    }

    const auto label = static_cast<std::size_t>(tensors.labels[image]);
    const float labelLogit = logits[label] + tensors.bias[label];
    const float total = logTotal(shared[0]);
    results.total[image] = total;
    results.loss[image] =
        imageLoss(total, labelLogit, shared[0].sum, static_cast<float>(shape.classes), smoothing);
}

// Adds up `mine` of all threads of a column, for that of lane 0; 0 for others. Every thread of the block
// takes part.
__device__ float sumOfLanes(float mine) {
    __shared__ float shared[lanes][classesPerBlock];
    const unsigned column = threadIdx.x % classesPerBlock;
    const unsigned lane = threadIdx.x / classesPerBlock;
    __syncthreads();  // the sum before this one has been read
    shared[lane][column] = mine;
    for (unsigned half = lanes / 2; half > 0; half /= 2) {
        __syncthreads();
        if (lane < half) {
            shared[lane][column] += shared[lane + half][column];
        }
    }
    return lane == 0 ? shared[0][column] : 0;
}

// The mean of all images' losses; by one block.
__device__ void meanLoss(std::size_t batch, const float* losses, float* mean) {
    const unsigned column = threadIdx.x % classesPerBlock;
    const unsigned lane = threadIdx.x / classesPerBlock;
    float sum = 0;
    for (std::size_t image = lane; column == 0 && image < batch; image += lanes) {
        sum += losses[image];
    }
    sum = sumOfLanes(sum);
    if (threadIdx.x == 0) {
        *mean = sum / static_cast<float>(batch);
    }
}

// classesPerBlock classes a block; the last block is for the mean loss.
template <typename T>
__global__ void __launch_bounds__(classesPerBlock* lanes)
    gradientKernel(LossShape shape, float smoothing, LossTensors<T> tensors, RowResults rows) {
    if (blockIdx.x == gridDim.x - 1) {
        meanLoss(shape.batch, rows.loss, tensors.loss);
        return;
    }
    const unsigned lane = threadIdx.x / classesPerBlock;
    const std::size_t c =
        static_cast<std::size_t>(blockIdx.x) * classesPerBlock + threadIdx.x % classesPerBlock;
    const float scale = tensors.lossScale == nullptr ? 1 : *tensors.lossScale;
    const float share = scale / static_cast<float>(shape.batch);
    float sum = 0;
    for (std::size_t image = lane; c < shape.classes && image < shape.batch; image += lanes) {
        const std::size_t at = image * shape.classes + c;
        const bool isLabel = c == static_cast<std::size_t>(tensors.labels[image]);
        const float gradient = share * logitGradient(tensors.logits[at] + tensors.bias[c], rows.total[image],
                                                     isLabel, static_cast<float>(shape.classes), smoothing);
        fromFloat(gradient, tensors.gradient[at]);
        sum += gradient;
    }
    sum = sumOfLanes(sum);
    if (lane == 0 && c < shape.classes) {
        tensors.biasGradient[c] = sum;
    }
}

}  // namespace

std::size_t lossScratchFloats(LossShape shape) {
    return 2 * shape.batch;
}

template <typename T>
void softmaxCrossEntropy(cudaStream_t stream, LossShape shape, float smoothing, LossTensors<T> tensors,
                         float* scratch) {
    const RowResults rows{scratch, scratch + shape.batch};
    launch("start the loss", stream, shape.batch, rowThreads, rowKernel<T>, shape, smoothing, tensors, rows);
    launch("start the gradient of the loss", stream, blocksFor(shape.classes, classesPerBlock) + 1,
           classesPerBlock * lanes, gradientKernel<T>, shape, smoothing, tensors, rows);
}

#define DLPERF_INSTANTIATE(T) \
    template void softmaxCrossEntropy(cudaStream_t, LossShape, float, LossTensors<T>, float*);
DLPERF_INSTANTIATE(float)
DLPERF_INSTANTIATE(__half)
DLPERF_INSTANTIATE(__nv_bfloat16)

}  // namespace dlperf::worker::cuda
