// SPDX-License-Identifier: Apache-2.0
// Samples of a node, summed up over the measured iterations: known answers.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>

#include "core/run/run_noise.h"
#include "tests/support/folder.h"

namespace dlperf::run {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

class RunNoise : public testing::Test {
protected:
    std::optional<NodeNoise> of(const std::string& samples, const std::optional<SampleWindow>& window = {}) {
        std::ofstream(folder_.path() / "telemetry.csv") << samples;
        return readNoise(folder_.path() / "telemetry.csv", "node3", window);
    }
    test::Folder folder_;
};

const std::string noisyLooks =
    "host,100,90,1000,2000\n"
    "cpu,100,2,0.10,0.00,2400,60,0,0.05,dlperf\n"
    "cpu,110,2,1.90,0.10,2100,70,0,1.00,stress-ng\n"
    "cpu,112,2,1.70,0.20,2000,75,4,1.50,stress-ng\n"
    "garbage\n"
    "cpu,114,2,1.80,0.30,2200,72,0,0.70,cc1plus\n"
    "cpu,200,2,0.00,0.00,2400,60,9,0.00,\n"
    "cpu,202,2,2.0";  // torn

TEST_F(RunNoise, IsSummedUpOverTheMeasuredIterations) {
    const auto noise = of(noisyLooks, SampleWindow{110, 114});
    ASSERT_TRUE(noise);
    EXPECT_EQ(noise->node, "node3");
    EXPECT_TRUE(noise->inRange);
    EXPECT_EQ(noise->processors, 2);
    EXPECT_EQ(noise->others, 1.8);
    EXPECT_EQ(noise->othersMost, 1.9);
    EXPECT_EQ(noise->busiest, "stress-ng") << "most of all looks together";
    EXPECT_EQ(noise->stolen, 0.2);
    EXPECT_EQ(noise->clock, 2100);
    EXPECT_EQ(noise->temperature, 75);
    EXPECT_DOUBLE_EQ(noise->heat.value(), 1.0 / 3);
    EXPECT_FALSE(noise->gpuClock);
    EXPECT_THAT(noise->gpus, IsEmpty());
}

TEST_F(RunNoise, IsOfTheWholeRunWhereNoLookIsWithin) {
    const auto noise = of(noisyLooks, SampleWindow{120, 130});
    ASSERT_TRUE(noise);
    EXPECT_FALSE(noise->inRange);
    EXPECT_EQ(noise->others, 1.7);
    EXPECT_EQ(of(noisyLooks)->othersMost, 1.9);
}

// Of the seconds 111 to 115; what a look tells is of the second before it.
TEST_F(RunNoise, TellsWhatWasSentToOtherNodes) {
    std::string looks = "cpu,110,2,0.00,0.00,,,,0.00,\nhost,110,90,7,999999\nhost,116,90,7,999999\n";
    for (int time = 111; time <= 115; ++time) {
        looks += fmt::format("host,{0},90,7,{1}\nlink,{0},eth0,7,{1}\nlink,{0},mlx5_0:1,7,200\n", time,
                             1000 * (time - 110));
    }
    const SampleWindow window{110, 115};
    EXPECT_DOUBLE_EQ(of(looks, window)->sent.value(), 3000) << "IP over InfiniBand is in both";
    for (int time = 111; time <= 115; ++time) {
        looks += fmt::format("link,{},mlx5_1:1,7,40000\n", time);
    }
    EXPECT_DOUBLE_EQ(of(looks, window)->sent.value(), 200 + 40'000);
    looks += "cpu,113,2,0.00,0.00,,,,0.00,\n";
    EXPECT_FALSE(of(looks, SampleWindow{111, 115})->sent) << "four looks are too few";
}

TEST_F(RunNoise, TellsHowMuchTheProcessorsWork) {
    std::string looks = "cpu,113,2,0.00,0.00,,,,0.00,\nhost,110,3,0,0\nhost,116,3,0,0\n";
    for (int time = 111; time <= 115; ++time) {
        looks += fmt::format("host,{},{},0,0\n", time, 80 + 5 * (time - 111));
    }
    EXPECT_DOUBLE_EQ(of(looks, SampleWindow{110, 115})->cpuUse.value(), 0.9);
    EXPECT_FALSE(of(looks, SampleWindow{111, 115})->cpuUse) << "four looks are too few";
}

TEST_F(RunNoise, TellsHowMuchTheGpusOfTheRunWork) {
    std::string looks;
    for (int time = 110; time <= 115; ++time) {
        looks +=
            fmt::format("gpu,{0},0, {1}, 1410, 300, 60, 0x0, 1, 2\ngpu,{0},1, 0, 210, 60, 30, 0x0, 1, 2\n",
                        time, time == 110 ? 0 : 100 - 2 * (time - 110));
    }
    EXPECT_DOUBLE_EQ(of(looks, SampleWindow{110, 115})->gpuUse.value(), 0.94) << "the other one is nobody's";
    EXPECT_FALSE(of(looks, SampleWindow{111, 115})->gpuUse) << "four looks are too few";
}

TEST_F(RunNoise, IsNothingOfSamplesThatEarlierVersionsTook) {
    EXPECT_FALSE(of("host,100,90,1000,2000\nlink,100,eth0,1,2\n"));
    EXPECT_FALSE(of(""));
    EXPECT_FALSE(readNoise(folder_.path() / "none", "a", {}));
}

TEST_F(RunNoise, NamesNobodyWhoTookLittle) {
    EXPECT_EQ(of("cpu,1,64,8.00,0.00,,,,0.90,crond\n")->busiest, "");
}

TEST_F(RunNoise, TellsWhyEachGpuWasHeldBack) {
    const auto gpu = [](int index, const char* bits, int clock) {
        return fmt::format("gpu,5,{}, 99, {}, 400, 7{}, {}, 1, 2\n", index, clock, index, bits);
    };
    // Power cap; heat with the hardware's own word for it; the hardware alone; idle; power brake.
    const auto noise = of(gpu(0, "0x4", 1300) + gpu(0, "0x0", 1410) + gpu(1, "0x0000000000000048", 1200) +
                          gpu(2, "0x8", 1400) + gpu(3, "0x1", 1410) + gpu(4, "0x88", 1410) +
                          gpu(5, "[N/A]", 1410) + "app,6,5,python3\napp,7,5,bash\n");
    ASSERT_TRUE(noise);
    EXPECT_EQ(noise->gpuClock, 1410);
    EXPECT_EQ(noise->gpuTemperature, 75);
    ASSERT_EQ(noise->gpus.size(), 5U) << "nothing to say of the fourth";
    EXPECT_EQ(noise->gpus[0], (GpuNoise{0, 0.5, 0, 0, 0, ""}));
    EXPECT_EQ(noise->gpus[1], (GpuNoise{1, 0, 1, 0, 0, ""}));
    EXPECT_EQ(noise->gpus[2], (GpuNoise{2, 0, 0, 0, 1, ""}));
    EXPECT_EQ(noise->gpus[3], (GpuNoise{4, 0, 0, 1, 0, ""}));
    EXPECT_EQ(noise->gpus[4], (GpuNoise{5, {}, {}, {}, {}, "python3"}));
}

NodeNoise busyNode(const std::string& name, double others) {
    NodeNoise noise{.node = name, .processors = 2};
    noise.others = others;
    noise.busiest = "stress-ng";
    return noise;
}

TEST(NoiseFindings, AreOfWhatIsWorthAWord) {
    EXPECT_THAT(findingsOf({busyNode("a", 0.1)}), IsEmpty());
    const auto findings =
        findingsOf({busyNode("a", 0.3), busyNode("b", 1.84), busyNode("c", 0.05), busyNode("d", 0.4)});
    ASSERT_EQ(findings.size(), 1U) << "one of a kind";
    EXPECT_EQ(findings[0].kind, "other-processes");
    EXPECT_EQ(findings[0].what,
              "on b other processes, above all stress-ng, took 1.8 of 2 cores; likewise at 2 other places");
}

TEST(NoiseFindings, CallTheNodeWithoutANodeListThisMachine) {
    const auto findings = findingsOf({busyNode("this", 0.3)});
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].what, "on this machine other processes, above all stress-ng, took 0.3 of 2 cores");
}

TEST(NoiseFindings, OneOtherPlaceIsOne) {
    const auto findings = findingsOf({busyNode("a", 0.3), busyNode("b", 1.84)});
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_THAT(findings[0].what, EndsWith("; likewise at 1 other place"));
}

TEST(NoiseFindings, ThePowerCapAloneIsNone) {
    NodeNoise noise{.node = "a", .processors = 2};
    noise.gpus = {{.index = 3, .powerCap = 0.98}, {.index = 4, .heat = 0.5, .neighbour = "python3"}};
    const auto findings = findingsOf({noise});
    ASSERT_THAT(findings,
                ElementsAre(Field(&RunFinding::kind, "gpu-heat"), Field(&RunFinding::kind, "gpu-shared")));
    EXPECT_EQ(findings[0].what, "GPU 4 of a was held back by heat in 50 % of the time");
    EXPECT_THAT(findings[1].what, HasSubstr("used by python3"));
}

}  // namespace
}  // namespace dlperf::run
