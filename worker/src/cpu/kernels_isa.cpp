// SPDX-License-Identifier: Apache-2.0
// Compiled once for every level of the instruction set, with DLPERF_ISA naming the namespace. It includes
// nothing that has inline functions with external linkage beyond our own headers' trivial ones: the linker
// keeps one copy of those, and that copy must run on every CPU. So no standard containers or algorithms here.
#include <omp.h>

#include "cpu/kernels.h"

#define DLPERF_STRINGIFY_(x) #x
#define DLPERF_STRINGIFY(x) DLPERF_STRINGIFY_(x)

namespace dlperf::worker::cpu::DLPERF_ISA {
extern const Kernels allKernels;

namespace {

struct Range {
    std::size_t first;
    std::size_t last;
};

// This thread's share of `count` things.
Range myShare(std::size_t count) {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto me = static_cast<std::size_t>(omp_get_thread_num());
    return {count * me / threads, count * (me + 1) / threads};
}

float load(const float* p, std::size_t i) {
    return p[i];
}
float load(const Bf16* p, std::size_t i) {
    const std::uint32_t bits = static_cast<std::uint32_t>(p[i].bits) << 16;
    return __builtin_bit_cast(float, bits);
}
void store(float* p, std::size_t i, float value) {
    p[i] = value;
}
void store(Bf16* p, std::size_t i, float value) {
    const auto bits = __builtin_bit_cast(std::uint32_t, value);
    p[i].bits = static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

// The value as it will be when it is read back.
template <typename T>
float rounded(float value) {
    T stored;
    store(&stored, 0, value);
    return load(&stored, 0);
}

// What is not a number stays so, as on a GPU: else training that has diverged would have finite losses.
float positive(float value) {
    return value <= 0 ? 0 : value;
}
bool beats(float value, float best) {
    return value > best || value != value;
}

// Calls body(i, c) for every element of this thread's rows; i counts elements, c channels.
template <typename Body>
void forEachElement(Rows shape, Body body) {
#pragma omp parallel
    {
        const Range mine = myShare(shape.rows);
        for (std::size_t row = mine.first; row < mine.last; ++row) {
            const std::size_t base = row * shape.channels;
#pragma omp simd
            for (std::size_t c = 0; c < shape.channels; ++c) {
                body(base + c, c);
            }
        }
    }
}

// Rows summed in fp32 before they are added to the double sums: short enough to lose nothing that matters.
constexpr std::size_t rowsPerPartial = 256;

// What one element adds to up to three sums.
struct Terms {
    float first;
    float second;
    float third = 0;
};

Terms operator+(Terms a, Terms b) {
    return {a.first + b.first, a.second + b.second, a.third + b.third};
}

// Adds rows [first, last) to the partial sums, `Together` (1 or 4) rows at a time. Four save reading and
// writing the partial sums; but where a row is of several tensors, that is more streams than the memory
// prefetcher follows. The loops' bodies are lambdas: what they hold in between then stays in registers, and
// the loops vectorise.
template <std::size_t Sums, std::size_t Together, typename Body>
void addRows(std::size_t channels, Range rows, float* partial, Body body) {
    const auto add = [=](std::size_t c, Terms terms) {
        partial[c] += terms.first;
        partial[channels + c] += terms.second;
        if constexpr (Sums > 2) {
            partial[2 * channels + c] += terms.third;
        }
    };
    std::size_t row = rows.first;
    for (; Together == 4 && row + 4 <= rows.last; row += 4) {
        const auto addFour = [=, base = row * channels](std::size_t c) {
            const Terms upper = body(base + c, c) + body(base + channels + c, c);
            const Terms lower = body(base + 2 * channels + c, c) + body(base + 3 * channels + c, c);
            add(c, upper + lower);
        };
#pragma omp simd
        for (std::size_t c = 0; c < channels; ++c) {
            addFour(c);
        }
    }
    for (; row < rows.last; ++row) {
        const auto addOne = [=, base = row * channels](std::size_t c) { add(c, body(base + c, c)); };
#pragma omp simd
        for (std::size_t c = 0; c < channels; ++c) {
            addOne(c);
        }
    }
}

// sums[s * channels + c] = sum over rows of the s-th of `Sums` terms that body(i, c) gives for element i.
template <std::size_t Sums, std::size_t Together, typename Body>
void sumRows(Rows shape, Scratch scratch, double* sums, Body body) {
    static_assert(Sums <= maxSums);
    const std::size_t width = Sums * shape.channels;
    const std::size_t stride = maxSums * shape.channels;
    std::size_t team = 1;
#pragma omp parallel
    {
        const auto me = static_cast<std::size_t>(omp_get_thread_num());
#pragma omp single
        team = static_cast<std::size_t>(omp_get_num_threads());
        float* partial = scratch.partial + me * stride;
        double* mySums = scratch.perThread + me * stride;
        for (std::size_t k = 0; k < width; ++k) {
            mySums[k] = 0;
        }

        const Range mine = myShare(shape.rows);
        for (std::size_t first = mine.first; first < mine.last; first += rowsPerPartial) {
            const std::size_t last = first + rowsPerPartial < mine.last ? first + rowsPerPartial : mine.last;
            for (std::size_t k = 0; k < width; ++k) {
                partial[k] = 0;
            }
            addRows<Sums, Together>(shape.channels, {first, last}, partial, body);
            for (std::size_t k = 0; k < width; ++k) {
                mySums[k] += static_cast<double>(partial[k]);
            }
        }
    }
    for (std::size_t k = 0; k < width; ++k) {
        double total = 0;
        for (std::size_t t = 0; t < team; ++t) {
            total += scratch.perThread[t * stride + k];
        }
        sums[k] = total;
    }
}

template <typename T>
void normalizePixels(const std::uint8_t* pixels, std::size_t count, T* y) {
    // ImageNet's mean and standard deviation of each colour.
    const float scale[3] = {1 / (255 * 0.229F), 1 / (255 * 0.224F), 1 / (255 * 0.225F)};
    const float shift[3] = {-0.485F / 0.229F, -0.456F / 0.224F, -0.406F / 0.225F};
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            store(y, 3 * i + c, static_cast<float>(pixels[3 * i + c]) * scale[c] + shift[c]);
        }
    }
}

template <typename T>
void statistics(Rows shape, const T* x, Scratch scratch, double* sums) {
    sumRows<2, 4>(shape, scratch, sums, [x](std::size_t i, std::size_t c) {
        const float centred = load(x, i) - load(x, c);
        return Terms{centred, centred * centred};
    });
}

template <typename T>
void normRelu(Rows shape, const T* x, Affine affine, T* y) {
    forEachElement(shape, [=](std::size_t i, std::size_t c) {
        store(y, i, positive(load(x, i) * affine.scale[c] + affine.shift[c]));
    });
}

template <typename T>
void normAddRelu(Rows shape, const T* x, Affine affine, const T* shortcut, T* y) {
    forEachElement(shape, [=](std::size_t i, std::size_t c) {
        store(y, i, positive(load(x, i) * affine.scale[c] + affine.shift[c] + load(shortcut, i)));
    });
}

template <typename T>
void normAddNormRelu(Rows shape, const T* x, Affine affine, const T* shortcut, Affine affine2, T* y) {
    forEachElement(shape, [=](std::size_t i, std::size_t c) {
        const float main = load(x, i) * affine.scale[c] + affine.shift[c];
        store(y, i, positive(main + load(shortcut, i) * affine2.scale[c] + affine2.shift[c]));
    });
}

template <typename T>
void normReluSums(Rows shape, const T* dy, const T* x, Affine affine, const float* mean, Scratch scratch,
                  double* sums) {
    sumRows<2, 1>(shape, scratch, sums, [=](std::size_t i, std::size_t c) {
        const float value = load(x, i);
        const float incoming = load(dy, i);
        const float dz = value * affine.scale[c] + affine.shift[c] > 0 ? incoming : 0;
        return Terms{dz, dz * (value - mean[c])};
    });
}

template <typename T>
void normReluGradient(Rows shape, const T* dy, const T* x, Affine affine, NormGradient gradient, T* dx) {
    forEachElement(shape, [=](std::size_t i, std::size_t c) {
        const float value = load(x, i);
        const float incoming = load(dy, i);
        const float dz = value * affine.scale[c] + affine.shift[c] > 0 ? incoming : 0;
        store(dx, i, gradient.gain[c] * dz + (gradient.slope[c] * value + gradient.offset[c]));
    });
}

// `Shortcut`: dyShortcut is given; `Two`: x2 is.
template <typename T, bool Shortcut, bool Two>
void blockSumsOf(Rows shape, T* dy, const T* dyShortcut, const T* y, const T* x, const float* mean,
                 const T* x2, const float* mean2, Scratch scratch, double* sums) {
    sumRows<Two ? 3 : 2, 1>(shape, scratch, sums, [=](std::size_t i, std::size_t c) {
        float incoming = load(dy, i);
        if constexpr (Shortcut) {
            incoming += load(dyShortcut, i);
        }
        const float dz = rounded<T>(load(y, i) > 0 ? incoming : 0);  // what the branches will see
        store(dy, i, dz);
        Terms terms{dz, dz * (load(x, i) - mean[c])};
        if constexpr (Two) {
            terms.third = dz * (load(x2, i) - mean2[c]);
        }
        return terms;
    });
}

template <typename T>
void blockSums(Rows shape, T* dy, const T* dyShortcut, const T* y, const T* x, const float* mean, const T* x2,
               const float* mean2, Scratch scratch, double* sums) {
    const auto run = dyShortcut != nullptr
                         ? (x2 != nullptr ? blockSumsOf<T, true, true> : blockSumsOf<T, true, false>)
                         : (x2 != nullptr ? blockSumsOf<T, false, true> : blockSumsOf<T, false, false>);
    run(shape, dy, dyShortcut, y, x, mean, x2, mean2, scratch, sums);
}

template <typename T>
void normGradient(Rows shape, const T* dz, const T* x, NormGradient gradient, T* dx) {
    forEachElement(shape, [=](std::size_t i, std::size_t c) {
        store(dx, i, gradient.gain[c] * load(dz, i) + (gradient.slope[c] * load(x, i) + gradient.offset[c]));
    });
}

constexpr std::size_t windowSize = 3;

// The input pixel of window position k (0 to 2) of output pixel `out`, stride 2 and padding 1; false:
// outside.
bool windowPixel(std::size_t out, std::size_t k, std::size_t size, std::size_t& in) {
    in = 2 * out + k - 1;  // wraps around below zero, and is then above size
    return in < size;
}

// Channels that pooling treats together, in local arrays of 32-bit numbers so that the loops over them
// vectorise.
constexpr std::size_t stripChannels = 64;

// One output pixel, channels [from, from + width): the largest input and which of the window's it was.
template <typename T>
void maxPoolPixel(Pooling shape, const T* image, std::size_t row, std::size_t column, std::size_t from,
                  std::size_t width, T* y, std::uint8_t* winner) {
    float best[stripChannels];
    std::uint32_t which[stripChannels];
    for (std::size_t c = 0; c < width; ++c) {
        best[c] = -__builtin_inff();
    }
    for (std::size_t c = 0; c < width; ++c) {
        which[c] = 0;
    }
    for (std::uint32_t k = 0; k < windowSize * windowSize; ++k) {
        std::size_t inRow = 0;
        std::size_t inColumn = 0;
        if (!windowPixel(row, k / windowSize, shape.inSize, inRow) ||
            !windowPixel(column, k % windowSize, shape.inSize, inColumn)) {
            continue;
        }
        const T* in = image + (inRow * shape.inSize + inColumn) * shape.channels + from;
        for (std::size_t c = 0; c < width; ++c) {
            const float value = load(in, c);
            which[c] = beats(value, best[c]) ? k : which[c];
            best[c] = beats(value, best[c]) ? value : best[c];
        }
    }
    for (std::size_t c = 0; c < width; ++c) {
        store(y, c, best[c]);
    }
    for (std::size_t c = 0; c < width; ++c) {
        winner[c] = static_cast<std::uint8_t>(which[c]);
    }
}

template <typename T>
void maxPool(Pooling shape, const T* x, T* y, std::uint8_t* winner) {
    const std::size_t channels = shape.channels;
#pragma omp parallel for schedule(static)
    for (std::size_t line = 0; line < shape.batch * shape.outSize; ++line) {
        const T* image = x + line / shape.outSize * shape.inSize * shape.inSize * channels;
        for (std::size_t column = 0; column < shape.outSize; ++column) {
            const std::size_t out = (line * shape.outSize + column) * channels;
            for (std::size_t from = 0; from < channels; from += stripChannels) {
                const std::size_t width = channels - from < stripChannels ? channels - from : stripChannels;
                maxPoolPixel(shape, image, line % shape.outSize, column, from, width, y + out + from,
                             winner + out + from);
            }
        }
    }
}

// The windows that hold an input pixel: position k of output pixel (in + 1 - k) / 2 where that is whole.
template <typename T>
void maxPoolGradient(Pooling shape, const T* dy, const T* dyShortcut, const std::uint8_t* winner, T* dx) {
    const std::size_t channels = shape.channels;
#pragma omp parallel for schedule(static)
    for (std::size_t line = 0; line < shape.batch * shape.inSize; ++line) {
        const std::size_t image = line / shape.inSize;
        const std::size_t row = line % shape.inSize;
        for (std::size_t column = 0; column < shape.inSize; ++column) {
            float sum[stripChannels];
            for (std::size_t from = 0; from < channels; from += stripChannels) {
                const std::size_t width = channels - from < stripChannels ? channels - from : stripChannels;
                for (std::size_t c = 0; c < width; ++c) {
                    sum[c] = 0;
                }
                for (std::size_t k = 0; k < windowSize * windowSize; ++k) {
                    const std::size_t twiceRow = row + 1 - k / windowSize;
                    const std::size_t twiceColumn = column + 1 - k % windowSize;
                    if (twiceRow % 2 != 0 || twiceColumn % 2 != 0) {
                        continue;
                    }
                    const std::size_t outRow = twiceRow / 2;
                    const std::size_t outColumn = twiceColumn / 2;
                    if (outRow >= shape.outSize || outColumn >= shape.outSize) {
                        continue;
                    }
                    const std::size_t out =
                        ((image * shape.outSize + outRow) * shape.outSize + outColumn) * channels + from;
#pragma omp simd
                    for (std::size_t c = 0; c < width; ++c) {
                        const float incoming = load(dy, out + c) + load(dyShortcut, out + c);
                        sum[c] += winner[out + c] == k ? incoming : 0;
                    }
                }
                T* to = dx + (line * shape.inSize + column) * channels + from;
                for (std::size_t c = 0; c < width; ++c) {
                    store(to, c, sum[c]);
                }
            }
        }
    }
}

template <typename T>
void meanPool(Pooling shape, const T* x, T* y) {
    const std::size_t pixels = shape.inSize * shape.inSize;
    const float scale = 1.0F / static_cast<float>(pixels);
#pragma omp parallel for schedule(static)
    for (std::size_t image = 0; image < shape.batch; ++image) {
        const T* in = x + image * pixels * shape.channels;
#pragma omp simd
        for (std::size_t c = 0; c < shape.channels; ++c) {
            float sum = 0;
            for (std::size_t p = 0; p < pixels; ++p) {
                sum += load(in, p * shape.channels + c);
            }
            store(y, image * shape.channels + c, sum * scale);
        }
    }
}

template <typename T>
void meanPoolGradient(Pooling shape, const T* dy, T* dx) {
    const std::size_t pixels = shape.inSize * shape.inSize;
    const float scale = 1.0F / static_cast<float>(pixels);
#pragma omp parallel for schedule(static)
    for (std::size_t pixel = 0; pixel < shape.batch * pixels; ++pixel) {
        const T* in = dy + pixel / pixels * shape.channels;
        T* out = dx + pixel * shape.channels;
#pragma omp simd
        for (std::size_t c = 0; c < shape.channels; ++c) {
            store(out, c, load(in, c) * scale);
        }
    }
}

template <typename T>
void fromFloats(const float* x, std::size_t count, T* y) {
#pragma omp parallel for simd schedule(static)
    for (std::size_t i = 0; i < count; ++i) {
        store(y, i, x[i]);
    }
}

void sgd(SgdStep step, std::size_t count, const float* gradient, float* momentum, float* weight) {
#pragma omp parallel for simd schedule(static)
    for (std::size_t i = 0; i < count; ++i) {
        const float g = step.gradientScale * gradient[i] + step.weightDecay * weight[i];
        const float m = step.momentum * momentum[i] + g;
        momentum[i] = m;
        weight[i] -= step.learningRate * m;
    }
}

template <typename T>
constexpr ActivationKernels<T> activations{
    normalizePixels<T>, statistics<T>,       normRelu<T>,         normAddRelu<T>,  normAddNormRelu<T>,
    normReluSums<T>,    normReluGradient<T>, blockSums<T>,        normGradient<T>, maxPool<T>,
    maxPoolGradient<T>, meanPool<T>,         meanPoolGradient<T>, fromFloats<T>};

}  // namespace

const Kernels allKernels{activations<float>, activations<Bf16>, sgd, DLPERF_STRINGIFY(DLPERF_ISA)};

}  // namespace dlperf::worker::cpu::DLPERF_ISA
