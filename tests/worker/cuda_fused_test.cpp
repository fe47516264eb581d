// SPDX-License-Identifier: Apache-2.0
// The network with fused passes, and the choice of where it has them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "cuda/net/choose_fusion.h"
#include "cuda/net/training_state.h"
#include "cuda/runtime/graph.h"
#include "cuda/train/device_trainer.h"
#include "cuda_small_training.h"

namespace dlperf::worker::cuda {
namespace {

using Wanted = Operators::Wanted;
using Setup = std::shared_ptr<emulation::FusedSetup>;

// Of fp16, with fused passes.
BackendFactories fusedParts(const Setup& setup) {
    return {[setup](const Stream& stream, Precision) {
                return std::make_unique<emulation::ReferenceOperators<__half>>(stream, setup);
            },
            {}};
}

// Those of the network in fp16, as far as they are used.
std::map<Pass, int> passesOf(const emulation::FusedSetup& setup) {
    std::map<Pass, int> passes;
    for (const auto& [wanted, runs] : setup.runs) {
        passes[wanted.pass] += runs;
    }
    return passes;
}

struct FusedCase {
    std::set<Pass> passes;
    std::map<Pass, int> expected;  // runs of a step
    const char* name;
};

void PrintTo(const FusedCase& each, std::ostream* out) {
    *out << each.name;
}

constexpr Pass statistics = Pass::ForwardStatistics;
constexpr Pass normStatistics = Pass::NormForwardStatistics;
constexpr Pass blockStatistics = Pass::BlockForwardStatistics;
constexpr Pass dualStatistics = Pass::DualForwardStatistics;
constexpr Pass normWeight = Pass::NormWeightGradient;
constexpr Pass dataNorm = Pass::DataNormGradient;
constexpr Pass blockDataNorm = Pass::BlockDataNormGradient;
constexpr Pass dualDataNorm = Pass::DualDataNormGradient;

class CudaTrainingFused : public CudaTraining, public testing::WithParamInterface<FusedCase> {};

TEST_P(CudaTrainingFused, GradientsAreAsNearToFp32AsInParts) {
    Problem problem = smallProblem(Precision::Fp32, 8);
    const check::FormulaBatch batch = images(0, 8);
    static const Gradients exact =
        gradientsOf(*check::formulaBackend(BackendKind::Cpu, problem), batch.view());
    problem.precision = Precision::Fp16;
    static const Distances theirs =
        distancesBetween(gradientsOf(*emulatedBackend(problem), batch.view()), exact);
    const auto setup = std::make_shared<emulation::FusedSetup>();
    setup->passes = GetParam().passes;
    const auto fused = emulatedBackend(problem, fusedParts(setup));
    const Distances ours = distancesBetween(gradientsOf(*fused, batch.view()), exact);
    EXPECT_LT(ours.loss, 2 * theirs.loss);
    EXPECT_LT(ours.median, 1.2 * theirs.median);
    EXPECT_LT(ours.worst, 1.2 * theirs.worst);
    EXPECT_EQ(passesOf(*setup), GetParam().expected);
}

// 16 first convolutions and 4 of shortcuts have a stored input, 32 are behind another one in their block.
// 15 of the first are behind a block, which in 4 cases has a convolution in its shortcut.
INSTANTIATE_TEST_SUITE_P(
    Passes, CudaTrainingFused,
    testing::Values(
        FusedCase{{statistics, normStatistics, blockStatistics, dualStatistics, normWeight, dataNorm,
                   blockDataNorm, dualDataNorm},
                  {{statistics, 5},
                   {normStatistics, 32},
                   {blockStatistics, 11},
                   {dualStatistics, 4},
                   {normWeight, 32},
                   {dataNorm, 32},
                   {blockDataNorm, 11},
                   {dualDataNorm, 4}},
                  "All"},
        FusedCase{{statistics}, {{statistics, 52}}, "Statistics"},
        FusedCase{{normStatistics, normWeight}, {{normStatistics, 32}, {normWeight, 32}}, "Prologues"},
        FusedCase{{dataNorm}, {{dataNorm, 32}}, "DataGradients"},
        FusedCase{{blockDataNorm, dualDataNorm}, {{blockDataNorm, 11}, {dualDataNorm, 4}}, "BlockEnds"},
        FusedCase{{blockStatistics, dualStatistics, dualDataNorm},
                  {{dualStatistics, 4}, {dualDataNorm, 4}},
                  "DualBorders"},
        FusedCase{{statistics, normStatistics}, {{statistics, 52}}, "PrologueForwardOnly"}),
    testing::PrintToStringParamName());

// What is not fused

void computeGradients(Backend& backend, const Problem& problem) {
    const check::FormulaBatch batch = images(0, static_cast<std::size_t>(problem.batchSize));
    backend.computeGradients(batch.view(), [](std::size_t) {});
}

TEST_F(CudaTraining, NothingIsFusedWithFrozenStatisticsOrWhereNeverToBe) {
    for (const bool frozen : {true, false}) {
        Problem problem = smallProblem(Precision::Fp16, 4);
        problem.frozenNorm = frozen;
        const auto setup = std::make_shared<emulation::FusedSetup>();
        if (!frozen) {
            setup->policy = FusionPolicy::Never;
        }
        const auto with = emulatedBackend(problem, fusedParts(setup));
        const auto without = emulatedBackend(problem);
        computeGradients(*with, problem);
        computeGradients(*without, problem);
        EXPECT_TRUE(std::ranges::equal(with->gradients(), without->gradients()));
        EXPECT_TRUE(setup->runs.empty());
        EXPECT_EQ(setup->timings, 0);
        EXPECT_EQ(with->fusion(), "never");
    }
}

TEST_F(CudaTraining, NothingIsFusedInOtherTypes) {
    const auto setup = std::make_shared<emulation::FusedSetup>();
    const BackendFactories factories{
        [&](const Stream& stream, Precision) {
            return std::make_unique<emulation::ReferenceOperators<__nv_bfloat16>>(stream, setup);
        },
        {}};
    const Problem problem = smallProblem(Precision::Bf16);
    computeGradients(*emulatedBackend(problem, factories), problem);
    EXPECT_TRUE(setup->runs.empty());
}

TEST_F(CudaTraining, WhatIsMadeAgainTakesNoMemory) {
    const Problem problem = smallProblem(Precision::Fp16, 8);
    const auto bytesOf = [&](std::set<Pass> passes) {
        const auto setup = std::make_shared<emulation::FusedSetup>();
        setup->passes = std::move(passes);
        const auto backend = emulatedBackend(problem, fusedParts(setup));
        return static_cast<double>(emulation::live().deviceBytes);
    };
    double inside = 0;
    const ResNet50 net = makeResNet50(smallSize, smallClasses);
    for (const Bottleneck& block : net.blocks) {
        for (const int index : {block.conv1, block.conv2}) {
            const ConvLayer& conv = net.convs[static_cast<std::size_t>(index)];
            inside += 2.0 * problem.batchSize * conv.outSize * conv.outSize * conv.outChannels;
        }
    }
    // The fp16 vectors take a little of what is saved.
    EXPECT_NEAR(bytesOf({}) - bytesOf({normStatistics, normWeight}), inside, 0.1 * inside);
}

// The choice

using Clock = std::function<double(const std::vector<Wanted>&)>;

// A setup whose network takes what the clock says is fastest.
Setup measuring(const Clock& clock) {
    auto setup = std::make_shared<emulation::FusedSetup>();
    setup->policy = FusionPolicy::Measured;
    setup->clock = clock;
    return setup;
}

// Fused passes are quicker than unfused ones, the more so the more they fuse, but for those that are said to
// be slow.
Clock clockWithSlow(const std::function<bool(const Wanted&)>& isSlow) {
    return [isSlow](const std::vector<Wanted>& started) {
        double seconds = 10;
        for (const Wanted& one : started) {
            seconds -= isSlow(one) ? -3 : (one.pass == statistics ? 1 : 2);
        }
        return seconds;
    };
}

// Those run in one step of a network made with the setup.
std::set<Wanted> runsOfAStep(const Problem& problem, const Setup& setup) {
    const auto backend = emulatedBackend(problem, fusedParts(setup));
    setup->runs.clear();
    computeGradients(*backend, problem);
    std::set<Wanted> runs;
    for (const auto& [wanted, times] : setup->runs) {
        runs.insert(wanted);
    }
    return runs;
}

TEST_F(CudaTraining, WhatMeasuresSlowerStaysInParts) {
    const Problem problem = smallProblem(Precision::Fp16, 1);
    const auto setup = measuring({});
    // Slow are 3x3 forward, the last stage's weight gradients, and data gradients with strides.
    setup->clock = clockWithSlow([](const Wanted& one) {
        if (one.pass >= dataNorm) {
            return one.shape.stride == 2;
        }
        return one.shape.kernel == 3 || (one.pass == normWeight && one.shape.inChannels == 512);
    });
    const ResNet50 net = makeResNet50(smallSize, smallClasses);
    const auto shapeOf = [&](int index) {
        return dnn::shapeOf(net.convs[static_cast<std::size_t>(index)], problem.batchSize);
    };
    std::set<Wanted> expected;
    std::vector<Pass> first{statistics};
    for (const Bottleneck& block : net.blocks) {
        for (const Pass pass : first) {
            expected.insert({pass, shapeOf(block.conv1)});
        }
        first = {blockStatistics, blockDataNorm};
        if (block.downsample != Bottleneck::none) {
            first = {dualStatistics, dualDataNorm};
        }
        if (block.downsample != Bottleneck::none) {
            expected.insert({statistics, shapeOf(block.downsample)});
        }
        if (shapeOf(block.conv2).stride == 1) {
            expected.insert({dataNorm, shapeOf(block.conv2)});
        }
        const dnn::ConvolutionShape last = shapeOf(block.conv3);
        expected.insert({dataNorm, last});
        if (last.inChannels == 512) {
            expected.insert({statistics, last});
        } else {
            expected.insert({normStatistics, last});
            expected.insert({normWeight, last});
        }
    }
    EXPECT_EQ(runsOfAStep(problem, setup), expected);
}

TEST_F(CudaTraining, AChoiceIsRememberedAsLongAsItIsOne) {
    const Problem problem = smallProblem(Precision::Fp16, 1);
    const auto setup = measuring(clockWithSlow([](const Wanted& one) { return one.shape.kernel == 3; }));
    const std::set<Wanted> first = runsOfAStep(problem, setup);
    EXPECT_GT(setup->timings, 0);
    setup->timings = 0;
    setup->clock = clockWithSlow([](const Wanted&) { return true; });
    EXPECT_EQ(runsOfAStep(problem, setup), first);
    EXPECT_EQ(setup->timings, 0);
    // A prologue is a choice no longer; statistics are, and are slow now where they were not chosen before.
    setup->passes.erase(normWeight);
    for (const Wanted& one : runsOfAStep(problem, setup)) {
        EXPECT_THAT(one.pass, testing::Not(testing::AnyOf(normStatistics, normWeight)));
    }
    EXPECT_GT(setup->timings, 0);
}

TEST_F(CudaTraining, TimesAreTakenOfTheDeviceAndLeaveNothingBehind) {
    const auto setup = measuring({});
    const Stream stream;
    emulation::ReferenceOperators<__half> operators(stream, setup);
    const Problem problem = smallProblem(Precision::Fp16, 1);
    ResNet50 net = makeResNet50(smallSize, smallClasses);
    net.blocks.resize(2);
    std::vector<Operators::Wanted> wanted;
    for (const ConvLayer& conv : net.convs) {
        for (const Pass pass : {Pass::Forward, Pass::DataGradient, Pass::WeightGradient}) {
            wanted.push_back({pass, dnn::shapeOf(conv, problem.batchSize)});
        }
    }
    operators.prepare(wanted);
    const emulation::Live before = emulation::live();
    fusionCandidates(net, problem, operators, stream);
    EXPECT_TRUE(emulation::live() == before);
    // Forward ways of the first block's four layers and of the second one's first, whose others are of the
    // same shapes; data gradients of the three that go on.
    EXPECT_EQ(setup->choices.size(), 8U);
}

// The choice by whole passes

// A convolution alone has at most two fused passes. Those of 3x3 are slow there, so that what is measured is
// not what is always fused. A network's passes take what `ofNetwork` says of their number; with none 10 s.
Clock clockOfPasses(const std::function<double(std::size_t)>& ofNetwork) {
    const Clock alone = clockWithSlow([](const Wanted& one) { return one.shape.kernel == 3; });
    return [alone, ofNetwork](const std::vector<Wanted>& started) {
        return started.size() <= 2 ? alone(started) : ofNetwork(started.size());
    };
}

constexpr std::size_t allPasses = 131;  // as counted above

bool isOfPasses(const std::pair<const std::string, int>& choice) {
    return choice.first.find("passes") != std::string::npos;
}

double slower(std::size_t) {
    return 11;
}
double quickerWithSome(std::size_t passes) {
    return passes == allPasses ? 9 : 8;
}
double quickerWithAll(std::size_t passes) {
    return passes == allPasses ? 8 : 9;
}

std::vector<float> gradientsOf(Backend& backend, const Problem& problem) {
    computeGradients(backend, problem);
    return {backend.gradients().begin(), backend.gradients().end()};
}

TEST_F(CudaTraining, WholePassesDecideBetweenNothingWhatMeasuresFasterAndAll) {
    const Problem problem = smallProblem(Precision::Fp16, 1);
    const auto setup = measuring({});
    const auto textWith = [&](const std::function<double(std::size_t)>& ofNetwork) {
        setup->choices.clear();
        setup->clock = clockOfPasses(ofNetwork);
        return emulatedBackend(problem, fusedParts(setup))->fusion();
    };
    EXPECT_EQ(textWith(slower),
              "never, by forward and back together: never 10000.00 ms, measured 11000.00 ms, always 11000.00 "
              "ms");
    EXPECT_EQ(textWith(quickerWithSome),
              "measured, by forward and back together: never 10000.00 ms, measured 8000.00 ms, always "
              "9000.00 ms");
    EXPECT_EQ(textWith(quickerWithAll),
              "always, by forward and back together: never 10000.00 ms, measured 9000.00 ms, always 8000.00 "
              "ms");
    const std::string failing = textWith([](std::size_t passes) -> double {
        if (passes == allPasses) {
            throw Failure(ExitCode::Backend, "there is no such plan any more");
        }
        return 8;
    });
    EXPECT_EQ(failing,
              "measured, by forward and back together: never 10000.00 ms, measured 8000.00 ms, always fails");
}

TEST_F(CudaTraining, WhatWholePassesDecideTrainsAsIfItHadBeenAskedFor) {
    const Problem problem = smallProblem(Precision::Fp16, 4);
    const auto asked = std::make_shared<emulation::FusedSetup>();
    const auto chosen = std::make_shared<emulation::FusedSetup>();
    chosen->policy = FusionPolicy::Measured;
    for (const FusionPolicy policy : {FusionPolicy::Never, FusionPolicy::Always}) {
        chosen->choices.clear();
        chosen->clock = clockOfPasses(policy == FusionPolicy::Never ? slower : quickerWithAll);
        asked->policy = policy;
        const auto ours = emulatedBackend(problem, fusedParts(chosen));
        const auto theirs = emulatedBackend(problem, fusedParts(asked));
        chosen->runs.clear();
        asked->runs.clear();
        EXPECT_EQ(gradientsOf(*ours, problem), gradientsOf(*theirs, problem));
        EXPECT_EQ(chosen->runs, asked->runs);
    }
}

TEST_F(CudaTraining, WhatWholePassesDecidedIsNotTimedAgain) {
    const Problem problem = smallProblem(Precision::Fp16, 1);
    const auto setup = measuring(clockOfPasses(quickerWithAll));
    const std::set<Wanted> first = runsOfAStep(problem, setup);
    setup->timings = 0;
    setup->clock = clockOfPasses(slower);
    EXPECT_EQ(runsOfAStep(problem, setup), first);
    EXPECT_EQ(emulatedBackend(problem, fusedParts(setup))->fusion(),
              "always, by forward and back together, timed before");
    EXPECT_EQ(setup->timings, 0);
    // Of another batch nothing is known.
    const Problem larger = smallProblem(Precision::Fp16, 2);
    EXPECT_THAT(emulatedBackend(larger, fusedParts(setup))->fusion(), testing::StartsWith("never, "));
    EXPECT_GT(setup->timings, 0);
}

// The first choice of each convolution was made under another load: what "measured" stands for is another.
TEST_F(CudaTraining, WholePassesAreTimedAgainForOtherChoicesOfConvolutions) {
    const Problem problem = smallProblem(Precision::Fp16, 1);
    const auto setup = measuring(clockOfPasses(quickerWithAll));
    emulatedBackend(problem, fusedParts(setup));
    const auto isOfConvolutions = [](const auto& each) { return !isOfPasses(each); };
    std::erase_if(setup->choices, isOfConvolutions);
    ASSERT_EQ(setup->choices.size(), 1U);
    const Clock others = clockWithSlow([](const Wanted& one) { return one.shape.kernel == 1; });
    setup->clock = [&](const std::vector<Wanted>& started) {
        return started.size() <= 2 ? others(started) : slower(started.size());
    };
    EXPECT_THAT(emulatedBackend(problem, fusedParts(setup))->fusion(),
                testing::StartsWith("never, by forward and back together: never "));
    EXPECT_EQ(std::ranges::count_if(setup->choices, isOfPasses), 2);
}

TEST_F(CudaTraining, WholePassesAreNotTimedWhereAnotherProcessMayNeedTheMemory) {
    Problem problem = smallProblem(Precision::Fp16, 1);
    const auto setup = measuring(clockOfPasses(slower));
    problem.devicesOnNode = 2;
    EXPECT_EQ(emulatedBackend(problem, fusedParts(setup))->fusion(),
              "measured, by each convolution alone: another process may need this GPU's memory");
    EXPECT_EQ(std::ranges::count_if(setup->choices, isOfPasses), 0);
    emulation::setDeviceCount(2);
    EXPECT_THAT(emulatedBackend(problem, fusedParts(setup))->fusion(), testing::StartsWith("never, "));
    emulation::setDeviceCount(1);  // then it is known
    EXPECT_EQ(emulatedBackend(problem, fusedParts(setup))->fusion(),
              "never, by forward and back together, timed before");
}

TEST_F(CudaTraining, CandidatesThatAreEqualAreTimedOnce) {
    const Problem problem = smallProblem(Precision::Fp16, 1);
    const auto setup =
        measuring(clockWithSlow([](const Wanted&) { return false; }));  // so that all is faster fused
    const auto backend = emulatedBackend(problem, fusedParts(setup));
    EXPECT_THAT(backend->fusion(), testing::MatchesRegex("measured, .*: never [^,]*, measured [^,]*"));
    setup->choices.clear();
    setup->passes.clear();
    setup->timings = 0;
    EXPECT_EQ(emulatedBackend(problem, fusedParts(setup))->fusion(), "never");
    EXPECT_EQ(setup->timings, 0);
}

TEST_F(CudaTraining, WherePassesDoNotFitUnfusedEachConvolutionDecides) {
    const Problem problem = smallProblem(Precision::Fp16, 8);
    const auto setup = std::make_shared<emulation::FusedSetup>();
    const auto bytesWith = [&](FusionPolicy policy) {
        setup->policy = policy;
        const auto backend = emulatedBackend(problem, fusedParts(setup));
        return emulation::live().deviceBytes;
    };
    const std::size_t unfused = bytesWith(FusionPolicy::Never);
    EXPECT_LT(bytesWith(FusionPolicy::Always), unfused);
    setup->clock = clockWithSlow([](const Wanted&) { return false; });
    bytesWith(FusionPolicy::Measured);  // each convolution's choice is remembered from here on
    std::erase_if(setup->choices, isOfPasses);
    emulation::setDeviceMemory(unfused - 1);
    const auto backend = emulatedBackend(problem, fusedParts(setup));
    EXPECT_EQ(backend->fusion(),
              "measured, by each convolution alone: the memory is too small to time forward and back "
              "together");
    emulation::setDeviceMemory(4 * unfused);  // gradients for the host take some more
    setup->runs.clear();
    computeGradients(*backend, problem);
    EXPECT_EQ(passesOf(*setup).size(), setup->passes.size());
}

// Captured

// All that a pass forward and back leaves in the store.
std::vector<float> leftIn(const ParameterStore<__half>& store, const Stream& stream) {
    stream.wait();
    const std::size_t weights = store.layout().weights();
    std::vector<float> values;
    for (std::size_t i = 0; i < weights; ++i) {
        values.push_back(__half2float(store.weightGradients()[i]));
    }
    const float* const vectors = store.vectorGradients();
    values.insert(values.end(), vectors, vectors + store.layout().vectors() + 1);
    return values;
}

// The master weights as the formula has them.
void setWeights(const ParameterStore<__half>& store, const std::vector<Parameter>& parameters,
                const Stream& stream) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::vector<float> values = store.layout().toDevice(i, smallWeights(parameters)[i]);
        std::copy(values.begin(), values.end(), store.master() + store.layout().offset(i));
    }
    store.refreshCopies(stream);
    stream.wait();
}

TEST_F(CudaTraining, TimingLeavesNoParametersAndNoMemoryBehind) {
    const Problem problem = smallProblem(Precision::Fp16, 1);
    const ResNet50 net = makeResNet50(smallSize, smallClasses);
    const Stream stream;
    const auto setup = std::make_shared<emulation::FusedSetup>();
    const auto liveWith = [&](FusionPolicy policy) {
        setup->policy = policy;
        emulation::ReferenceOperators<__half> operators(stream, setup);
        const TrainingState<__half> state(net, parametersOf(net), problem, operators, stream);
        stream.wait();
        const auto isZero = [](auto value) { return static_cast<float>(value) == 0; };
        const ParameterStore<__half>& store = state.store;
        EXPECT_TRUE(std::all_of(store.master(), store.master() + store.layout().total(), isZero));
        EXPECT_TRUE(std::all_of(store.momentum(), store.momentum() + store.layout().total(), isZero));
        EXPECT_TRUE(std::all_of(store.copies(), store.copies() + store.layout().weights(), isZero));
        EXPECT_EQ(*store.loss(), 0);
        return emulation::live();
    };
    const emulation::Live expected = liveWith(FusionPolicy::Always);
    setup->clock = clockOfPasses(quickerWithAll);
    EXPECT_TRUE(liveWith(FusionPolicy::Measured) == expected);
}

TEST_F(CudaTraining, FusedStepsGiveTheSameBitsInAGraph) {
    const Problem problem = smallProblem(Precision::Fp16, 8);
    const ResNet50 net = makeResNet50(smallSize, smallClasses);
    const std::vector<Parameter> parameters = parametersOf(net);
    const Stream stream;
    emulation::ReferenceOperators<__half> operators(stream, std::make_shared<emulation::FusedSetup>());
    TrainingState<__half> state(net, parameters, problem, operators, stream);
    setWeights(state.store, parameters, stream);
    BatchSlot slot(problem);
    const check::FormulaBatch batch = images(0, 8);
    slot.upload(batch.view(), stream, stream);
    const auto step = [&] {
        state.network.forward(slot.batch(), nullptr);
        state.network.backward([](std::size_t) {});
    };
    step();
    const std::vector<float> expected = leftIn(state.store, stream);
    const CapturedGraph graph(stream, step);
    std::fill_n(state.store.vectorGradients(), state.store.layout().vectors() + 1, 0.0F);
    graph.launch(stream);
    EXPECT_TRUE(leftIn(state.store, stream) == expected);
    EXPECT_TRUE(std::isfinite(expected.back()));
}

}  // namespace
}  // namespace dlperf::worker::cuda
