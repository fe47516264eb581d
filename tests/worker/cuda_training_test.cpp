// SPDX-License-Identifier: Apache-2.0
// The whole CUDA backend on the processor: its network, optimizer and steps as they are, on an emulated
// runtime, the kernels compiled for the processor, and products in plain loops.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <thread>

#include "bf16_on_cpu.h"
#include "fake_ranks.h"

namespace dlperf::worker::cuda {

namespace {

using emulation::Schedule;
using testing::HasSubstr;

// Gradients

TEST_F(CudaTraining, Fp32GradientsAreTheCpuBackends) {
    for (const bool frozen : {false, true}) {
        Problem problem = smallProblem(Precision::Fp32, 8);
        problem.frozenNorm = frozen;
        const auto cuda = emulatedBackend(problem);
        const auto cpu = check::formulaBackend(BackendKind::Cpu, problem);
        const check::FormulaBatch batch = images(0, 8);
        const Distances distances =
            distancesBetween(gradientsOf(*cuda, batch.view()), gradientsOf(*cpu, batch.view()));
        EXPECT_LT(distances.loss, 1e-6);
        EXPECT_LT(distances.median, frozen ? 2e-6 : 5e-4);
        EXPECT_LT(distances.worst, frozen ? 1e-5 : 3e-2);
    }
}

class CudaTrainingInHalves : public CudaTraining, public testing::WithParamInterface<Precision> {};

// The CPU's bf16 is as near to PyTorch's fp32 as PyTorch's own; fp16 has eight times its digits.
TEST_P(CudaTrainingInHalves, GradientsAreAsNearToFp32AsTheCpuBackends) {
    Problem problem = smallProblem(Precision::Fp32);
    problem.frozenNorm = true;
    const check::FormulaBatch batch = images(0);
    static const Gradients exact =
        gradientsOf(*check::formulaBackend(BackendKind::Cpu, problem), batch.view());
    constexpr double usualMedian = 1.1e-2;  // as CPUs with bf16 give it
    Distances theirs{std::numeric_limits<double>::infinity(), usualMedian};
    if (test::cpuHasBf16()) {
        problem.precision = Precision::Bf16;
        const auto cpu = check::formulaBackend(BackendKind::Cpu, problem);
        theirs = distancesBetween(gradientsOf(*cpu, batch.view()), exact);
    }
    problem.precision = GetParam();
    const auto cuda = emulatedBackend(problem);
    const Distances ours = distancesBetween(gradientsOf(*cuda, batch.view()), exact);
    const double digits = GetParam() == Precision::Fp16 ? 8 : 1;
    EXPECT_LT(ours.loss, 1e-3 / digits);
    EXPECT_LT(ours.median, 1.5 * theirs.median / digits);
    EXPECT_LT(ours.worst, 2 * theirs.worst / digits);
}
INSTANTIATE_TEST_SUITE_P(Types, CudaTrainingInHalves, testing::Values(Precision::Fp16, Precision::Bf16),
                         testing::PrintToStringParamName());

TEST_F(CudaTraining, TwoSharesGiveTheGradientsOfTheDoubleBatch) {
    Problem problem = smallProblem(Precision::Fp32, 8);
    problem.frozenNorm = true;
    const auto whole = emulatedBackend(problem);
    whole->computeGradients(images(0, 8).view(), [](std::size_t) {});
    problem.batchSize = 4;
    const auto half = emulatedBackend(problem);
    std::vector<float> sum(whole->gradients().size(), 0.0F);
    for (const std::size_t first : {0U, 4U}) {
        half->computeGradients(images(first, 4).view(), [](std::size_t) {});
        for (std::size_t i = 0; i < sum.size(); ++i) {
            sum[i] += half->gradients()[i] / 2;
        }
    }
    EXPECT_LT(relativeDistance(sum, whole->gradients()), 1e-6);
}

// The kernels of one pass forward and back, where nothing is fused with a convolution: 53 normalisations, of
// which 20 meet at the ends of 16 blocks.
TEST_F(CudaTraining, APassStartsNoMoreKernelsThanItNeeds) {
    const auto backend = emulatedBackend(smallProblem(Precision::Fp32));
    const std::map<std::string, int> before = emulation::launches();
    backend->computeGradients(images(0).view(), [](std::size_t) {});
    std::map<std::string, int> pass;
    for (const auto& [what, count] : emulation::launches()) {
        const auto earlier = before.find(what);
        if (const int more = count - (earlier == before.end() ? 0 : earlier->second); more > 0) {
            pass[what] = more;
        }
    }
    const std::map<std::string, int> expected{{"start batch normalisation", 48},
                                              {"start the gradient of batch normalisation", 45},
                                              {"start the gradient of the loss", 1},
                                              {"start the gradient of the mean of pixels", 1},
                                              {"start the gradient of the pooling", 1},
                                              {"start the gradients of a block's end", 4},
                                              {"start the gradients of batch normalisation", 53},
                                              {"start the loss", 1},
                                              {"start the mean of pixels", 1},
                                              {"start the normalisation of pixels", 1},
                                              {"start the pooling", 1},
                                              {"start the statistics of batch normalisation", 53},
                                              {"start the sums of a block's end", 16},
                                              {"start the sums of a gradient", 32},
                                              {"start the sums of batch normalisation", 53}};
    EXPECT_THAT(pass, testing::ContainerEq(expected));
}

TEST_F(CudaTraining, ImagesAreMirroredOnTheWay) {
    const check::FormulaBatch plain = images(0);
    check::FormulaBatch mirrored = plain;
    const std::vector<std::uint8_t> flips{0, 1};
    for (std::size_t row = 0; row < smallSize; ++row) {
        for (std::size_t x = 0; x < smallSize; ++x) {
            const std::size_t line = (smallSize + row) * smallSize;  // of the second image
            for (std::size_t c = 0; c < 3; ++c) {
                mirrored.pixels[(line + x) * 3 + c] = plain.pixels[(line + smallSize - 1 - x) * 3 + c];
            }
        }
    }
    const auto backend = emulatedBackend(smallProblem(Precision::Fp32));
    backend->computeGradients({plain.pixels, plain.labels, 7, flips}, [](std::size_t) {});
    const std::vector<float> ours(backend->gradients().begin(), backend->gradients().end());
    backend->computeGradients(mirrored.view(), [](std::size_t) {});
    EXPECT_TRUE(std::equal(ours.begin(), ours.end(), backend->gradients().begin()));
    // The slot does not keep them for the next batch.
    backend->computeGradients(plain.view(), [](std::size_t) {});
    EXPECT_FALSE(std::equal(ours.begin(), ours.end(), backend->gradients().begin()));
}

TEST_F(CudaTraining, ParametersComeBackAsTheyWereSet) {
    const auto backend = emulatedBackend(smallProblem(Precision::Fp16, 1));
    for (std::size_t i = 0; i < backend->parameters().size(); ++i) {
        EXPECT_EQ(backend->parameter(i), check::formulaWeights(backend->parameters()[i], i)) << i;
    }
}

TEST_F(CudaTraining, AnOverflowInGradientsForTheHostLowersTheLossScaleUntilThereIsNone) {
    const auto backend = emulatedBackend(smallProblem(Precision::Fp16));
    // The formula's gradients are in the thousands; with this last layer, 65536 times them is still too much,
    // but not by far.
    const std::size_t last = backend->parameters().size() - 2;
    std::vector<float> small = backend->parameter(last);
    for (float& value : small) {
        value /= 1000;
    }
    backend->setParameter(last, small);
    backend->computeGradients(images(0).view(), [](std::size_t) {});
    for (const float value : backend->gradients()) {
        ASSERT_TRUE(std::isfinite(value));
    }
}

// Steps

SgdStep someStep() {
    return {0.05F, 0.9F, 1e-3F, 1};
}

BackendFactories linkedBy(FakeLink& link) {
    return {referenceOperators, [&link](const TrainerSetup&) { return std::make_unique<FakeComm>(link); }};
}

struct Trained {
    std::vector<std::vector<float>> parameters;
    std::vector<float> losses;
};

std::vector<std::vector<float>> parametersOf(const Backend& backend) {
    std::vector<std::vector<float>> all;
    for (std::size_t i = 0; i < backend.parameters().size(); ++i) {
        all.push_back(backend.parameter(i));
    }
    return all;
}

constexpr int stepCount = 3;  // the third is where the first was

// A source's batches lie in two places in turn, so one is overwritten when the next but one is asked for.
class TwoPlaces {
public:
    Batch next() {
        check::FormulaBatch& place = places_[number_ % 2];
        place = images(number_ * smallBatch);
        return {place.pixels, place.labels, number_++};
    }
    // As a source does while a step is under way.
    void spoilOldest() {
        check::FormulaBatch& place = places_[number_ % 2];
        std::fill(place.pixels.begin(), place.pixels.end(), std::uint8_t{0});
    }

private:
    check::FormulaBatch places_[2];
    std::size_t number_ = 0;
};

Trained trainedOnTheHost(const Problem& problem, float share) {
    const auto backend = emulatedBackend(problem);
    Trained trained;
    TwoPlaces source;
    SgdStep step = someStep();
    step.gradientScale = (1 + share) / 2;
    for (int i = 0; i < stepCount; ++i) {
        backend->computeGradients(source.next(), [](std::size_t) {});
        trained.losses.push_back(backend->gradients().back());
        backend->applyGradients(step);
    }
    trained.parameters = parametersOf(*backend);
    return trained;
}

// As the trainer does, with as many steps under way as the trainer takes.
Trained trainedByLearner(const Problem& problem, std::optional<float> share) {
    FakeLink link{.share = share.value_or(1)};
    const auto backend = emulatedBackend(problem, linkedBy(link));
    MetWorld ranks(share ? 2 : 1);
    ranks.options.bucketMb = 4;
    const auto trainer = backend->makeTrainer(ranks.setup(someStep()));
    Trained trained;
    TwoPlaces source;
    int started = 0;
    for (int i = 0; i < stepCount; ++i) {
        for (; started < stepCount && started < i + trainer->depth(); ++started) {
            trainer->start(source.next());
            source.spoilOldest();
        }
        trained.losses.push_back(trainer->finish().loss);
    }
    trained.parameters = parametersOf(*backend);
    return trained;
}

struct Way {
    Schedule schedule;
    const char* name;
};

void PrintTo(const Way& way, std::ostream* out) {
    *out << way.name;
}

// The same kernels on the same numbers: the graph must give the same bits as one kernel after the other.
TEST_F(CudaTraining, StepsOnTheDeviceLearnWhatTheHostsDo) {
    const Problem problem = smallProblem(Precision::Fp32);
    const Trained expected = trainedOnTheHost(problem, 1);
    const Trained trained = trainedByLearner(problem, std::nullopt);
    EXPECT_EQ(trained.losses, expected.losses);
    EXPECT_TRUE(trained.parameters == expected.parameters);
}

class CudaSteps : public CudaTraining, public testing::WithParamInterface<Way> {};

TEST_P(CudaSteps, GradientsAreReducedBeforeTheyAreUsed) {
    const Problem problem = smallProblem(Precision::Fp32);
    // Halves are exact, so averaging first or scaling last gives the same bits. The host has no schedule.
    static const Trained expected = trainedOnTheHost(problem, 0);
    emulation::setSchedule(GetParam().schedule);
    const Trained trained = trainedByLearner(problem, 0.0F);
    for (int i = 0; i < stepCount; ++i) {
        EXPECT_EQ(2 * trained.losses[static_cast<std::size_t>(i)],
                  expected.losses[static_cast<std::size_t>(i)]);
    }
    EXPECT_TRUE(trained.parameters == expected.parameters);
}

INSTANTIATE_TEST_SUITE_P(Schedules, CudaSteps,
                         testing::Values(Way{Schedule::Lazy, "Lazy"},
                                         Way{Schedule::OthersFirst, "OthersFirst"},
                                         Way{Schedule::AtOnce, "AtOnce"}),
                         testing::PrintToStringParamName());

TEST_F(CudaTraining, AStepThatOverflowsIsSkippedAndLogged) {
    const auto backend = emulatedBackend(smallProblem(Precision::Fp16));
    MetWorld alone;
    const auto trainer = backend->makeTrainer(alone.setup(someStep()));
    const auto before = parametersOf(*backend);
    const check::FormulaBatch batch = images(0);
    trainer->start(batch.view());
    const StepOutcome outcome = trainer->finish();
    EXPECT_TRUE(outcome.skipped);
    EXPECT_EQ(outcome.lossScale, 32768);
    EXPECT_TRUE(parametersOf(*backend) == before);
}

TEST_F(CudaTraining, TheBreakdownOfAStepHasAllItsOperationsAndTeachesNothing) {
    const auto backend = emulatedBackend(smallProblem(Precision::Bf16));
    const auto before = parametersOf(*backend);
    const check::FormulaBatch batch = images(0);
    const auto shares = backend->breakdown(batch.view(), 2);
    double operations = 0;
    for (const WorkShare& share : shares) {
        EXPECT_GT(share.bytes, 0) << share.work;
        operations += share.operations;
    }
    double expected = 3.0 * 2 * smallBatch * 2048 * smallClasses;
    for (const ConvLayer& conv : makeResNet50(smallSize, smallClasses).convs) {
        // The stem's input has a fourth channel, and no gradient.
        const double passes = conv.inChannels == 3 ? 2 : 3;
        const double channels = conv.inChannels == 3 ? 4 : conv.inChannels;
        expected += passes * 2 * smallBatch * conv.outSize * conv.outSize * conv.outChannels * channels *
                    conv.kernel * conv.kernel;
    }
    EXPECT_DOUBLE_EQ(operations, expected);
    EXPECT_TRUE(parametersOf(*backend) == before);
}

// Errors

TEST_F(CudaTraining, WithoutAGpuThereIsASentence) {
    emulation::setDeviceCount(0);
    const auto make = [] { makeCudaBackend(smallProblem(Precision::Fp32), {referenceOperators, {}}); };
    EXPECT_THAT(failureOf(ExitCode::Backend, make), HasSubstr("GPU"));
}

TEST_F(CudaTraining, TooLittleMemoryNamesTheOptionsThatTakeIt) {
    emulation::setDeviceMemory(std::size_t{150} << 20);
    const auto make = [] { makeCudaBackend(smallProblem(Precision::Fp32), {referenceOperators, {}}); };
    EXPECT_THAT(failureOf(ExitCode::Memory, make), HasSubstr("--batch-size"));
}

TEST_F(CudaTraining, AnErrorWhileAStepIsRecordedLeavesNothingBehind) {
    FakeLink link;
    const auto backend = emulatedBackend(smallProblem(Precision::Fp32, 1), linkedBy(link));
    MetWorld ranks(2);
    // Three before it is recorded: for the first batch, and to reduce and be reduced.
    emulation::failNext("cudaStreamWaitEvent", cudaErrorInvalidValue, 3);
    const auto make = [&] { backend->makeTrainer(ranks.setup()); };
    EXPECT_THAT(failureOf(ExitCode::Backend, make), HasSubstr("order its work"));
}

TEST_F(CudaTraining, BrokenCommunicationIsAbortedAndEndsTrainingWithItsReason) {
    FakeLink link;
    const auto backend = emulatedBackend(smallProblem(Precision::Fp32, 1), linkedBy(link));
    MetWorld ranks(2);
    {
        const auto trainer = backend->makeTrainer(ranks.setup());
        const check::FormulaBatch batch = images(0, 1);
        trainer->start(batch.view());
        trainer->finish();
        link.broken = true;
        // The watchdog looks ten times a second, so a few steps may still come to their end.
        const auto train = [&] {
            for (;;) {
                trainer->start(batch.view());
                trainer->finish();
            }
        };
        EXPECT_THAT(failureOf(ExitCode::Communication, train), HasSubstr("the link is down"));
    }
    EXPECT_EQ(link.aborts, 1);
}

TEST_F(CudaTraining, WithoutNcclSeveralRanksAreReducedOnTheHost) {
    const auto backend = emulatedBackend(smallProblem(Precision::Fp32, 1));
    MetWorld ranks(2);
    EXPECT_EQ(backend->makeTrainer(ranks.setup()), nullptr);
    ranks.options.comm = CommKind::Nccl;
    const auto ask = [&] { backend->makeTrainer(ranks.setup()); };
    EXPECT_THAT(failureOf(ExitCode::Backend, ask), HasSubstr("--comm gloo"));
}

// Two ranks that have met, on the GPUs of the two numbers; what rank 1 then makes of it.
void expectLearnerOfItsOwn(int firstDevice, int secondDevice, bool expected) {
    emulation::setDeviceCount(2);
    FakeLink link;
    const Options options;
    FileDescriptor listener = listenAt("127.0.0.1", 0);
    World world;
    world.size = world.localSize = 2;
    world.masterPort = portOf(listener);
    const auto meet = [&](int rank, int device, FileDescriptor socket) {
        World mine = world;
        mine.rank = mine.localRank = rank;
        Rendezvous rendezvous(mine, options, std::move(socket));
        Problem problem = smallProblem(Precision::Fp32, 1);
        problem.device = device;
        const auto backend = emulatedBackend(problem, linkedBy(link));
        rendezvous.compare(mine, backend->layoutId(), backend->deviceId());
        if (rank == 1) {
            const auto trainer = backend->makeTrainer({mine, options, rendezvous, {}});
            EXPECT_EQ(trainer != nullptr, expected);
        }
        rendezvous.leave();
    };
    std::jthread first([&] { meet(0, firstDevice, std::move(listener)); });
    std::jthread second([&] { meet(1, secondDevice, {}); });
}

TEST_F(CudaTraining, ProcessesThatShareAGpuAreReducedOnTheHost) {
    expectLearnerOfItsOwn(0, 0, false);
}

TEST_F(CudaTraining, ProcessesWithGpusOfTheirOwnAreReducedFromGpuToGpu) {
    expectLearnerOfItsOwn(0, 1, true);
}

}  // namespace
}  // namespace dlperf::worker::cuda
