// SPDX-License-Identifier: Apache-2.0
// Compiled so that sums may be reordered: else the compiler could not compute them in vectors.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "tensors.h"

namespace dlperf::worker::cuda::emulation {
namespace {

// Pixels of an image and weights of one filter that lie one after the other in memory, and are multiplied
// for one pixel of the output: a filter's row, without what lies outside of the image.
struct Span {
    std::size_t image = 0;
    std::size_t filter = 0;
    std::size_t output = 0;  // the pixel's index
    std::size_t length = 0;
};

// Those of one line of the filter at one pixel of the output.
void addSpan(const dnn::ConvolutionShape& shape, int outY, int outX, int line, std::vector<Span>& spans) {
    const int y = outY * shape.stride - shape.padding + line;
    const int left = outX * shape.stride - shape.padding;
    const int from = std::max(0, left);
    const int to = std::min(shape.inSize, left + shape.kernel);
    if (y < 0 || y >= shape.inSize || from >= to) {
        return;
    }
    const auto at = [&](int size, int row, int column) {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(size) +
               static_cast<std::size_t>(column);
    };
    const auto channels = static_cast<std::size_t>(shape.inChannels);
    spans.push_back({.image = at(shape.inSize, y, from) * channels,
                     .filter = at(shape.kernel, line, from - left) * channels,
                     .output = at(shape.outSize, outY, outX),
                     .length = static_cast<std::size_t>(to - from) * channels});
}

std::vector<Span> spansOf(const dnn::ConvolutionShape& shape) {
    std::vector<Span> spans;
    for (int y = 0; y < shape.outSize; ++y) {
        for (int x = 0; x < shape.outSize; ++x) {
            for (int line = 0; line < shape.kernel; ++line) {
                addSpan(shape, y, x, line, spans);
            }
        }
    }
    return spans;
}

// Calls `visit(count, image, filter, output, length)` with offsets into the tensors for some filters at
// once, four or one, so that what is read of an image serves them all.
template <typename Visit>
void forEachSpan(const dnn::ConvolutionShape& shape, Visit&& visit) {
    const std::vector<Span> spans = spansOf(shape);
    const auto images = static_cast<std::size_t>(shape.batch);
    const auto filters = static_cast<std::size_t>(shape.outChannels);
    const auto channels = static_cast<std::size_t>(shape.inChannels);
    const auto imageSize = static_cast<std::size_t>(shape.inSize * shape.inSize) * channels;
    const auto filterSize = static_cast<std::size_t>(shape.kernel * shape.kernel) * channels;
    const auto outputSize = static_cast<std::size_t>(shape.outSize * shape.outSize) * filters;
    for (std::size_t k = 0; k < filters;) {
        const std::size_t some = filters - k >= 4 ? 4 : 1;
        for (std::size_t n = 0; n < images; ++n) {
            for (const Span& span : spans) {
                visit(some, n * imageSize + span.image, k * filterSize + span.filter,
                      n * outputSize + span.output * filters + k, span.length);
            }
        }
        k += some;
    }
}

std::size_t filterSize(const dnn::ConvolutionShape& shape) {
    return static_cast<std::size_t>(shape.kernel * shape.kernel) * static_cast<std::size_t>(shape.inChannels);
}

}  // namespace

void forwardLoops(const dnn::ConvolutionShape& shape, const float* input, const float* filter,
                  float* output) {
    const std::size_t next = filterSize(shape);
    const auto visit = [&](std::size_t count, std::size_t image, std::size_t weights, std::size_t out,
                           std::size_t length) {
        const float* const x = input + image;
        const float* const w = filter + weights;
        float sums[4] = {};
        if (count == 4) {
            for (std::size_t i = 0; i < length; ++i) {
                sums[0] += x[i] * w[i];
                sums[1] += x[i] * w[next + i];
                sums[2] += x[i] * w[2 * next + i];
                sums[3] += x[i] * w[3 * next + i];
            }
        } else {
            for (std::size_t i = 0; i < length; ++i) {
                sums[0] += x[i] * w[i];
            }
        }
        for (std::size_t k = 0; k < count; ++k) {
            output[out + k] += sums[k];
        }
    };
    forEachSpan(shape, visit);
}

void dataGradientLoops(const dnn::ConvolutionShape& shape, float* input, const float* filter,
                       const float* output) {
    const std::size_t next = filterSize(shape);
    const auto visit = [&](std::size_t count, std::size_t image, std::size_t weights, std::size_t out,
                           std::size_t length) {
        float* __restrict const dx = input + image;
        const float* const w = filter + weights;
        const float* const dy = output + out;
        if (count == 4) {
            for (std::size_t i = 0; i < length; ++i) {
                dx[i] +=
                    dy[0] * w[i] + dy[1] * w[next + i] + dy[2] * w[2 * next + i] + dy[3] * w[3 * next + i];
            }
        } else {
            for (std::size_t i = 0; i < length; ++i) {
                dx[i] += dy[0] * w[i];
            }
        }
    };
    forEachSpan(shape, visit);
}

void weightGradientLoops(const dnn::ConvolutionShape& shape, const float* input, float* filter,
                         const float* output) {
    const std::size_t next = filterSize(shape);
    const auto visit = [&](std::size_t count, std::size_t image, std::size_t weights, std::size_t out,
                           std::size_t length) {
        const float* const x = input + image;
        for (std::size_t k = 0; k < count; ++k) {
            float* __restrict const dw = filter + weights + k * next;
            const float dy = output[out + k];
            for (std::size_t i = 0; i < length; ++i) {
                dw[i] += dy * x[i];
            }
        }
    };
    forEachSpan(shape, visit);
}

}  // namespace dlperf::worker::cuda::emulation
