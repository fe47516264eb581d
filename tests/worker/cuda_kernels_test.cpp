// SPDX-License-Identifier: Apache-2.0
// The kernels beside batch normalisation's against straightforward loops in double precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cuda/kernels/kernels.h"
#include "cuda_arrays.h"

namespace dlperf::worker::cuda::test {
namespace {

template <typename T>
class Kernels : public testing::Test {};
using Types = testing::Types<float, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(Kernels, Types);

template <typename T>
void expectNear(const std::vector<double>& expected, const Array<T>& found, double tolerance = 1e-6) {
    ASSERT_EQ(expected.size(), found.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_NEAR(found.value(i), expected[i], 1.1 * roundingError<T> * std::abs(expected[i]) + tolerance)
            << i;
    }
}

TYPED_TEST(Kernels, PixelsAreNormalizedPaddedAndMirrored) {
    constexpr double mean[3] = {0.485, 0.456, 0.406};
    constexpr double deviation[3] = {0.229, 0.224, 0.225};
    const Images images{3, 5, 8};
    const Array<std::uint8_t> pixels(images.batch * images.height * images.width * 3);
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        pixels[i] = static_cast<std::uint8_t>(i * 37 + i / 256);
    }
    const Array<std::uint8_t> flips(images.batch);
    for (const bool mirrored : {false, true}) {
        for (std::size_t i = 0; i < images.batch; ++i) {
            flips[i] = mirrored && i % 2 == 1 ? 1 : 0;
        }
        std::vector<double> expected;
        for (std::size_t pixel = 0; pixel < pixels.size() / 3; ++pixel) {
            const std::size_t column = pixel % images.width;
            const bool flip = flips[pixel / images.width / images.height] != 0;
            const std::size_t from = flip ? pixel - column + images.width - 1 - column : pixel;
            for (std::size_t c = 0; c < 3; ++c) {
                expected.push_back((pixels[3 * from + c] / 255.0 - mean[c]) / deviation[c]);
            }
            expected.push_back(0);
        }
        const Array<TypeParam> y(expected.size());
        normalizePixels(nullptr, images, pixels.data(), flips.data(), y.data());
        finish();
        expectNear(expected, y);
    }
}

TEST(Crops, AreScaledByLinearInterpolation) {
    constexpr int size = 7;
    constexpr std::size_t imageBytes = std::size_t{size} * size * 3;
    const Array<std::uint8_t> source(std::size_t{11} * 9 * 3);
    for (std::size_t i = 0; i < source.size(); ++i) {
        source[i] = static_cast<std::uint8_t>(i * 53 + i / 33);
    }
    const Array<DecodedImage> images(3);
    images[0] = {source.data(), 11, 9, {2, 1, 8, 6}};
    images[1] = {nullptr, 0, 0, {}};
    images[2] = {source.data(), 9, 11, {0, 0, 9, 11}};
    constexpr std::uint8_t untouched = 201;
    const Array<std::uint8_t> pixels(3 * imageBytes);
    std::fill_n(pixels.data(), pixels.size(), untouched);
    resizeCrops(nullptr, 3, size, images.data(), pixels.data());
    finish();
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        const DecodedImage& image = images[i / imageBytes];
        const auto at = static_cast<int>(i % imageBytes);
        const int column = at / 3 % size;
        const int row = at / 3 / size;
        if (image.pixels == nullptr) {
            ASSERT_EQ(pixels[i], untouched) << i;
            continue;
        }
        const auto pixelAt = [&](int x, int y) {
            x = std::clamp(x, 0, image.width - 1);
            y = std::clamp(y, 0, image.height - 1);
            return static_cast<double>(
                image.pixels[std::ptrdiff_t{y} * image.width * 3 + std::ptrdiff_t{x} * 3 + at % 3]);
        };
        const double x = image.crop.left + (column + 0.5) * image.crop.width / size - 0.5;
        const double y = image.crop.top + (row + 0.5) * image.crop.height / size - 0.5;
        const auto left = static_cast<int>(std::floor(x));
        const auto top = static_cast<int>(std::floor(y));
        const double above = std::lerp(pixelAt(left, top), pixelAt(left + 1, top), x - left);
        const double below = std::lerp(pixelAt(left, top + 1), pixelAt(left + 1, top + 1), x - left);
        ASSERT_NEAR(pixels[i], std::lerp(above, below, y - top), 0.501) << i;
    }
}

// The index of the largest element of every window, the first among equals.
std::vector<std::size_t> largestOfWindows(Pooling shape, const std::vector<double>& x) {
    std::vector<std::size_t> winners;
    const auto size = static_cast<long>(shape.inSize);
    for (std::size_t out = 0; out < shape.batch * shape.outSize * shape.outSize; ++out) {
        const auto row = static_cast<long>(out / shape.outSize % shape.outSize) * 2 - 1;
        const auto column = static_cast<long>(out % shape.outSize) * 2 - 1;
        const std::size_t image = out / shape.outSize / shape.outSize;
        for (std::size_t c = 0; c < shape.channels; ++c) {
            std::size_t winner = x.size();
            for (long k = 0; k < 9; ++k) {
                const long r = row + k / 3;
                const long q = column + k % 3;
                if (r < 0 || q < 0 || r >= size || q >= size) {
                    continue;
                }
                const std::size_t pixel =
                    (image * shape.inSize + static_cast<std::size_t>(r)) * shape.inSize +
                    static_cast<std::size_t>(q);
                const std::size_t at = pixel * shape.channels + c;
                if (winner == x.size() || x[at] > x[winner]) {
                    winner = at;
                }
            }
            winners.push_back(winner);
        }
    }
    return winners;
}

// relu(affine(x)) is x where that is positive, as pooled numbers are here.
struct Unchanged {
    Array<float> scale;
    Array<float> shift;
    explicit Unchanged(std::size_t channels)
        : scale(std::vector<double>(channels, 1)), shift(std::vector<double>(channels, 0)) {}
    Affine affine() const { return {scale.data(), shift.data()}; }
};

TYPED_TEST(Kernels, PoolsTheLargest) {
    for (const std::size_t size : {8, 7, 1}) {
        const Pooling shape{2, size, (size + 1) / 2, 72};
        const Array<TypeParam> x(numbers(2 * size * size * 72, 3, 0.5, 1));
        const std::vector<std::size_t> winners = largestOfWindows(shape, x.values());
        const Array<TypeParam> y(winners.size());
        const Array<std::uint8_t> places(winners.size());
        const Unchanged unchanged(72);
        normReluMaxPool(nullptr, shape, x.data(), unchanged.affine(), y.data(), places.data());
        finish();
        for (std::size_t i = 0; i < winners.size(); ++i) {
            ASSERT_EQ(y.value(i), x.value(winners[i]));
        }
    }
}

// A normalisation in front of a pooling, with what its gradient gives.
struct PooledNorm {
    Pooling shape;
    Rows rows{shape.batch * shape.inSize * shape.inSize, shape.channels};
    Array<float> vectors{numbers(10 * shape.channels, 8, 0.2, 1)};
    Array<float> scratch{normScratchFloats(rows)};

    float* array(std::size_t index) const { return vectors.data() + index * shape.channels; }
    NormMemory memory() const {
        return {array(0), array(1), array(2), array(3), array(4), array(5), array(6)};
    }
    float* gammaGradient() const { return array(7); }
    float* betaGradient() const { return array(8); }

    template <typename T>
    void run(const PoolGradient<T>& tensors, const Array<T>& dz) const {
        maxPoolReluSums(nullptr, shape, tensors, memory().affine(), memory().mean, dz.data(), scratch.data());
        normFoldGradients(nullptr, rows, scratch.data(), Branch::Only, array(9), false,
                          {gammaGradient(), betaGradient()}, memory());
        finish();
    }
};

TYPED_TEST(Kernels, GivesTheLargestTheGradientThroughTheReluAndSumsIt) {
    for (const std::size_t size : {8, 7, 1}) {
        const PooledNorm norm{{2, size, (size + 1) / 2, 72}};
        const Array<TypeParam> x(numbers(2 * size * size * 72, 3, 0.5, 1));
        const std::vector<std::size_t> winners = largestOfWindows(norm.shape, x.values());
        const Array<TypeParam> y(winners.size());
        const Array<std::uint8_t> places(winners.size());
        const Array<TypeParam> dy(numbers(winners.size(), 4));
        const Array<TypeParam> dyShortcut(numbers(winners.size(), 5));
        const Array<TypeParam> dz(x.size());
        const Unchanged unchanged(72);
        normReluMaxPool(nullptr, norm.shape, x.data(), unchanged.affine(), y.data(), places.data());
        finish();
        for (std::size_t c = 0; c < 72; ++c) {
            norm.memory().shift[c] -= 2;  // so that the ReLU stops some
        }
        for (const bool joined : {false, true}) {
            std::vector<double> expected(x.size(), 0.0);
            for (std::size_t i = 0; i < winners.size(); ++i) {
                expected[winners[i]] += dy.value(i) + (joined ? dyShortcut.value(i) : 0);
            }
            for (std::size_t i = 0; i < x.size(); ++i) {
                const Affine affine = norm.memory().affine();
                if (x.value(i) * asDouble(affine.scale[i % 72]) + asDouble(affine.shift[i % 72]) <= 0) {
                    expected[i] = 0;
                }
            }
            norm.run<TypeParam>({x.data(), dy.data(), joined ? dyShortcut.data() : nullptr, places.data()},
                                dz);
            expectNear(expected, dz);
            for (std::size_t c = 0; c < 72; ++c) {
                double sum = 0;
                double product = 0;
                for (std::size_t i = c; i < dz.size(); i += 72) {
                    sum += dz.value(i);
                    product += dz.value(i) * (x.value(i) - asDouble(norm.memory().mean[c]));
                }
                product *= asDouble(norm.memory().inverseDeviation[c]);
                ASSERT_NEAR(asDouble(norm.betaGradient()[c]), sum, 1e-5);
                ASSERT_NEAR(asDouble(norm.gammaGradient()[c]), product, 1e-5);
            }
        }
    }
}

// So many that some threads have one patch of pixels and others two.
TEST(PoolGradient, OfAllWindowsIsSummedWhereThereAreMany) {
    const PooledNorm norm{{1, 322, 161, 64}};
    const Array<__half> x(std::vector<double>(norm.rows.rows * 64, 1.0));
    const Array<__half> dy(numbers(std::size_t{161} * 161 * 64, 4));
    const Array<std::uint8_t> centres(dy.size());
    std::fill_n(centres.data(), centres.size(), std::uint8_t{4});
    const Array<__half> dz(x.size());
    norm.run<__half>({x.data(), dy.data(), nullptr, centres.data()}, dz);
    std::vector<double> sums(64, 0.0);
    for (std::size_t i = 0; i < dy.size(); ++i) {
        sums[i % 64] += dy.value(i);
    }
    for (std::size_t c = 0; c < 64; ++c) {
        ASSERT_NEAR(asDouble(norm.betaGradient()[c]), sums[c], 2e-3);
    }
}

TYPED_TEST(Kernels, PoolsWhatIsNormedAndRectifiedOnTheWay) {
    const Pooling shape{2, 6, 3, 16};
    const Array<TypeParam> x(numbers(std::size_t{2} * 6 * 6 * 16, 3));
    const Array<float> scale(numbers(16, 6, 1, 1));
    const Array<float> shift(numbers(16, 7, 1, -1));
    std::vector<double> rectified;
    for (std::size_t i = 0; i < x.size(); ++i) {
        rectified.push_back(std::max(x.value(i) * scale.value(i % 16) + shift.value(i % 16), 0.0));
    }
    std::vector<double> expected;
    for (const std::size_t winner : largestOfWindows(shape, rectified)) {
        expected.push_back(rectified[winner]);
    }
    const Array<TypeParam> y(expected.size());
    const Array<std::uint8_t> places(expected.size());
    normReluMaxPool(nullptr, shape, x.data(), {scale.data(), shift.data()}, y.data(), places.data());
    finish();
    expectNear(expected, y);
}

TYPED_TEST(Kernels, MeanOfPixelsAndItsGradient) {
    const Pooling shape{3, 7, 1, 136};
    const Array<TypeParam> x(numbers(std::size_t{3} * 49 * 136, 3));
    const Array<TypeParam> dy(numbers(std::size_t{3} * 136, 4));
    std::vector<double> mean(std::size_t{3} * 136, 0.0);
    std::vector<double> spread;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t at = i / (std::size_t{49} * 136) * 136 + i % 136;
        mean[at] += x.value(i) / 49;
        spread.push_back(dy.value(at) / 49);
    }
    const Array<TypeParam> y(mean.size());
    const Array<TypeParam> dx(x.size());
    meanPool(nullptr, shape, x.data(), y.data());
    meanPoolGradient(nullptr, shape, dy.data(), dx.data());
    finish();
    expectNear(mean, y);
    expectNear(spread, dx);
}

struct ExpectedLoss {
    double loss = 0;
    std::vector<double> gradient, biasGradient;
};

ExpectedLoss expectedLoss(const std::vector<double>& logits, const std::vector<std::int32_t>& labels,
                          std::size_t classes, double smoothing, double scale) {
    ExpectedLoss expected;
    expected.biasGradient.resize(classes);
    const auto batch = static_cast<double>(labels.size());
    for (std::size_t image = 0; image < labels.size(); ++image) {
        double total = 0;
        for (std::size_t c = 0; c < classes; ++c) {
            total += std::exp(logits[image * classes + c] - 50);
        }
        for (std::size_t c = 0; c < classes; ++c) {
            const double logProbability = logits[image * classes + c] - 50 - std::log(total);
            const double target = smoothing / static_cast<double>(classes) +
                                  (c == static_cast<std::size_t>(labels[image]) ? 1 - smoothing : 0);
            expected.loss -= target * logProbability / batch;
            expected.gradient.push_back((std::exp(logProbability) - target) / batch * scale);
            expected.biasGradient[c] += expected.gradient.back();
        }
    }
    return expected;
}

template <typename T>
void checkLoss(std::size_t classes, double smoothing, float scale) {
    const std::vector<std::int32_t> labels{0, static_cast<std::int32_t>(classes) - 1, 3, 3, 7};
    const std::size_t count = labels.size() * classes;
    const Array<float> logits(numbers(count, 3, 8, 50));
    const Array<float> bias(numbers(classes, 4));
    const Array<std::int32_t> deviceLabels(labels.size());
    std::copy(labels.begin(), labels.end(), deviceLabels.data());
    std::vector<double> sums = logits.values();
    for (std::size_t i = 0; i < count; ++i) {
        sums[i] += bias.value(i % classes);
    }
    const ExpectedLoss expected = expectedLoss(sums, labels, classes, smoothing, static_cast<double>(scale));

    const Array<float> lossScale(1);
    lossScale[0] = scale;
    const Array<float> loss(1);
    const Array<T> gradient(count);
    const Array<float> biasGradient(classes);
    const LossShape shape{labels.size(), classes};
    const Array<float> scratch(lossScratchFloats(shape));
    softmaxCrossEntropy(nullptr, shape, static_cast<float>(smoothing),
                        LossTensors<T>{logits.data(), bias.data(), deviceLabels.data(),
                                       scale == 1 ? nullptr : lossScale.data(), loss.data(), gradient.data(),
                                       biasGradient.data()},
                        scratch.data());
    finish();
    EXPECT_NEAR(loss.value(0), expected.loss, 2e-5);
    expectNear(expected.gradient, gradient, 1e-5 * static_cast<double>(scale));
    expectNear(expected.biasGradient, biasGradient, 1e-5 * static_cast<double>(scale));
}

TYPED_TEST(Kernels, LossAndItsGradients) {
    for (const std::size_t classes : {1000, 10, 257}) {
        checkLoss<TypeParam>(classes, 0, 1);
        checkLoss<TypeParam>(classes, 0.1, 1024);
    }
}

TYPED_TEST(Kernels, LossOfMoreImagesThanLanesIsTheirMean) {
    const LossShape shape{70, 16};
    const Array<float> logits(std::vector<double>(std::size_t{70} * 16, 0.0));
    const Array<TypeParam> gradient(std::size_t{70} * 16);
    const Array<float> bias(std::vector<double>(16, 0.0));
    const Array<std::int32_t> labels(70);
    for (std::size_t i = 0; i < 70; ++i) {
        labels[i] = 5;
    }
    const Array<float> loss(1), biasGradient(16), scratch(lossScratchFloats(shape));
    softmaxCrossEntropy(nullptr, shape, 0,
                        LossTensors<TypeParam>{logits.data(), bias.data(), labels.data(), nullptr,
                                               loss.data(), gradient.data(), biasGradient.data()},
                        scratch.data());
    finish();
    EXPECT_NEAR(loss.value(0), std::log(16.0), 1e-6);
    for (std::size_t c = 0; c < 16; ++c) {
        EXPECT_NEAR(biasGradient.value(c), 1.0 / 16 - (c == 5 ? 1 : 0), 1e-6);
    }
    EXPECT_NEAR(gradient.value(0) * 16 * 70, 1, roundingError<TypeParam> + 1e-6);
}

template <typename G, typename T>
void checkSgd(bool overflow, bool copied) {
    constexpr std::size_t count = 5003;  // not whole packs
    const Array<float> weights(numbers(count, 1));
    const Array<float> momentum(numbers(count, 2));
    const Array<G> gradients(numbers(count, 3, 100));
    const Array<T> copy(std::vector<double>(count, 9.0));
    const Array<SgdStep> control(1);
    control[0] = {0.5F, 0.9F, 0.01F, 0.25F};
    const Array<LossScaleState> scale(1);
    scale[0] = {64, 0, 0};
    const Array<int> flag(1);
    flag[0] = overflow ? 1 : 0;
    std::vector<double> newWeights = weights.values();
    std::vector<double> newMomentum = momentum.values();
    for (std::size_t i = 0; i < count && !overflow; ++i) {
        const double g = 0.25 / 64 * gradients.value(i) + 0.01 * newWeights[i];
        newMomentum[i] = 0.9 * newMomentum[i] + g;
        newWeights[i] -= 0.5 * newMomentum[i];
    }
    sgd(nullptr, count,
        SgdTensors<G, T>{gradients.data(), momentum.data(), weights.data(), copied ? copy.data() : nullptr},
        {control.data(), scale.data(), flag.data()});
    finish();
    expectNear(newWeights, weights);
    expectNear(newMomentum, momentum);
    expectNear(overflow || !copied ? std::vector<double>(count, 9.0) : newWeights, copy);
}

TYPED_TEST(Kernels, SgdStepsUnlessThereIsOverflow) {
    for (const bool overflow : {false, true}) {
        for (const bool copied : {false, true}) {
            checkSgd<float, TypeParam>(overflow, copied);
            checkSgd<TypeParam, TypeParam>(overflow, copied);
        }
    }
}

constexpr double infinite = std::numeric_limits<double>::infinity();

TYPED_TEST(Kernels, OneGradientThatIsNotFiniteIsFoundAnywhere) {
    constexpr std::size_t count = 4099;
    const Array<int> flag(1);
    for (const double bad : {infinite, -infinite, std::numeric_limits<double>::quiet_NaN()}) {
        for (const std::size_t at : {0, 7, 2050, 4095, 4096, 4098}) {
            const Array<TypeParam> gradients(numbers(count, 3, 60000));
            flag[0] = 0;
            findOverflow(nullptr, gradients.data(), count, flag.data());
            finish();
            ASSERT_EQ(flag[0], 0);
            assign(gradients[at], bad);
            findOverflow(nullptr, gradients.data(), count, flag.data());
            finish();
            ASSERT_EQ(flag[0], 1) << bad << " at " << at;
        }
    }
}

TEST(LossScaleKernel, FollowsAndClearsTheFlag) {
    const Array<LossScaleState> state(1);
    state[0] = {};
    const Array<int> flag(1);
    flag[0] = 1;
    updateLossScale(nullptr, state.data(), flag.data());
    finish();
    EXPECT_EQ(flag[0], 0);
    EXPECT_EQ(state[0].scale, 32768);
    EXPECT_EQ(state[0].skipped, 1);
    updateLossScale(nullptr, state.data(), flag.data());
    finish();
    EXPECT_EQ(state[0].scale, 32768);
    EXPECT_EQ(state[0].goodSteps, 1);
}

TYPED_TEST(Kernels, ConvertsThereAndBack) {
    const Array<float> x(numbers(1027, 3, 100));
    const Array<TypeParam> y(x.size());
    const Array<float> back(x.size());
    convert(nullptr, x.size(), x.data(), y.data());
    convert(nullptr, x.size(), y.data(), back.data());
    finish();
    expectNear(x.values(), y, 0);
    EXPECT_EQ(back.values(), y.values());
}

}  // namespace
}  // namespace dlperf::worker::cuda::test
