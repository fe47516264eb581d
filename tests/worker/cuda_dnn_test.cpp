// SPDX-License-Identifier: Apache-2.0
// cuDNN's part of the GPU backend, as far as it goes without a GPU: graphs and plans for described devices,
// the choice among plans with given times, and the plans that are kept on disk. No test uses a GPU, even
// where there is one, and none needs a driver.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <ostream>
#include <set>
#include <sstream>

#include "base/numbers.h"
#include "cuda/dnn/convolution_graphs.h"
#include "cuda/dnn/cudnn_operators.h"
#include "cuda/dnn/plan_search.h"
#include "cuda/net/choose_fusion.h"
#include "failures.h"
#include "net/resnet50.h"

// In place of the C library's: as strict as on NFS, where who wants a file for itself must have it open for
// writing.
extern "C" int flock(int file, int operation) noexcept {
    if ((operation & LOCK_EX) != 0 && (::fcntl(file, F_GETFL) & O_ACCMODE) == O_RDONLY) {
        errno = EBADF;
        return -1;
    }
    return static_cast<int>(::syscall(SYS_flock, file, operation));
}

namespace dlperf::worker::cuda::dnn {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

// Before CUDA is used for the first time.
const bool devicesHidden = setenv("CUDA_VISIBLE_DEVICES", "-1", 1) == 0;

// What cuDNN wants to know of a GPU to make plans for it where there is none: the same numbers as CUDA's
// device attributes, in the form that CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION takes; all 23 keys are
// required. They decide which engines fit; times cannot be told from them. Only plans of precompiled engines
// can be made: others compile at run time and load what they compiled, for which a driver has to be there.
struct DeviceDescription {
    int computeCapability;  // 100 * major + 10 * minor: 900 is sm_90
    const char* numbers;    // of its own

    std::string json() const {
        return "{\"deviceVer\":" + std::to_string(computeCapability) + "," + numbers +
               // What all GPUs from sm_80 to sm_90 have in common.
               R"("driverVer":13000,"reservedSharedMemoryPerBlock":1024,"regsPerBlock":65536,"warpSize":32,)"
               R"("maxSharedMemoryPerBlock":49152,"maxRegistersPerSM":65536,"maxCtasPerSM":32,)"
               R"("maxThreadsPerBlock":1024,"maxThreadsPerSM":2048,"pciDeviceId":0,"cudaDeviceId":0,)"
               R"("isTccDriver":0,"supportCoopLaunch":1,"maxGridSize":[2147483647,65535,65535],)"
               R"("maxBlockSize":[1024,1024,64]})";
    }
};

// From data sheets, not read off a device.
constexpr DeviceDescription describedH200{
    900, R"("deviceName":"NVIDIA H200","multiProcessorCount":132,"totalGlobalMem":150000000000,)"
         R"("l2CacheSize":62914560,"maxSharedMemoryPerBlockOptin":232448,)"
         R"("smClockRateKHz":1980000,"memClockRateKHz":3201000,)"};
constexpr DeviceDescription describedA100{
    800, R"("deviceName":"NVIDIA A100-SXM4-80GB","multiProcessorCount":108,"totalGlobalMem":85000000000,)"
         R"("l2CacheSize":41943040,"maxSharedMemoryPerBlockOptin":166912,)"
         R"("smClockRateKHz":1410000,"memClockRateKHz":1593000,)"};

constexpr int graphBatch = 256;

std::set<ConvolutionShape> shapesOfResNet50() {
    std::set<ConvolutionShape> shapes;
    for (const ConvLayer& layer : makeResNet50(224, 1000).convs) {
        shapes.insert(shapeOf(layer, graphBatch));
    }
    return shapes;
}

bool isStem(const ConvolutionShape& shape) {
    return shape.kernel == 7;
}

// 3x3, of the second stage.
ConvolutionShape someShape() {
    return {.batch = graphBatch,
            .inChannels = 128,
            .outChannels = 128,
            .inSize = 28,
            .outSize = 28,
            .kernel = 3,
            .stride = 1,
            .padding = 1};
}

// The first candidate of which a plan within the usual limit can be made, of those that need not be
// compiled.
std::optional<ExecutionPlan> anyPlan(const Target& target, const Graph& graph) {
    for (const Candidate& candidate : candidatesFor(target, graph)) {
        if (candidate.compilesAtRunTime || !candidate.deterministic) {
            continue;
        }
        std::optional<ExecutionPlan> plan = ExecutionPlan::make(target, graph, candidate.choice);
        if (plan && plan->workspaceBytes() <= SearchLimits{}.workspaceBytes) {
            return plan;
        }
    }
    return std::nullopt;
}

// Counts graphs that have a plan and names those that have none.
class Census {
public:
    Census(const DeviceDescription& device, Precision type) : target_(device.json()), type_(type) {}

    void add(const Operators::Wanted& one) {
        const Graph graph = convolutionGraph(target_, one, type_);
        ++graphs_;
        if (!anyPlan(target_, graph)) {
            without_.push_back(graph.key());
        }
    }
    void expectPlansOf(std::size_t graphs) const {
        EXPECT_THAT(without_, testing::IsEmpty());
        EXPECT_EQ(graphs_, graphs);
        testing::Test::RecordProperty("graphs", static_cast<int>(graphs_));
    }

private:
    Target target_;
    Precision type_;
    std::size_t graphs_ = 0;
    std::vector<std::string> without_;
};

struct PlanCase {
    DeviceDescription device;
    Precision type = Precision::Fp16;
};

std::string nameOfDevice(const DeviceDescription& device) {
    return "sm_" + std::to_string(device.computeCapability / 10);
}

// CTest's names of the tests end with it.
void PrintTo(const PlanCase& each, std::ostream* out) {
    *out << nameOfDevice(each.device) << ' ' << toString(each.type);
}

std::vector<PlanCase> planCases() {
    std::vector<PlanCase> cases;
    for (const DeviceDescription& device : {describedH200, describedA100}) {
        for (const Precision type : {Precision::Fp16, Precision::Bf16, Precision::Tf32, Precision::Fp32}) {
            cases.push_back({device, type});
        }
    }
    return cases;
}

class ConvolutionPlans : public testing::TestWithParam<PlanCase> {};

TEST_P(ConvolutionPlans, EveryConvolutionOfResNet50HasThem) {
    Census census(GetParam().device, GetParam().type);
    for (const ConvolutionShape& shape : shapesOfResNet50()) {
        census.add({Pass::Forward, shape});
        census.add({Pass::WeightGradient, shape});
        if (!isStem(shape)) {
            census.add({Pass::DataGradient, shape});
        }
    }
    census.expectPlansOf(3 * shapesOfResNet50().size() - 1);
}

INSTANTIATE_TEST_SUITE_P(Described, ConvolutionPlans, testing::ValuesIn(planCases()), [](const auto& each) {
    return nameOfDevice(each.param.device) + "_" + toString(each.param.type);
});

// All fused graphs are of fp16.
class FusedPlans : public testing::TestWithParam<PlanCase> {};

bool joinsForward(const Operators::Wanted& one) {
    return one.pass == Pass::BlockForwardStatistics || one.pass == Pass::DualForwardStatistics;
}

TEST_P(FusedPlans, AllThatTheNetworkAsksForHasThem) {
    Census census(GetParam().device, Precision::Fp16);
    std::vector<Operators::Wanted> wanted = wantedFused(makeResNet50(224, 1000), graphBatch);
    // Only Hopper has what reads two tensors in front of a convolution.
    if (GetParam().device.computeCapability < 900) {
        std::erase_if(wanted, joinsForward);
    }
    for (const Operators::Wanted& one : wanted) {
        census.add(one);
    }
    census.expectPlansOf(wanted.size());
    EXPECT_GT(wanted.size(), 60U);
}

// The first convolutions of all blocks behind the first one, each with whether the shortcut in front of it is
// stored.
std::set<std::pair<ConvolutionShape, bool>> blockFronts() {
    const ResNet50 net = makeResNet50(224, 1000);
    std::set<std::pair<ConvolutionShape, bool>> fronts;
    for (std::size_t block = 1; block < net.blocks.size(); ++block) {
        const ConvLayer& layer = net.convs[static_cast<std::size_t>(net.blocks[block].conv1)];
        const bool stored = net.blocks[block - 1].downsample == Bottleneck::none;
        fronts.insert({shapeOf(layer, graphBatch), stored});
    }
    return fronts;
}

// Every convolution but the stem; those inside blocks also with what is in front of them.
TEST(WantedFused, IsOfEveryConvolutionButTheStem) {
    const ResNet50 net = makeResNet50(224, 1000);
    std::map<Pass, std::set<ConvolutionShape>> asked;
    for (const auto& [pass, shape] : wantedFused(net, graphBatch)) {
        asked[pass].insert(shape);
    }
    std::set<ConvolutionShape> all = shapesOfResNet50();
    std::erase_if(all, isStem);
    std::set<ConvolutionShape> inside;
    for (const Bottleneck& block : net.blocks) {
        for (const int index : {block.conv2, block.conv3}) {
            inside.insert(shapeOf(net.convs[static_cast<std::size_t>(index)], graphBatch));
        }
    }
    EXPECT_EQ(asked.at(Pass::ForwardStatistics), all);
    EXPECT_EQ(asked.at(Pass::NormForwardStatistics), inside);
    EXPECT_EQ(asked.at(Pass::NormWeightGradient), inside);
    EXPECT_EQ(asked.at(Pass::DataNormGradient), inside);
    std::set<ConvolutionShape> behindBlock, behindDual;
    for (const auto& [shape, stored] : blockFronts()) {
        (stored ? behindBlock : behindDual).insert(shape);
    }
    EXPECT_EQ(asked.at(Pass::BlockDataNormGradient), behindBlock);
    EXPECT_EQ(asked.at(Pass::DualDataNormGradient), behindDual);
    EXPECT_EQ(asked.at(Pass::BlockForwardStatistics), behindBlock);
    EXPECT_EQ(asked.at(Pass::DualForwardStatistics), behindDual);
}

// Any memory for each of a fused pass's tensors, none twice.
LayerTensors distinctTensors(std::vector<float>& memory) {
    memory.resize(16384);
    std::size_t used = 0;
    const auto vector = [&] { return memory.data() + (used += 256); };
    const auto halves = [&] { return reinterpret_cast<__half*>(vector()); };
    LayerTensors tensors{halves(), halves(), halves(), vector(), halves()};
    for (NormInFront* const front : {&tensors.front, &tensors.around}) {
        front->norm = {vector(), vector(), vector(), vector(), vector(), vector(), vector()};
        front->norm.folded = {halves(), halves()};
        front->parameters = {vector(), vector()};
        front->gradients = {vector(), vector()};
    }
    tensors.blockOutput = halves();
    tensors.otherGradient = halves();
    tensors.shortcut = halves();
    return tensors;
}

TEST_P(FusedPlans, AreGivenAllOfTheirTensorsAndNoOthers) {
    const Target target(GetParam().device.json());
    std::vector<float> memory;
    const LayerTensors tensors = distinctTensors(memory);
    for (const Pass pass : {Pass::Forward, Pass::DataGradient, Pass::WeightGradient, Pass::ForwardStatistics,
                            Pass::NormForwardStatistics, Pass::BlockForwardStatistics,
                            Pass::DualForwardStatistics, Pass::NormWeightGradient, Pass::DataNormGradient,
                            Pass::BlockDataNormGradient, Pass::DualDataNormGradient}) {
        const Operators::Wanted one{pass, someShape()};
        std::set<Uid> expected;
        const Graph graph = convolutionGraph(target, one, Precision::Fp16);
        for (const GraphTensor& tensor : graph.tensors()) {
            expected.insert(tensor.uid);
        }
        std::set<Uid> given;
        std::set<void*> places;
        for (const Binding& binding : bindingsOf(graph, one.shape, tensors)) {
            EXPECT_NE(binding.data, nullptr);
            given.insert(binding.uid);
            places.insert(binding.data);
        }
        EXPECT_EQ(given, expected);
        EXPECT_EQ(places.size(), expected.size());
    }
}

INSTANTIATE_TEST_SUITE_P(Described, FusedPlans,
                         testing::Values(PlanCase{describedH200}, PlanCase{describedA100}),
                         [](const auto& each) { return nameOfDevice(each.param.device); });

TEST(Graph, KnowsItsKeyAndItsTensors) {
    const Target target(describedH200.json());
    const Graph graph = convolutionGraph(target, {Pass::WeightGradient, someShape()}, Precision::Bf16);
    EXPECT_EQ(graph.key(), "weight-gradient bf16 n256 c128 k128 in28 out28 r3 s1 p1");
    std::map<Uid, std::size_t> bytes;
    for (const GraphTensor& tensor : graph.tensors()) {
        bytes[tensor.uid] = tensor.bytes();
    }
    const std::map<Uid, std::size_t> expected{{Uid::Input, 2UL * 256 * 28 * 28 * 128},
                                              {Uid::Output, 2UL * 256 * 28 * 28 * 128},
                                              {Uid::Filter, 2UL * 128 * 3 * 3 * 128}};
    EXPECT_EQ(bytes, expected);
}

TEST(Graph, TheStemIsPaddedToFourChannels) {
    const ConvolutionShape stem = shapeOf(makeResNet50(224, 1000).convs[0], graphBatch);
    EXPECT_EQ(stem.text(), "n256 c4 k64 in224 out112 r7 s2 p3");
}

TEST(Graph, WhatCuDnnRefusesIsASentence) {
    const Target target(describedH200.json());
    ConvolutionShape wrong = someShape();
    wrong.outSize = 99;
    const auto make = [&] { convolutionGraph(target, {Pass::Forward, wrong}, Precision::Fp16); };
    EXPECT_THAT(failureOf(ExitCode::Backend, make),
                testing::AllOf(HasSubstr("cuDNN cannot make"), HasSubstr("CUDNN_STATUS_BAD_PARAM"),
                               testing::Not(HasSubstr("\n"))));
}

// Whether the candidates' engines use tensor cores, each asked anew.
std::set<bool> tensorCoresOf(const Target& target, const Graph& graph) {
    std::set<bool> found;
    for (const Candidate& candidate : candidatesFor(target, graph)) {
        Descriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
        engine.set(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph.descriptor());
        engine.set(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, candidate.choice.engine);
        target.setDescription(engine, CUDNN_ATTR_ENGINE_DEVICEPROP);
        engine.finalize("an engine");
        const auto notes = engine.values<cudnnBackendNumericalNote_t>(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE,
                                                                      CUDNN_NUMERICAL_NOTE_TYPE_COUNT);
        found.insert(testing::Value(notes, testing::Contains(CUDNN_NUMERICAL_NOTE_TENSOR_CORE)));
    }
    return found;
}

TEST(Candidates, TensorCoresAreForTf32AndNotForFp32) {
    for (const DeviceDescription& device : {describedH200, describedA100}) {
        const Target target(device.json());
        const Graph exact = convolutionGraph(target, {Pass::Forward, someShape()}, Precision::Fp32);
        const Graph rounded = convolutionGraph(target, {Pass::Forward, someShape()}, Precision::Tf32);
        EXPECT_EQ(tensorCoresOf(target, exact), std::set<bool>{false});
        EXPECT_TRUE(tensorCoresOf(target, rounded).contains(true));
    }
}

// cuDNN proposes some plans for it that are not deterministic.
Graph graphOfBothKinds(const Target& target) {
    return convolutionGraph(target, {Pass::WeightGradient, someShape()}, Precision::Tf32);
}

TEST(Candidates, EachIsThereOnceAndDeterministicOnesAreInFront) {
    const Target target(describedA100.json());
    const std::vector<Candidate> candidates = candidatesFor(target, graphOfBothKinds(target));
    const auto deterministic = [](const Candidate& candidate) { return candidate.deterministic; };
    EXPECT_TRUE(std::is_partitioned(candidates.begin(), candidates.end(), deterministic));
    EXPECT_TRUE(candidates.front().deterministic);
    EXPECT_FALSE(candidates.back().deterministic);
    std::set<EngineChoice> choices;
    for (const Candidate& candidate : candidates) {
        choices.insert(candidate.choice);
    }
    EXPECT_EQ(choices.size(), candidates.size());
}

TEST(EngineChoice, IsTheSameAfterItsText) {
    const EngineChoice plain{7, {}};
    const EngineChoice tuned{63, {{27, 1}, {2, 12}}};
    EXPECT_EQ(tuned.text(), "63 27=1 2=12");
    EXPECT_EQ(EngineChoice::parse(plain.text()), plain);
    EXPECT_EQ(EngineChoice::parse(tuned.text()), tuned);
    for (const char* wrong : {"", " ", "x", "-1", "63 ", "63 27", "63 27=", "63 27=1x", "63  27=1", "63=1",
                              "99999999999999999999", "63 27=-1"}) {
        EXPECT_EQ(EngineChoice::parse(wrong), std::nullopt) << wrong;
    }
}

// Plans take what a function says.
struct GivenTimes {
    std::function<std::optional<double>(const ExecutionPlan&)> function;
    std::map<EngineChoice, int> asked{};  // how many times each plan was timed

    std::optional<double> operator()(const ExecutionPlan& plan, double) {
        ++asked[plan.choice()];
        return function(plan);
    }
};

// A graph with many plans.
struct Choosing : testing::Test {
    Target target{describedH200.json()};
    Graph graph = convolutionGraph(target, {Pass::WeightGradient, someShape()}, Precision::Fp16);
    std::vector<Candidate> candidates = candidatesFor(target, graph);
    SearchLimits limits;

    // Nothing where no plan is chosen.
    std::optional<EngineChoice> choose(GivenTimes& timer) const {
        const auto plan = choosePlan(target, graph, candidates, limits, std::ref(timer));
        return plan ? std::optional(plan->choice()) : std::nullopt;
    }
};

TEST_F(Choosing, TakesTheFastest) {
    const EngineChoice fast = candidates.at(3).choice;
    GivenTimes timer{[&](const ExecutionPlan& plan) { return plan.choice() == fast ? 0.001 : 0.002; }};
    EXPECT_EQ(choose(timer), fast);
    EXPECT_EQ(timer.asked.size(), candidates.size());
}

TEST_F(Choosing, PassesOverPlansThatFail) {
    const EngineChoice working = candidates.at(2).choice;
    GivenTimes timer{[&](const ExecutionPlan& plan) {
        return plan.choice() == working ? std::optional(0.5) : std::nullopt;
    }};
    EXPECT_EQ(choose(timer), working);
    GivenTimes failing{[](const ExecutionPlan&) { return std::nullopt; }};
    EXPECT_FALSE(choose(failing));
}

TEST_F(Choosing, IsNotMisledByOneTiming) {
    const EngineChoice steady = candidates.at(1).choice;
    int turn = 0;
    GivenTimes timer{[&](const ExecutionPlan& plan) {
        const bool lucky = ++turn % 5 == 1;
        return plan.choice() == steady ? 0.002 : (lucky ? 0.001 : 0.003);
    }};
    EXPECT_EQ(choose(timer), steady);
}

TEST_F(Choosing, TimesHopelessPlansOnce) {
    const EngineChoice first = candidates.at(0).choice;
    GivenTimes timer{[&](const ExecutionPlan& plan) { return plan.choice() == first ? 0.001 : 0.1; }};
    ASSERT_TRUE(choose(timer));
    for (const auto& [choice, count] : timer.asked) {
        EXPECT_EQ(count, choice == first ? limits.timings : 1);
    }
}

TEST_F(Choosing, WithoutTimingsTheFirstThatWorksIsTaken) {
    limits.timings = 0;
    GivenTimes timer{[&](const ExecutionPlan& plan) {
        return plan.choice() == candidates.at(0).choice ? std::nullopt : std::optional(0.5);
    }};
    EXPECT_EQ(choose(timer), candidates.at(1).choice);
    EXPECT_EQ(timer.asked.size(), 2U);
    EXPECT_FALSE(timer.asked.contains(candidates.at(2).choice));
}

TEST_F(Choosing, KeepsToTheLimits) {
    limits.workspaceBytes = 0;
    GivenTimes timer{[](const ExecutionPlan& plan) {
        EXPECT_EQ(plan.workspaceBytes(), 0U);
        return 0.001;
    }};
    ASSERT_TRUE(choose(timer));
    EXPECT_LT(timer.asked.size(), candidates.size());

    limits = {};
    limits.plans = 3;
    GivenTimes few{[](const ExecutionPlan&) { return 0.001; }};
    ASSERT_TRUE(choose(few));
    EXPECT_EQ(few.asked.size(), 3U);
}

TEST_F(Choosing, OthersThanDeterministicPlansAreALastResort) {
    target = Target(describedA100.json());
    graph = graphOfBothKinds(target);
    candidates = candidatesFor(target, graph);
    std::map<EngineChoice, bool> deterministic;
    for (const Candidate& candidate : candidates) {
        deterministic[candidate.choice] = candidate.deterministic;
    }
    GivenTimes slow{[&](const ExecutionPlan& plan) { return deterministic.at(plan.choice()) ? 0.9 : 0.1; }};
    const auto preferred = choose(slow);
    ASSERT_TRUE(preferred);
    EXPECT_TRUE(deterministic.at(*preferred));

    GivenTimes failing{[&](const ExecutionPlan& plan) {
        return deterministic.at(plan.choice()) ? std::nullopt : std::optional(0.1);
    }};
    const auto last = choose(failing);
    ASSERT_TRUE(last);
    EXPECT_FALSE(deterministic.at(*last));
}

TEST(Fastest, TiesGoToTheSmallerWorkspace) {
    EXPECT_EQ(fastest({}), std::nullopt);
    const std::vector<PlanTime> times{{0.00200, 0}, {0.00100, 9}, {0.001009, 5}, {0.001005, 5}, {0.00102, 1}};
    EXPECT_EQ(fastest(times), 3U);
    EXPECT_EQ(median({3, 1, 2}), 2);
    EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
}

// A folder of its own for each test.
class Cache : public testing::Test {
protected:
    Cache() {
        std::string pattern = (fs::temp_directory_path() / "dnn-cache-XXXXXX").string();
        folder = ::mkdtemp(pattern.data());
    }
    ~Cache() override { fs::remove_all(folder); }

    std::string contents() const {
        std::ifstream file(PlanCache(folder, machine).path());
        std::stringstream text;
        text << file.rdbuf();
        return text.str();
    }
    void overwrite(const std::string& text) const {
        std::ofstream(PlanCache(folder, machine).path()) << text;
    }
    // A file with two plans.
    void fill() const {
        PlanCache cache(folder, machine);
        cache.remember("forward a", {1, {{2, 3}}});
        cache.remember("forward b", {4, {}});
        ASSERT_TRUE(cache.save());
    }

    fs::path folder;
    const std::string machine = "NVIDIA H200-cudnn-91900-driver-580.95.05, CUDA 13000";
};

TEST_F(Cache, WhatIsSavedIsFoundAgain) {
    fill();
    const PlanCache cache(folder, machine);
    EXPECT_EQ(cache.find("forward a"), (EngineChoice{1, {{2, 3}}}));
    EXPECT_EQ(cache.find("forward b"), (EngineChoice{4, {}}));
    EXPECT_EQ(cache.find("forward c"), std::nullopt);
    EXPECT_EQ(cache.path().filename(), "plans-NVIDIA-H200-cudnn-91900-driver-580.95.05--CUDA-13000.txt");
}

TEST_F(Cache, AFolderIsMadeAndAMissingFileIsNothingToSpeakOf) {
    PlanCache cache(folder / "not" / "yet", machine);
    cache.remember("forward a", {1, {}});
    EXPECT_TRUE(cache.save());
    EXPECT_TRUE(PlanCache(folder / "not" / "yet", machine).find("forward a"));
}

TEST_F(Cache, ABrokenFileIsIgnoredAndThenReplaced) {
    fill();
    const std::string whole = contents();
    const std::string broken[] = {"", "\n", "nonsense", std::string("\0\xff\n", 3), "x" + whole};
    for (const std::string& text : broken) {
        overwrite(text);
        PlanCache cache(folder, machine);
        EXPECT_FALSE(cache.find("forward a")) << text;
        cache.remember("forward c", {5, {}});
        EXPECT_TRUE(cache.save());
        const PlanCache again(folder, machine);
        EXPECT_TRUE(again.find("forward c"));
    }
}

TEST_F(Cache, ALineThatIsNoPlanIsPassedOver) {
    fill();
    std::string text = contents();
    text.insert(text.find("forward b"), "forward x\tone\nforward y\n\t\n\n");
    overwrite(text + "end\n");
    const PlanCache cache(folder, machine);
    EXPECT_TRUE(cache.find("forward a"));
    EXPECT_TRUE(cache.find("forward b"));
    EXPECT_FALSE(cache.find("forward x"));
    EXPECT_FALSE(cache.find("forward y"));
    EXPECT_FALSE(cache.find(""));
}

TEST_F(Cache, OtherVersionsHaveOtherFiles) {
    fill();
    EXPECT_FALSE(PlanCache(folder, "NVIDIA H200-cudnn-92000-driver-580.95.05, CUDA 13000").find("forward a"));
}

TEST_F(Cache, WhereItCannotBeWrittenItSaysSo) {
    std::ofstream(folder / "file") << "no folder";
    PlanCache cache(folder / "file", machine);
    cache.remember("forward a", {1, {}});
    EXPECT_FALSE(cache.save());
}

// Saves plans one by one, as a process of its own; the exit status is how often it could not.
pid_t startWriter(const fs::path& folder, const std::string& machine, int writer, int plans) {
    const pid_t child = fork();
    if (child != 0) {
        return child;
    }
    int failed = 0;
    PlanCache cache(folder, machine);
    for (int plan = 0; plan < plans; ++plan) {
        cache.remember("writer " + std::to_string(writer) + " plan " + std::to_string(plan), {plan, {}});
        if (!cache.save()) {
            ++failed;
        }
    }
    _exit(failed);
}

// The last one's file stays, whole.
TEST_F(Cache, WritersReplaceEachOthersFile) {
    constexpr int writers = 3;
    constexpr int planCount = 20;
    std::vector<pid_t> children;
    children.reserve(writers);
    for (int writer = 0; writer < writers; ++writer) {
        children.push_back(startWriter(folder, machine, writer, planCount));
    }
    for (const pid_t child : children) {
        int status = -1;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
    const PlanCache cache(folder, machine);
    int whole = 0;
    for (int writer = 0; writer < writers; ++writer) {
        const std::string key = "writer " + std::to_string(writer) + " plan ";
        whole += cache.find(key + std::to_string(planCount - 1)) && cache.find(key + "0") ? 1 : 0;
    }
    EXPECT_GE(whole, 1);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1) << "no other file";
}

// A process that a signal ends while it tries a plan.
void tryAndDie(const fs::path& folder, const std::string& machine, const EngineChoice& choice, int signal) {
    const pid_t child = fork();
    if (child == 0) {
        PlanCache cache(folder, machine);
        cache.beginTrial("forward a", {7, {}});
        cache.endTrial();
        cache.beginTrial("forward a", choice);
        std::raise(signal);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), signal);
}

TEST_F(Cache, APlanThatEndedItsProcessIsNotTriedAgain) {
    const EngineChoice deadly{8, {{1, 2}}};
    tryAndDie(folder, machine, deadly, SIGKILL);
    for (int start = 0; start < 2; ++start) {  // and stays so
        PlanCache cache(folder, machine);
        EXPECT_FALSE(cache.beginTrial("forward a", deadly));
        EXPECT_TRUE(cache.beginTrial("forward b", deadly));
        PlanCache other(folder, machine);
        EXPECT_TRUE(other.beginTrial("forward b", deadly)) << "who tries it lives";
        other.endTrial();
        cache.endTrial();
        EXPECT_TRUE(cache.beginTrial("forward a", {7, {}}));
        cache.endTrial();
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1)
        << "trials that ended leave nothing but this one";
}

TEST_F(Cache, APlanUnderTrialWhenTheRunWasCancelledIsTriedAgain) {
    const EngineChoice innocent{8, {{1, 2}}};
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        tryAndDie(folder, machine, innocent, signal);
        PlanCache cache(folder, machine);
        EXPECT_TRUE(cache.beginTrial("forward a", innocent)) << signal;
        cache.endTrial();
    }
    EXPECT_TRUE(fs::is_empty(folder));
}

// A run that times fewer would leave slow ones for all later runs.
TEST(PlanSearch, TimesAsManyPlansAsUsualOrNone) {
    EXPECT_EQ(planSearchFrom(std::nullopt), PlanSearch::Fastest);
    EXPECT_EQ(planSearchFrom("0"), PlanSearch::First);
    for (const char* const text : {"8", "", "none", "00"}) {
        EXPECT_THAT(failureOf(ExitCode::Usage, [&] { planSearchFrom(text); }),
                    HasSubstr("DLPERF_WORKER_PLANS must be 0"));
    }
}

// Of one graph, all of whose plans take as long.
class CachedPlans : public Cache {
protected:
    ExecutionPlan findIn(PlanCache& plans) { return findPlan(target, graph, limits, std::ref(timer), plans); }

    Target target{describedH200.json()};
    Graph graph = convolutionGraph(target, {Pass::Forward, someShape()}, Precision::Bf16);
    SearchLimits limits;
    GivenTimes timer{[](const ExecutionPlan&) { return 0.001; }};
    PlanCache cache{folder, machine};
};

TEST_F(CachedPlans, OneThatWasNotTimedIsNotKept) {
    limits.timings = 0;
    findIn(cache);
    EXPECT_FALSE(cache.find(graph.key()));
}

TEST_F(CachedPlans, OneIsChosenOnceAndThenFound) {
    limits.plans = 4;
    const ExecutionPlan chosen = findIn(cache);
    EXPECT_EQ(timer.asked.size(), 4U);
    ASSERT_TRUE(cache.save());

    PlanCache next(folder, machine);
    timer.asked.clear();
    const ExecutionPlan found = findIn(next);
    EXPECT_EQ(found.choice(), chosen.choice());
    EXPECT_EQ(found.workspaceBytes(), chosen.workspaceBytes());
    EXPECT_TRUE(timer.asked.empty());
}

TEST_F(CachedPlans, OneThatIsNoneIsReplaced) {
    cache.remember(graph.key(), {99999, {{2, 1}}});
    const ExecutionPlan plan = findIn(cache);
    EXPECT_NE(plan.choice().engine, 99999);
    EXPECT_EQ(cache.find(graph.key()), plan.choice());
}

TEST_F(CachedPlans, WithoutAnyTheGraphIsNamed) {
    timer.function = [](const ExecutionPlan&) { return std::nullopt; };
    EXPECT_THAT(failureOf(ExitCode::Backend, [&] { findIn(cache); }), HasSubstr(graph.key()));
}

TEST(DefaultFolder, FollowsTheEnvironment) {
    setenv("XDG_CACHE_HOME", "/somewhere", 1);
    EXPECT_EQ(PlanCache::defaultFolder(), "/somewhere/dlperf-worker");
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", "/home/someone", 1);
    EXPECT_EQ(PlanCache::defaultFolder(), "/home/someone/.cache/dlperf-worker");
    unsetenv("XDG_CACHE_HOME");
    EXPECT_EQ(PlanCache::defaultFolder(), "/home/someone/.cache/dlperf-worker");
}

TEST(WithoutGpu, StartingEndsWithASentence) {
    ASSERT_TRUE(devicesHidden);
    EXPECT_THAT(failureOf(ExitCode::Backend, [] { Target(cudaStream_t{}); }),
                HasSubstr("cuDNN cannot start"));
    EXPECT_THAT(failureOf(ExitCode::Backend, [] { thisMachine(); }), HasSubstr("CUDA"));
}

TEST(DescribedDevice, ThatIsIncompleteIsRefusedWithASentence) {
    const DeviceDescription nameless{900, ""};
    EXPECT_THAT(failureOf(ExitCode::Backend, [&] { Target(nameless.json()); }),
                HasSubstr("a described device"));
}

}  // namespace
}  // namespace dlperf::worker::cuda::dnn
