// SPDX-License-Identifier: Apache-2.0
// Batch normalisation's kernels against straightforward loops in double precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "cuda/kernels/kernels.h"
#include "cuda_arrays.h"

namespace dlperf::worker::cuda::test {
namespace {

template <typename T>
class Norm : public testing::Test {};
using Types = testing::Types<float, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(Norm, Types);

// Channels of several tiles, of one, of half a one; a number that is no power of two; rows fewer than lanes.
constexpr Rows shapes[] = {{1003, 64}, {37, 320}, {50, 24}, {3, 8}, {20, 272}};

std::size_t count(Rows shape) {
    return shape.rows * shape.channels;
}

// All that a layer has beside its activations.
struct Layer {
    Rows shape;
    Array<float> gamma, beta, coefficients, scratch, gradients;

    explicit Layer(Rows rows, std::uint32_t seed = 1)
        : shape(rows),
          gamma(numbers(rows.channels, seed, 0.5, 1)),
          beta(numbers(rows.channels, seed + 1, 0.5)),
          coefficients(7 * rows.channels),
          scratch(normScratchFloats(rows)),
          gradients(2 * rows.channels) {}

    NormMemory memory() const {
        float* at = coefficients.data();
        const std::size_t n = shape.channels;
        return {at, at + n, at + 2 * n, at + 3 * n, at + 4 * n, at + 5 * n, at + 6 * n};
    }
    NormParameters parameters() const { return {gamma.data(), beta.data()}; }
    ParameterGradients parameterGradients() const {
        return {gradients.data(), gradients.data() + shape.channels};
    }
    double affine(double x, std::size_t c) const {
        return x * asDouble(memory().scale[c]) + asDouble(memory().shift[c]);
    }
};

TYPED_TEST(Norm, ObservesMeanAndVarianceAlsoFarFromZero) {
    for (const Rows shape : shapes) {
        const Layer layer(shape);
        const double level = sizeof(TypeParam) == 4 ? 1000 : 4;
        const Array<TypeParam> x(numbers(count(shape), 7, 0.5, level));
        normStatistics(nullptr, shape, x.data(), layer.parameters(), layer.scratch.data(), layer.memory());
        finish();
        const auto rows = static_cast<double>(shape.rows);
        for (std::size_t c = 0; c < shape.channels; ++c) {
            double mean = 0;
            for (std::size_t row = 0; row < shape.rows; ++row) {
                mean += x.value(row * shape.channels + c) / rows;
            }
            double variance = 0;
            for (std::size_t row = 0; row < shape.rows; ++row) {
                variance += std::pow(x.value(row * shape.channels + c) - mean, 2) / rows;
            }
            const double inverse = 1 / std::sqrt(variance + 1e-5);
            const double scale = inverse * layer.gamma.value(c);
            ASSERT_NEAR(layer.memory().mean[c], mean, 1e-7 * level);
            ASSERT_NEAR(layer.memory().inverseDeviation[c] / inverse, 1, 1e-5);
            ASSERT_NEAR(layer.memory().scale[c] / scale, 1, 1e-5);
            ASSERT_NEAR(layer.memory().shift[c], layer.beta.value(c) - scale * mean, 2e-5 * level * scale);
        }
    }
}

TYPED_TEST(Norm, ObservesTheSameBitsEveryTime) {
    const Rows shape{5000, 64};
    const Layer first(shape);
    const Layer second(shape);
    const Array<TypeParam> x(numbers(count(shape), 7));
    for (const Layer* layer : {&first, &second}) {
        normStatistics(nullptr, shape, x.data(), layer->parameters(), layer->scratch.data(), layer->memory());
    }
    finish();
    for (std::size_t i = 0; i < 4 * shape.channels; ++i) {
        ASSERT_EQ(std::bit_cast<std::uint32_t>(first.coefficients[i]),
                  std::bit_cast<std::uint32_t>(second.coefficients[i]));
    }
}

// x's sums and the sums of its squares, rounded to fp32, as a product leaves them.
template <typename T>
Array<float> sumsOf(Rows shape, const Array<T>& x) {
    std::vector<double> sums(2 * shape.channels, 0.0);
    for (std::size_t i = 0; i < count(shape); ++i) {
        sums[i % shape.channels] += x.value(i);
        sums[shape.channels + i % shape.channels] += x.value(i) * x.value(i);
    }
    return Array<float>(sums);
}

TYPED_TEST(Norm, ObservesTheSameFromSums) {
    for (const Rows shape : shapes) {
        const Layer passed(shape);
        const Layer summed(shape);
        const Array<TypeParam> x(numbers(count(shape), 7, 0.5, 1));
        const Array<float> sums = sumsOf(shape, x);
        normStatistics(nullptr, shape, x.data(), passed.parameters(), passed.scratch.data(), passed.memory());
        normStatisticsFromSums(nullptr, shape, sums.data(), summed.parameters(), summed.memory());
        finish();
        // The mean is some four deviations.
        for (std::size_t i = 0; i < 4 * shape.channels; ++i) {
            ASSERT_NEAR(summed.coefficients.value(i), passed.coefficients.value(i),
                        1e-4 * std::abs(passed.coefficients.value(i)))
                << i;
        }
    }
}

TEST(NormSums, AVarianceThatRoundingMadeNegativeIsZero) {
    const Rows shape{4, 8};
    const Layer layer(shape);
    Array<float> sums(std::vector<double>(16, 40));  // a mean of 10, whose square is 100
    for (std::size_t c = 0; c < 8; ++c) {
        sums[8 + c] = 399.99F;
    }
    normStatisticsFromSums(nullptr, shape, sums.data(), layer.parameters(), layer.memory());
    finish();
    for (std::size_t c = 0; c < 8; ++c) {
        ASSERT_EQ(layer.memory().mean[c], 10);
        ASSERT_NEAR(layer.memory().inverseDeviation[c], 1 / std::sqrt(1e-5), 1e-3);
    }
}

// An Affine in fp16 of the layer; it belongs to `halves`.
NormMemory foldedMemory(const Layer& layer, const Array<__half>& halves) {
    NormMemory memory = layer.memory();
    memory.folded = {halves.data(), halves.data() + layer.shape.channels};
    return memory;
}

TEST(NormFolded, IsExactAtTheMeanUpToTheShiftsRounding) {
    const Rows shape{100, 64};
    const Layer layer(shape);
    const Array<float> x(numbers(count(shape), 7, 0.1, 3));
    const Array<float> sums = sumsOf(shape, x);
    for (const int way : {0, 1, 2}) {
        const Array<__half> halves(2 * shape.channels);
        const NormMemory memory = foldedMemory(layer, halves);
        if (way == 0) {
            normStatistics(nullptr, shape, x.data(), layer.parameters(), layer.scratch.data(), memory);
        }
        if (way == 1) {
            normStatisticsFromSums(nullptr, shape, sums.data(), layer.parameters(), memory);
        }
        if (way == 2) {
            normFreeze(nullptr, shape.channels, layer.parameters(), memory);
        }
        finish();
        for (std::size_t c = 0; c < shape.channels; ++c) {
            const double scale = halves.value(c);
            const double shift = halves.value(shape.channels + c);
            ASSERT_NEAR(scale, asDouble(memory.scale[c]), roundingError<__half> * std::abs(scale));
            ASSERT_NEAR(scale * asDouble(memory.mean[c]) + shift, layer.beta.value(c),
                        roundingError<__half> * std::abs(shift) + 1e-5);
        }
    }
}

TEST(NormFolded, StaysFiniteAndIsNoNumberWhereTheStatisticsAreNone) {
    const Rows shape{4, 8};
    const Layer layer(shape);
    const Array<__half> halves(2 * shape.channels);
    Array<float> sums(std::vector<double>(16, 0));
    for (std::size_t c = 0; c < 8; ++c) {
        sums[c] = c % 2 == 0 ? 4000.0F : -4000.0F;  // constants of 1000
        sums[8 + c] = 4e6F;
    }
    sums[7] = NAN;
    normStatisticsFromSums(nullptr, shape, sums.data(), layer.parameters(), foldedMemory(layer, halves));
    finish();
    for (std::size_t c = 0; c < 7; ++c) {
        ASSERT_EQ(std::abs(halves.value(8 + c)), 65504) << c;
    }
    ASSERT_TRUE(std::isnan(halves.value(7)));
    ASSERT_TRUE(std::isnan(halves.value(15)));
}

TEST(NormFrozen, UsesTheStatisticsOfANewNetwork) {
    const Rows shape{1, 136};
    const Layer layer(shape);
    normFreeze(nullptr, shape.channels, layer.parameters(), layer.memory());
    finish();
    for (std::size_t c = 0; c < shape.channels; ++c) {
        ASSERT_EQ(layer.memory().mean[c], 0);
        ASSERT_NEAR(layer.memory().scale[c], layer.gamma.value(c) / std::sqrt(1 + 1e-5), 1e-6);
        ASSERT_EQ(layer.memory().shift[c], layer.beta[c]);
    }
}

template <typename T>
void expectRectified(Rows shape, const std::vector<double>& sums, const Array<T>& y) {
    for (std::size_t i = 0; i < count(shape); ++i) {
        const double expected = std::max(sums[i], 0.0);
        ASSERT_NEAR(y.value(i), expected, 1.5 * roundingError<T> * expected + 2e-6) << i;
    }
}

void expectMask(Rows shape, const std::vector<double>& sums, const Array<std::uint8_t>& mask) {
    for (std::size_t i = 0; i < count(shape); ++i) {
        if (std::abs(sums[i]) >= 1e-5) {
            ASSERT_EQ(mask[i / 8] >> (i % 8) & 1, sums[i] > 0 ? 1 : 0) << i;
        }
    }
}

TYPED_TEST(Norm, RectifiesWithAndWithoutAShortcut) {
    for (const Rows shape : shapes) {
        const Layer layer(shape);
        const Layer around(shape, 11);
        for (const Layer* each : {&layer, &around}) {
            normFreeze(nullptr, shape.channels, each->parameters(), each->memory());
        }
        const Array<TypeParam> x(numbers(count(shape), 7, 2));
        const Array<TypeParam> shortcut(numbers(count(shape), 8, 2));
        const Array<TypeParam> y(count(shape));
        const Array<std::uint8_t> mask(count(shape) / 8);
        finish();
        std::vector<double> alone, added, normed;
        for (std::size_t i = 0; i < count(shape); ++i) {
            alone.push_back(layer.affine(x.value(i), i % shape.channels));
            added.push_back(alone[i] + shortcut.value(i));
            normed.push_back(alone[i] + around.affine(shortcut.value(i), i % shape.channels));
        }
        normRelu(nullptr, shape, x.data(), layer.memory().affine(), y.data());
        finish();
        expectRectified(shape, alone, y);
        normAddRelu(nullptr, shape, x.data(), layer.memory().affine(), shortcut.data(), y.data(),
                    mask.data());
        finish();
        expectRectified(shape, added, y);
        expectMask(shape, added, mask);
        normAddNormRelu(nullptr, shape, x.data(), layer.memory().affine(), shortcut.data(),
                        around.memory().affine(), y.data(), mask.data());
        finish();
        expectRectified(shape, normed, y);
        expectMask(shape, normed, mask);
    }
}

TYPED_TEST(Norm, NeedsNoPlaceOfItsOwn) {
    const Rows shape{100, 64};
    const Layer layer(shape);
    normFreeze(nullptr, shape.channels, layer.parameters(), layer.memory());
    const Array<TypeParam> x(numbers(count(shape), 7, 2));
    const Array<TypeParam> y(count(shape));
    normRelu(nullptr, shape, x.data(), layer.memory().affine(), y.data());
    normRelu(nullptr, shape, x.data(), layer.memory().affine(), x.data());
    finish();
    EXPECT_EQ(x.values(), y.values());
}

TYPED_TEST(Norm, WhatIsNotANumberStaysSo) {
    const Rows shape{4, 8};
    const Layer layer(shape);
    normFreeze(nullptr, shape.channels, layer.parameters(), layer.memory());
    const Array<TypeParam> x(std::vector<double>(count(shape), NAN));
    normRelu(nullptr, shape, x.data(), layer.memory().affine(), x.data());
    finish();
    for (const double value : x.values()) {
        ASSERT_TRUE(std::isnan(value));
    }
}

// dx and the parameters' gradients of one layer, from dz.
struct Expected {
    std::vector<double> gamma, beta, dx;
};

template <typename T>
Expected expectedGradient(const Layer& layer, const std::vector<double>& dz, const Array<T>& x, bool frozen) {
    const Rows shape = layer.shape;
    const auto rows = static_cast<double>(shape.rows);
    Expected expected;
    expected.dx.resize(count(shape));
    for (std::size_t c = 0; c < shape.channels; ++c) {
        const double inverse = asDouble(layer.memory().inverseDeviation[c]);
        const auto normalised = [&](std::size_t i) {
            return (x.value(i) - asDouble(layer.memory().mean[c])) * inverse;
        };
        double sum = 0;
        double product = 0;
        for (std::size_t i = c; i < count(shape); i += shape.channels) {
            sum += dz[i];
            product += dz[i] * normalised(i);
        }
        for (std::size_t i = c; i < count(shape); i += shape.channels) {
            const double centred = frozen ? dz[i] : dz[i] - sum / rows - normalised(i) * product / rows;
            expected.dx[i] = layer.gamma.value(c) * inverse * centred;
        }
        expected.gamma.push_back(product);
        expected.beta.push_back(sum);
    }
    return expected;
}

template <typename T>
void expectGradient(const Layer& layer, const Expected& expected, const Array<T>& dx) {
    const std::size_t channels = layer.shape.channels;
    for (std::size_t c = 0; c < channels; ++c) {
        ASSERT_NEAR(layer.gradients.value(c), expected.gamma[c], 1e-4);
        ASSERT_NEAR(layer.gradients.value(channels + c), expected.beta[c], 1e-4);
    }
    for (std::size_t i = 0; i < expected.dx.size(); ++i) {
        ASSERT_NEAR(dx.value(i), expected.dx[i], 1.5 * roundingError<T> * std::abs(expected.dx[i]) + 1e-5)
            << i;
    }
}

TYPED_TEST(Norm, GradientThroughTheRelu) {
    for (const Rows shape : shapes) {
        for (const bool frozen : {false, true}) {
            if (frozen && shape.rows != 50) {
                continue;
            }
            const Layer layer(shape);
            const Array<TypeParam> x(numbers(count(shape), 7, 2));
            const Array<TypeParam> dy(numbers(count(shape), 8));
            const Array<TypeParam> y(count(shape));
            const Affine affine = layer.memory().affine();
            normStatistics(nullptr, shape, x.data(), layer.parameters(), layer.scratch.data(),
                           layer.memory());
            normRelu(nullptr, shape, x.data(), affine, y.data());
            finish();
            std::vector<double> dz(count(shape));
            for (std::size_t i = 0; i < dz.size(); ++i) {
                dz[i] = y.value(i) > 0 ? dy.value(i) : 0;
            }
            const Expected expected = expectedGradient(layer, dz, x, frozen);
            normReluSums(nullptr, shape, dy.data(), x.data(), affine, layer.memory().mean,
                         layer.scratch.data());
            normFoldGradients(nullptr, shape, layer.scratch.data(), Branch::Only, layer.gamma.data(), frozen,
                              layer.parameterGradients(), layer.memory());
            normReluGradient(nullptr, shape, dy.data(), x.data(), affine, layer.memory().gradient(),
                             dy.data());
            finish();
            expectGradient(layer, expected, dy);
        }
    }
}

// So many rows that some threads have one and others two.
TEST(NormRows, AreAllSummedWhereThereAreMany) {
    const Rows shape{30001, 64};
    const Layer layer(shape);
    const Array<__half> x(numbers(count(shape), 7));
    const Array<__half> dy(numbers(count(shape), 8));
    normStatistics(nullptr, shape, x.data(), layer.parameters(), layer.scratch.data(), layer.memory());
    normReluSums(nullptr, shape, dy.data(), x.data(), layer.memory().affine(), layer.memory().mean,
                 layer.scratch.data());
    normFoldGradients(nullptr, shape, layer.scratch.data(), Branch::Only, layer.gamma.data(), false,
                      layer.parameterGradients(), layer.memory());
    finish();
    std::vector<double> mean(shape.channels, 0.0);
    std::vector<double> dz(shape.channels, 0.0);
    for (std::size_t i = 0; i < count(shape); ++i) {
        const std::size_t c = i % shape.channels;
        mean[c] += x.value(i) / static_cast<double>(shape.rows);
        if (layer.affine(x.value(i), c) > 0) {
            dz[c] += dy.value(i);
        }
    }
    for (std::size_t c = 0; c < shape.channels; ++c) {
        ASSERT_NEAR(layer.memory().mean[c], mean[c], 1e-6);
        ASSERT_NEAR(layer.gradients.value(shape.channels + c), dz[c], 2e-3);
    }
}

// A block's end with or without a second gradient and a second convolution.
template <typename T>
void checkBlockEnd(Rows shape, bool joined, bool two) {
    const Layer main(shape);
    const Layer around(shape, 21);
    const Array<T> x(numbers(count(shape), 7, 2));
    const Array<T> x2(numbers(count(shape), 8, 2));
    const Array<T> dy(numbers(count(shape), 9));
    const Array<T> dyShortcut(numbers(count(shape), 10));
    const Array<std::uint8_t> mask(count(shape) / 8);
    for (std::size_t i = 0; i < mask.size(); ++i) {
        mask[i] = static_cast<std::uint8_t>(i * 151 + 13);
    }
    normStatistics(nullptr, shape, x.data(), main.parameters(), main.scratch.data(), main.memory());
    normStatistics(nullptr, shape, x2.data(), around.parameters(), around.scratch.data(), around.memory());
    finish();
    Array<T> dz(count(shape));
    for (std::size_t i = 0; i < count(shape); ++i) {
        const double incoming = dy.value(i) + (joined ? dyShortcut.value(i) : 0);
        assign(dz[i], (mask[i / 8] >> (i % 8) & 1) != 0 ? incoming : 0);
    }

    const BlockEnd<T> end{x.data(), main.memory().mean, two ? x2.data() : nullptr, around.memory().mean};
    blockSums(nullptr, shape, dy.data(), joined ? dyShortcut.data() : nullptr, mask.data(), end, dy.data(),
              main.scratch.data());
    normFoldGradients(nullptr, shape, main.scratch.data(), two ? Branch::Main : Branch::Only,
                      main.gamma.data(), false, main.parameterGradients(), main.memory());
    if (two) {
        normFoldGradients(nullptr, shape, main.scratch.data(), Branch::Shortcut, around.gamma.data(), false,
                          around.parameterGradients(), around.memory());
    }
    finish();
    ASSERT_EQ(dy.values(), dz.values());
    const Array<T> dx(count(shape));
    const Array<T> dx2(count(shape));
    normGradient(nullptr, shape, dy.data(), x.data(), main.memory().gradient(), dx.data());
    finish();
    expectGradient(main, expectedGradient(main, dz.values(), x, false), dx);
    if (!two) {
        return;
    }
    const std::vector<double> alone = dx.values();
    normGradients(nullptr, shape, dy.data(), x.data(), main.memory().gradient(), dx.data(), x2.data(),
                  around.memory().gradient(), dx2.data());
    finish();
    EXPECT_EQ(dx.values(), alone);
    expectGradient(around, expectedGradient(around, dz.values(), x2, false), dx2);
}

TYPED_TEST(Norm, GradientAtTheEndOfABlock) {
    for (const Rows shape : shapes) {
        checkBlockEnd<TypeParam>(shape, false, true);
        checkBlockEnd<TypeParam>(shape, true, false);
    }
    checkBlockEnd<TypeParam>(shapes[0], false, false);
    checkBlockEnd<TypeParam>(shapes[0], true, true);
}

}  // namespace
}  // namespace dlperf::worker::cuda::test
