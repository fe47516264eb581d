// SPDX-License-Identifier: Apache-2.0
// What the CUDA kernels compute for one element, and how their threads share the work, without CUDA.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "cuda/kernels/math.h"
#include "cuda/kernels/row_sums.h"
#include "cuda/kernels/walks.h"

namespace dlperf::worker::cuda::test {
namespace {

std::vector<float> numbers(std::size_t count, float level, float deviation, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(level, deviation);
    std::vector<float> result(count);
    for (float& value : result) {
        value = normal(random);
    }
    return result;
}

// -- threads over rows

// How often every element is visited when all threads walk.
template <int Together>
std::vector<int> visits(Rows shape, const RowTiling& tiling) {
    std::vector<int> result(shape.rows * shape.channels, 0);
    for (unsigned block = 0; block < tiling.blocks(); ++block) {
        for (unsigned thread = 0; thread < tiling.threads(); ++thread) {
            walkRows<Together>(
                shape, tiling, placeOf(tiling, block, thread), [](std::size_t at) { return at; },
                [&](std::size_t at, std::size_t loaded) {
                    EXPECT_EQ(at, loaded);
                    for (std::size_t k = 0; k < packSize; ++k) {
                        ++result[at + k];
                    }
                });
        }
    }
    return result;
}

TEST(CudaRows, EveryElementIsVisitedOnce) {
    for (const Rows shape : {Rows{1, 8}, {7, 64}, {1000, 64}, {333, 24}, {50, 2048}, {90, 272}, {40, 136}}) {
        for (const unsigned blocks : {1U, 5U, 40U}) {
            const RowTiling tiling = tilingFor(shape, blocks);
            ASSERT_LE(tiling.threads(), RowTiling::maxThreads);
            ASSERT_EQ(tiling.tiles * tiling.tilePacks * packSize, shape.channels);
            const std::vector<int> once(shape.rows * shape.channels, 1);
            EXPECT_EQ(visits<1>(shape, tiling), once);
            EXPECT_EQ(visits<2>(shape, tiling), once);
            EXPECT_EQ(visits<4>(shape, tiling), once);
        }
    }
}

TEST(CudaRows, TheNetworksShapesFillTheirBlocks) {
    struct Layer {
        std::size_t channels;
        std::size_t size;
    };
    for (const Layer layer : {Layer{64, 112},
                              {64, 56},
                              {256, 56},
                              {128, 56},
                              {128, 28},
                              {512, 28},
                              {256, 28},
                              {256, 14},
                              {1024, 14},
                              {512, 14},
                              {512, 7},
                              {2048, 7}}) {
        const Rows shape{256 * layer.size * layer.size, layer.channels};
        EXPECT_EQ(sumTiling(shape).threads(), RowTiling::maxThreads);
        EXPECT_EQ(sumTiling(shape).blocks(), sumBlocks);
        EXPECT_EQ(applyTiling(shape).threads(), RowTiling::maxThreads);
        EXPECT_GE(applyTiling(shape).blocks(), applyBlocks * 9 / 10);
    }
}

TEST(CudaRows, PartialSumsHavePlacesOfTheirOwn) {
    const Rows shape{100000, 136};
    const RowTiling tiling = sumTiling(shape);
    std::vector<int> used(partialCount(shape), 0);
    for (unsigned sum = 0; sum < maxSums; ++sum) {
        for (unsigned block = 0; block < tiling.rowBlocks; ++block) {
            for (std::size_t c = 0; c < shape.channels; ++c) {
                ++used.at(partialIndex(tiling, shape.channels, sum, block) + c);
            }
        }
    }
    EXPECT_EQ(used, std::vector<int>(used.size(), 1));
}

TEST(CudaElements, EveryOneIsVisitedOnce) {
    for (const std::size_t count : {0, 1, 7, 8, 9, 1000, 4099}) {
        for (const std::size_t threads : {8, 64, 1024}) {
            std::vector<int> seen(count, 0);
            for (std::size_t thread = 0; thread < threads; ++thread) {
                walkElements(
                    count, thread, threads,
                    [&](std::size_t at) {
                        for (std::size_t k = 0; k < packSize; ++k) {
                            ++seen.at(at + k);
                        }
                    },
                    [&](std::size_t at) { ++seen.at(at); });
            }
            EXPECT_EQ(seen, std::vector<int>(count, 1));
        }
    }
    EXPECT_EQ(walkBlocks(0), 1U);
    EXPECT_EQ(walkBlocks(walkThreads * packSize + 8), 2U);
}

// -- batch normalisation

TEST(CudaNorm, MaskHasABitForEveryElementAboveZero) {
    const Floats values{{1, -1, 0, 2, -0.0F, NAN, INFINITY, 1e-30F}};
    const std::uint8_t mask = maskOf(values);
    EXPECT_EQ(mask, 0b11001001);
    for (int k = 0; k < packSize; ++k) {
        EXPECT_EQ(whereSet(mask, k, 5), values[k] > 0 ? 5 : 0);
    }
}

TEST(CudaNorm, ReluPassesWhatIsNotANumber) {
    EXPECT_EQ(rectified(-3), 0);
    EXPECT_EQ(rectified(3), 3);
    EXPECT_TRUE(std::isnan(rectified(NAN)));
}

TEST(CudaNorm, MomentsFromSumsAroundAPivot) {
    const std::vector<float> x = numbers(5000, 300, 0.1F);
    double sum = 0;
    double squares = 0;
    double mean = 0;
    for (const float value : x) {
        const float centred = value - x[0];
        sum += static_cast<double>(centred);
        squares += static_cast<double>(centred * centred);
        mean += static_cast<double>(value) / 5000;
    }
    double variance = 0;
    for (const float value : x) {
        variance += std::pow(static_cast<double>(value) - mean, 2) / 5000;
    }
    const Moments moments = momentsOf(static_cast<double>(x[0]), sum, squares, 5000);
    EXPECT_NEAR(moments.mean, mean, 1e-9);
    EXPECT_NEAR(moments.variance / variance, 1, 1e-6);
    EXPECT_EQ(momentsOf(5, 3, 0.9, 10).variance, 0);  // never below, whatever rounding did

    const NormValues values = normValues(moments, 1.5F, 0.25F);
    const double inverse = 1 / std::sqrt(variance + 1e-5);
    EXPECT_NEAR(values.mean, mean, 1e-4);
    EXPECT_NEAR(values.inverseDeviation, inverse, 1e-5);
    EXPECT_NEAR(values.scale, 1.5 * inverse, 1e-5);
    EXPECT_NEAR(values.shift, 0.25 - 1.5 * inverse * mean, 1e-2);
    EXPECT_NEAR(affine(2, 3, 4), 10, 0);
}

// The loss sum(weights * (gamma * xhat + beta)) of one channel; its gradients by differences.
double channelLoss(const std::vector<double>& x, const std::vector<float>& weights, double gamma,
                   double beta) {
    const auto rows = static_cast<double>(x.size());
    double mean = 0;
    double variance = 0;
    for (const double value : x) {
        mean += value / rows;
    }
    for (const double value : x) {
        variance += (value - mean) * (value - mean) / rows;
    }
    double loss = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double normalised = (x[i] - mean) / std::sqrt(variance + normEpsilon);
        loss += static_cast<double>(weights[i]) * (gamma * normalised + beta);
    }
    return loss;
}

TEST(CudaNorm, GradientIsThatOfDifferences) {
    const std::vector<float> dz = numbers(20, 0.3F, 1, 2);
    const std::vector<float> start = numbers(20, 2, 1.5F, 3);
    std::vector<double> x(start.begin(), start.end());
    double sum = 0, squares = 0;
    for (const double value : x) {
        sum += value;
        squares += value * value;
    }
    const NormValues norm = normValues(momentsOf(0, sum, squares, 20), 0.7F, 0.1F);
    double dzSum = 0, dzCentred = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        dzSum += static_cast<double>(dz[i]);
        dzCentred += static_cast<double>(dz[i]) * (x[i] - static_cast<double>(norm.mean));
    }
    const NormGradientValues gradient =
        normGradientValues(dzSum, dzCentred, 20, 0.7F, norm.mean, norm.inverseDeviation, false);

    constexpr double step = 1e-5;
    const auto slope = [&](auto change) {
        change(step);
        const double above = channelLoss(x, dz, 0.7, 0.1);
        change(-2 * step);
        const double below = channelLoss(x, dz, 0.7, 0.1);
        change(step);
        return (above - below) / (2 * step);
    };
    for (std::size_t i = 0; i < x.size(); ++i) {
        const float dx =
            inputGradient(dz[i], static_cast<float>(x[i]), gradient.gain, gradient.slope, gradient.offset);
        EXPECT_NEAR(dx, slope([&](double by) { x[i] += by; }), 1e-5);
    }
    EXPECT_NEAR(gradient.gamma, channelLoss(x, dz, 1, 0), 1e-5);
    EXPECT_NEAR(gradient.beta, channelLoss(x, dz, 0, 1), 1e-5);

    const NormGradientValues frozen =
        normGradientValues(dzSum, dzCentred, 20, 0.7F, norm.mean, norm.inverseDeviation, true);
    EXPECT_EQ(frozen.gain, gradient.gain);
    EXPECT_EQ(frozen.slope, 0);
    EXPECT_EQ(frozen.offset, 0);
}

// -- pixels and pooling

TEST(CudaPixels, AreNormalizedWithImageNetsConstants) {
    EXPECT_NEAR(normalizedPixel(0, 0), -0.485 / 0.229, 1e-6);
    EXPECT_NEAR(normalizedPixel(255, 1), (1 - 0.456) / 0.224, 1e-6);
    EXPECT_NEAR(normalizedPixel(100, 2), (100 / 255.0 - 0.406) / 0.225, 1e-6);
}

TEST(CudaPixels, AMirroredRowIsReadFromItsEnd) {
    for (unsigned column = 0; column < 16; ++column) {
        const auto from = [&](bool flipped) {
            return sourceGroup(column / 4, 4, flipped) * 4 +
                   static_cast<unsigned>(sourcePixel(static_cast<int>(column % 4), flipped));
        };
        EXPECT_EQ(from(false), column);
        EXPECT_EQ(from(true), 15 - column);
    }
}

TEST(CudaPooling, EveryPixelFindsItsPlaceInTheWindowsThatHoldIt) {
    for (const std::size_t size : {1, 2, 7, 8}) {
        const std::size_t outSize = (size + 1) / 2;
        for (std::size_t in = 0; in < size; ++in) {
            std::vector<int> expected(outSize, -1);
            for (std::size_t out = 0; out < outSize; ++out) {
                for (int k = 0; k < windowSize; ++k) {
                    if (windowPixel(out, k) == in) {
                        expected[out] = k;
                    }
                }
            }
            std::vector<int> found(outSize, -1);
            for (int next = 0; next < 2; ++next) {
                const std::size_t out = in / 2 + static_cast<std::size_t>(next);
                const int position = patchPosition(static_cast<int>(in % 2), next);
                if (out < outSize && position >= 0) {
                    found[out] = position;
                }
            }
            EXPECT_EQ(found, expected);
        }
    }
    EXPECT_GT(windowPixel(0, 0), 1000000U);  // padding is outside
}

TEST(CudaPooling, TheFirstAmongEqualsWinsAndWhatIsNotANumberStays) {
    EXPECT_TRUE(beats(2, 1));
    EXPECT_FALSE(beats(1, 1));
    EXPECT_TRUE(beats(NAN, 1));
    EXPECT_FALSE(beats(1, NAN));
}

// -- loss

TEST(CudaLoss, SumsOfLogitsAreTheSameHoweverTheyAreSplit) {
    const std::vector<float> logits = numbers(1000, 90, 20);
    const float largest = *std::max_element(logits.begin(), logits.end());
    double exponentials = 0;
    double sum = 0;
    for (const float logit : logits) {
        exponentials += std::exp(static_cast<double>(logit - largest));
        sum += static_cast<double>(logit);
    }
    for (const std::size_t parts : {1, 7, 256, 2000}) {
        std::vector<LogitSums> shared(parts, noLogits());
        for (std::size_t c = 0; c < logits.size(); ++c) {
            shared[c % parts] = withLogit(shared[c % parts], logits[c]);
        }
        LogitSums all = noLogits();
        for (const LogitSums& part : shared) {
            all = together(part, all);
        }
        EXPECT_EQ(all.largest, largest);
        EXPECT_NEAR(all.exponentials / exponentials, 1, 1e-5);
        EXPECT_NEAR(all.sum / sum, 1, 1e-5);
        EXPECT_NEAR(logTotal(all), std::log(exponentials) + static_cast<double>(largest), 1e-4);
    }
}

TEST(CudaLoss, GradientIsThatOfDifferencesAndSumsToNothing) {
    for (const float smoothing : {0.0F, 0.1F}) {
        std::vector<float> logits = numbers(10, 0, 2);
        const auto lossOf = [&] {
            double total = 0, sum = 0;
            for (const float logit : logits) {
                total += std::exp(static_cast<double>(logit));
                sum += static_cast<double>(logit);
            }
            const double target = static_cast<double>(smoothing);
            return std::log(total) - (1 - target) * static_cast<double>(logits[3]) - target * sum / 10;
        };
        LogitSums sums = noLogits();
        for (const float logit : logits) {
            sums = withLogit(sums, logit);
        }
        const float total = logTotal(sums);
        EXPECT_NEAR(imageLoss(total, logits[3], sums.sum, 10, smoothing), lossOf(), 1e-5);
        float gradients = 0;
        for (std::size_t c = 0; c < 10; ++c) {
            const float gradient = logitGradient(logits[c], total, c == 3, 10, smoothing);
            gradients += gradient;
            const float before = logits[c];
            logits[c] = before + 0.0078125F;
            const double above = lossOf();
            logits[c] = before - 0.0078125F;
            EXPECT_NEAR(gradient, (above - lossOf()) / 0.015625, 1e-4);
            logits[c] = before;
        }
        EXPECT_NEAR(gradients, 0, 1e-6);
    }
}

TEST(CudaLoss, WhatIsNotFiniteIsSeen) {
    for (const float bad : {NAN, INFINITY}) {
        LogitSums sums = withLogit(withLogit(withLogit(noLogits(), 1), bad), 2);
        EXPECT_FALSE(std::isfinite(logTotal(together(noLogits(), sums))));
        EXPECT_FALSE(std::isfinite(logTotal(together(withLogit(noLogits(), 3), sums))));
    }
}

// -- optimizer

TEST(CudaSgd, StepsAsPyTorchDoes) {
    const SgdControl control{0.1F, 0.9F, 0.001F, 0.5F};
    SgdElement element{2, 0.25F};
    double weight = 2;
    double momentum = 0.25;
    for (const float gradient : {64.0F, -32.0F, 8.0F}) {
        element = sgdElement(element, gradient, control.gradientScale / 16, control);
        momentum = 0.9 * momentum + static_cast<double>(gradient) * 0.5 / 16 + 0.001 * weight;
        weight -= 0.1 * momentum;
        EXPECT_NEAR(element.momentum, momentum, 1e-6);
        EXPECT_NEAR(element.weight, weight, 1e-6);
    }
}

TEST(CudaLossScale, HalvesOnOverflowAndDoublesAfterManyGoodSteps) {
    LossScaleState state;
    EXPECT_EQ(state.scale, 65536);
    state = lossScaleAfter(state, true);
    EXPECT_EQ(state.scale, 32768);
    EXPECT_EQ(state.skipped, 1);
    for (int step = 0; step < 1999; ++step) {
        state = lossScaleAfter(state, false);
    }
    EXPECT_EQ(state.scale, 32768);
    state = lossScaleAfter(state, false);
    EXPECT_EQ(state.scale, 65536);
    EXPECT_EQ(state.goodSteps, 0);
    for (int step = 0; step < 1999; ++step) {
        state = lossScaleAfter(state, false);
    }
    state = lossScaleAfter(lossScaleAfter(state, true), false);
    EXPECT_EQ(state.scale, 32768);  // an overflow begins the count anew
    EXPECT_EQ(state.goodSteps, 1);
}

TEST(CudaLossScale, StaysBetweenItsBounds) {
    LossScaleState state;
    for (int step = 0; step < 100; ++step) {
        state = lossScaleAfter(state, true);
    }
    EXPECT_EQ(state.scale, 1);
    EXPECT_EQ(state.skipped, 100);
    for (int step = 0; step < 2000 * 100; ++step) {
        state = lossScaleAfter(state, false);
    }
    EXPECT_EQ(state.scale, 65536.0F * 256);
}

}  // namespace
}  // namespace dlperf::worker::cuda::test
