// SPDX-License-Identifier: Apache-2.0
// The steps of one layer behind another, in every fusion: they compute the same up to rounding. On a GPU
// they are cuDNN's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "cuda/net/conv_norm_steps.h"
#include "cuda/operators/operators.h"
#include "cuda/runtime/memory.h"
#include "cuda_arrays.h"
#include "distance.h"
#ifdef DLPERF_KERNELS_ON_GPU
#include "cuda/dnn/cudnn_operators.h"
#else
#include "reference_operators.h"
#endif

namespace dlperf::worker::cuda::test {
namespace {

using dnn::ConvolutionShape;

ConvolutionShape shape(int batch, int in, int out, int size, int kernel, int stride) {
    const int padding = kernel / 2;
    return {batch, in, out, size, (size + 2 * padding - kernel) / stride + 1, kernel, stride, padding};
}

const ConvolutionShape shapes[] = {shape(4, 64, 128, 7, 1, 1), shape(3, 64, 64, 9, 3, 1),
                                   shape(5, 32, 64, 8, 3, 2)};

#ifdef DLPERF_KERNELS_ON_GPU
std::unique_ptr<Operators> makeOperators(const Stream& stream) {
    return std::make_unique<CudnnOperators>(stream, Precision::Fp16);
}
#else
std::unique_ptr<Operators> makeOperators(const Stream& stream) {
    return std::make_unique<emulation::ReferenceOperators<__half>>(stream,
                                                                   std::make_shared<emulation::FusedSetup>());
}
#endif

const std::vector<Pass> inside{Pass::ForwardStatistics, Pass::NormForwardStatistics, Pass::NormWeightGradient,
                               Pass::DataNormGradient};
const std::vector<Pass> border{Pass::BlockForwardStatistics, Pass::DualForwardStatistics,
                               Pass::BlockDataNormGradient, Pass::DualDataNormGradient};

void prepareAll(Operators& operators, const ConvolutionShape& s) {
    std::vector<Operators::Wanted> wanted{
        {Pass::Forward, s}, {Pass::DataGradient, s}, {Pass::WeightGradient, s}};
    for (const std::vector<Pass>* const passes : {&inside, &border}) {
        for (const Pass pass : *passes) {
            wanted.push_back({pass, s});
        }
    }
    operators.prepare(wanted);
}

#ifdef DLPERF_KERNELS_ON_GPU
// What has no plans there is not compared.
bool haveAll(const std::vector<Pass>& passes, const ConvolutionShape& s) {
    const Stream stream;
    const std::unique_ptr<Operators> operators = makeOperators(stream);
    prepareAll(*operators, s);
    const bool have = std::ranges::all_of(passes, [&](Pass pass) { return operators->has({pass, s}); });
    std::printf("%s: cuDNN has %s on this GPU\n", s.text().c_str(), have ? "all plans" : "no plans for it");
    return have;
}
#else
bool haveAll(const std::vector<Pass>&, const ConvolutionShape&) {
    return true;
}
#endif

Rows rowsOf(int batch, int size, int channels) {
    return {static_cast<std::size_t>(batch * size * size), static_cast<std::size_t>(channels)};
}

std::size_t count(Rows rows) {
    return rows.rows * rows.channels;
}

// The vectors of a normalisation.
struct Vectors {
    Array<float> norm, parameters, gradients;
    Array<__half> folded;

    explicit Vectors(std::size_t channels, std::uint32_t seed)
        : norm(7 * channels),
          parameters(numbers(2 * channels, seed, 0.5, 0.7)),
          gradients(2 * channels),
          folded(2 * channels) {}

    void bind(ConvNorm<__half>& layer) const {
        const std::size_t n = layer.rows.channels;
        const auto array = [&](std::size_t k) { return norm.data() + k * n; };
        layer.norm = {array(0), array(1), array(2), array(3), array(4), array(5), array(6)};
        layer.norm.folded = {folded.data(), folded.data() + n};
        layer.parameters = {parameters.data(), parameters.data() + n};
        layer.gradients = {gradients.data(), gradients.data() + n};
    }
};

// What a step was said to move and to compute.
struct StartedWork {
    Work work;
    double bytes;
    double operations;

    bool operator==(const StartedWork&) const = default;
};

void PrintTo(const StartedWork& started, std::ostream* out) {
    *out << static_cast<int>(started.work) << ": " << started.bytes << " bytes, " << started.operations;
}

// A layer behind another one, and what both directions make of the same numbers.
struct Pair {
    ConvolutionShape s;
    Rows inputs, outputs;
    Array<__half> x, y, filter, filterGradient, output, gradient, inputGradient;
    Vectors front, behind;
    Array<float> scratch;
    std::vector<StartedWork> works;

    explicit Pair(const ConvolutionShape& each)
        : s(each),
          inputs(rowsOf(s.batch, s.inSize, s.inChannels)),
          outputs(rowsOf(s.batch, s.outSize, s.outChannels)),
          x(numbers(count(inputs), 1, 2, 0.5)),
          y(count(inputs)),
          filter(numbers(filterSize(), 2, 0.2)),
          filterGradient(filterSize()),
          output(count(outputs)),
          gradient(numbers(count(outputs), 3)),
          inputGradient(count(inputs)),
          front(inputs.channels, 4),
          behind(outputs.channels, 6),
          scratch(normScratchFloats(inputs) + normScratchFloats(outputs)) {}

    std::size_t filterSize() const {
        return outputs.channels * static_cast<std::size_t>(s.kernel * s.kernel) * inputs.channels;
    }

    void listenTo(ConvNormSteps<__half>& steps) {
        steps.observeWith([this](Work work, double bytes, double operations) {
            works.push_back({work, bytes, operations});
        });
    }

    void run(FusionStrategy fusion) {
        const Stream stream;
        const std::unique_ptr<Operators> operators = makeOperators(stream);
        prepareAll(*operators, s);
        ConvNorm<__half> before, layer;
        before.shape = layer.shape = s;
        before.rows = inputs;
        before.x = x.data();
        before.y = y.data();
        front.bind(before);
        layer.rows = outputs;
        layer.fusion = fusion;
        layer.x = output.data();
        layer.filter = filter.data();
        layer.filterGradient = filterGradient.data();
        behind.bind(layer);
        normStatistics(stream, inputs, static_cast<const __half*>(x.data()), before.parameters,
                       scratch.data(), before.norm);
        ConvNormSteps<__half> steps(*operators, stream, false, scratch.data());
        listenTo(steps);
        steps.forwardBehind(before, layer);
        steps.weightGradientBehind(before, layer, gradient.data());
        steps.dataGradientBehind(before, layer, gradient.data(), inputGradient.data());
        steps.throughNormBehind(before, layer, inputGradient.data());
        stream.wait();
    }
};

// The first four of a normalisation's vectors: what is known of it forward.
std::vector<double> forwardValues(const Vectors& vectors) {
    std::vector<double> values = vectors.norm.values();
    values.resize(values.size() / 7 * 4);
    return values;
}

void expectAlike(const Pair& found, const Pair& expected, double forward, double backward) {
    EXPECT_LE(relativeDistance(found.output.values(), expected.output.values()), forward);
    EXPECT_LE(relativeDistance(forwardValues(found.behind), forwardValues(expected.behind)), forward + 1e-5);
    EXPECT_LE(relativeDistance(found.filterGradient.values(), expected.filterGradient.values()), forward);
    EXPECT_LE(relativeDistance(found.inputGradient.values(), expected.inputGradient.values()), backward);
    EXPECT_LE(relativeDistance(found.front.gradients.values(), expected.front.gradients.values()), backward);
}

// Half a step of fp16 is 1/2048 of a number. A GPU's fusions also differ in the order of their sums.
constexpr double halfStep = 1.0 / 2048;
#ifdef DLPERF_KERNELS_ON_GPU
constexpr double same = halfStep;
constexpr double near = 3 * halfStep;
#else
constexpr double same = 0;
constexpr double near = halfStep;
#endif

TEST(Steps, ComputeTheSameInAllWays) {
    for (const ConvolutionShape& s : shapes) {
        if (!haveAll(inside, s)) {
            continue;
        }
        Pair unfused(s), statistics(s), prologue(s), gradient(s);
        unfused.run({});
        statistics.run({ForwardFusion::Statistics, false});
        expectAlike(statistics, unfused, same, same);
        prologue.run({ForwardFusion::Prologue, false});
        expectAlike(prologue, unfused, near, same);
        gradient.run({ForwardFusion::Unfused, true});
        expectAlike(gradient, unfused, same, near);
    }
}

// The end of a block and the next one's first convolution.
struct Border {
    Pair pair;
    bool isDual;
    Array<__half> shortcut, other, aroundGradient, blockOutput;
    Array<std::uint8_t> mask;
    Vectors around;

    Border(const ConvolutionShape& s, bool dual)
        : pair(s),
          isDual(dual),
          shortcut(numbers(count(pair.inputs), 11, 1.5)),
          other(numbers(count(pair.inputs), 12)),
          aroundGradient(count(pair.inputs)),
          blockOutput(count(pair.inputs)),
          mask(count(pair.inputs) / 8),
          around(pair.inputs.channels, 13) {}

    // All that is fused, or nothing.
    void run(bool fuses) {
        const Stream stream;
        const std::unique_ptr<Operators> operators = makeOperators(stream);
        prepareAll(*operators, pair.s);
        ConvNorm<__half> main, second, layer;
        bindAll(main, second, layer);
        const BlockEndLayers<__half> end{main, isDual ? &second : nullptr, shortcut.data(), mask.data()};
        for (const ConvNorm<__half>* const each : {&main, &second}) {
            normStatistics(stream, each->rows, static_cast<const __half*>(each->x), each->parameters,
                           pair.scratch.data(), each->norm);
        }
        ConvNormSteps<__half> steps(*operators, stream, false, pair.scratch.data());
        pair.listenTo(steps);
        __half* const dz = pair.inputGradient.data();
        if (fuses) {
            steps.forwardFromBlockEnd(end, layer, blockOutput.data());
            steps.dataGradientToBlockEnd(end, layer, pair.gradient.data(), other.data(), dz);
        } else {
            steps.endBlock(end, blockOutput.data());
            steps.forward(layer, blockOutput.data());
            steps.dataGradient(layer, pair.gradient.data(), dz);
            steps.sumBlockEnd(end, other.data(), dz);
        }
        steps.throughBlockEnd(end, dz, dz, aroundGradient.data());
        stream.wait();
    }

    void bindAll(ConvNorm<__half>& main, ConvNorm<__half>& second, ConvNorm<__half>& layer) const {
        main.rows = second.rows = pair.inputs;
        main.x = pair.x.data();
        second.x = shortcut.data();
        pair.front.bind(main);
        around.bind(second);
        layer.shape = pair.s;
        layer.rows = pair.outputs;
        layer.filter = pair.filter.data();
        layer.x = pair.output.data();
        pair.behind.bind(layer);
    }
};

TEST(Steps, ComputeTheSameAcrossABlocksBorder) {
    if (!haveAll(border, shapes[0])) {
        return;
    }
    for (const bool isDual : {false, true}) {
        Border unfused(shapes[0], isDual), fused(shapes[0], isDual);
        unfused.run(false);
        fused.run(true);
        const auto expectNear = [](const auto& found, const auto& expected) {
            EXPECT_LE(relativeDistance(found.values(), expected.values()), near);
        };
        expectNear(fused.blockOutput, unfused.blockOutput);
        expectNear(fused.pair.output, unfused.pair.output);
        expectNear(fused.pair.inputGradient, unfused.pair.inputGradient);
        expectNear(fused.pair.front.gradients, unfused.pair.front.gradients);
        if (!isDual) {
            continue;
        }
        expectNear(fused.aroundGradient, unfused.aroundGradient);
        expectNear(fused.around.gradients, unfused.around.gradients);
    }
}

TEST(Steps, DoNotTouchYWhereItIsMadeAgain) {
    if (!haveAll(inside, shapes[0])) {
        return;
    }
    Pair pair(shapes[0]);
    const Array<__half> untouched(std::vector<double>(count(pair.inputs), 7));
    std::copy(untouched.data(), untouched.data() + untouched.size(), pair.y.data());
    pair.run({ForwardFusion::Prologue, true});
    EXPECT_EQ(pair.y.values(), untouched.values());
}

TEST(Steps, TellWhatEachWayMoves) {
    const ConvolutionShape s = shapes[1];
    if (!haveAll(inside, s)) {
        return;
    }
    Pair unfused(s), fused(s);
    const double in = 2.0 * 3 * 9 * 9 * 64;  // bytes of the input, which is as large as the output
    const double filter = 2.0 * 64 * 3 * 3 * 64;
    const double operations = 2.0 * 3 * 9 * 9 * 64 * 64 * 9;
    unfused.run({});
    EXPECT_THAT(unfused.works,
                testing::ElementsAre(
                    StartedWork{Work::NormForward, 2 * in, 0},
                    StartedWork{Work::ConvolutionForward, 2 * in + filter, operations},
                    StartedWork{Work::Statistics, in, 0},
                    StartedWork{Work::ConvolutionWeightGradient, 2 * in + filter, operations},
                    StartedWork{Work::ConvolutionDataGradient, 2 * in + filter, operations},
                    StartedWork{Work::NormSums, 2 * in, 0}, StartedWork{Work::NormGradient, 3 * in, 0}));
    fused.run({ForwardFusion::Prologue, true});
    EXPECT_THAT(fused.works, testing::ElementsAre(
                                 StartedWork{Work::ConvolutionForward, 2 * in + filter, operations},
                                 StartedWork{Work::Statistics, 64.0 * 8 * 4, 0},
                                 StartedWork{Work::ConvolutionWeightGradient, 2 * in + filter, operations},
                                 StartedWork{Work::ConvolutionDataGradient, 3 * in + filter, operations},
                                 StartedWork{Work::NormGradient, 3 * in, 0}));
}

TEST(Steps, TellWhatIsMovedAcrossABlocksBorder) {
    const ConvolutionShape s = shapes[0];
    if (!haveAll(border, s)) {
        return;
    }
    Border unfused(s, false), fused(s, true);
    const double in = 2.0 * 4 * 7 * 7 * 64;  // bytes of the input; the output has twice the channels
    const double mask = in / 16;
    const double product = in + 2.0 * 64 * 128 + 2 * in;
    const double operations = 2.0 * 4 * 7 * 7 * 64 * 128;
    unfused.run(false);
    EXPECT_THAT(unfused.pair.works,
                testing::ElementsAre(StartedWork{Work::NormForward, 3 * in + mask, 0},
                                     StartedWork{Work::ConvolutionForward, product, operations},
                                     StartedWork{Work::Statistics, 2 * in, 0},
                                     StartedWork{Work::ConvolutionDataGradient, product, operations},
                                     StartedWork{Work::NormSums, 4 * in + mask, 0},
                                     StartedWork{Work::NormGradient, 3 * in, 0}));
    fused.run(true);
    EXPECT_THAT(fused.pair.works,
                testing::ElementsAre(StartedWork{Work::ConvolutionForward, product + 2 * in, operations},
                                     StartedWork{Work::Statistics, 128.0 * 8 * 4, 0},
                                     StartedWork{Work::ConvolutionDataGradient, product + 3 * in, operations},
                                     StartedWork{Work::NormGradient, 5 * in, 0}));
}

}  // namespace
}  // namespace dlperf::worker::cuda::test
