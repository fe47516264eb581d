// SPDX-License-Identifier: Apache-2.0
// Lines in nvidia-smi's own writing become samples and charts.
#include <gmock/gmock.h>

#include "core/report/telemetry_chart.h"
#include "tests/support/folder.h"

namespace dlperf::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Samples, AGpuAsNvidiaSmiPrintsIt) {
    const auto sample =
        telemetry::parseSample("gpu,1732250000,3, 97, 1410, 391.20, 64, 0x0000000000000004, 70000, 81920");
    ASSERT_TRUE(sample);
    const auto& gpu = std::get<telemetry::GpuSample>(*sample);
    EXPECT_EQ(gpu.time, 1732250000);
    EXPECT_EQ(gpu.index, 3);
    EXPECT_EQ(gpu.use, 97);
    EXPECT_EQ(gpu.clock, 1410);
    EXPECT_EQ(gpu.power, 391.2);
    EXPECT_EQ(gpu.temperature, 64);
    EXPECT_EQ(gpu.isThrottled(), true) << "the power cap";
    EXPECT_EQ(gpu.memoryUsed, 70000);
    EXPECT_EQ(gpu.memoryAll, 81920);
}

TEST(Samples, WhatAGpuDoesNotKnowIsMissing) {
    const auto sample = telemetry::parseSample(
        "gpu,1732250000,0, [N/A], 1410, [Not Supported], 64, [N/A], [Unknown Error], 81920\r");
    ASSERT_TRUE(sample);
    const auto& gpu = std::get<telemetry::GpuSample>(*sample);
    EXPECT_FALSE(gpu.use || gpu.power || gpu.isThrottled() || gpu.memoryUsed);
    EXPECT_EQ(gpu.memoryAll, 81920);
}

TEST(Samples, ThePeakOfAFileIsTheFullestGpuAndTheLargestProcess) {
    const test::Folder folder;
    const auto peakOf = [&](const std::string& text) {
        folder.write("telemetry.csv", text);
        return telemetry::peakMemory(folder.path() / "telemetry.csv");
    };
    const auto gpu = [](int index, const std::string& used) {
        return "gpu,1," + std::to_string(index) + ", 97, 1410, 391.20, 64, 0x0, " + used + ", 81920\n";
    };
    EXPECT_FALSE(peakOf("").gpu || peakOf("host,1,37,1024,2048\n").gpu || peakOf(gpu(0, "[N/A]")).gpu);
    EXPECT_FALSE(telemetry::peakMemory(folder.path() / "none").gpu);
    EXPECT_FALSE(peakOf(gpu(0, "1") + "memory,1,x\nmemory,1\n").process);
    EXPECT_EQ(peakOf(gpu(0, "100") + gpu(1, "300") + gpu(0, "200") + "gpu,2,0, 97").gpu, 300);
    EXPECT_EQ(peakOf(std::string(5000, 'x') + gpu(0, "9") + "\n\n" + gpu(0, "7")).gpu, 7)
        << "a line is bounded";
    const auto both = peakOf("memory,1,1830\nmemory,3,2040\n" + gpu(0, "100") + "memory,5,12\n");
    EXPECT_EQ(both.process, 2040);
    EXPECT_EQ(both.gpu, 100);
}

TEST(Samples, AnIdleGpuIsNotThrottled) {
    const auto sample = telemetry::parseSample("gpu,1,0, 0, 210, 60, 30, 0x0000000000000001, 0, 81920");
    EXPECT_EQ(std::get<telemetry::GpuSample>(*sample).isThrottled(), false);
}

TEST(Samples, WhatIsNoLineIsNone) {
    for (const char* line : {"",
                             "host",
                             "host,1,2,3",
                             "host,1,2,3,x",
                             "host,x,1,2,3",
                             "host,1,-2,3,4",
                             "gpu,1,0, 97",
                             "gpu,1,x, 97, 1, 1, 1, 0x0, 1, 1",
                             "host,1e300,1,2,3",
                             "host,1,nan,2,3",
                             "disk,1,2,3,4",
                             "link,1,eth0,2",
                             "link,1,,2,3",
                             "No devices were found",
                             "cpu,1,0,1.00,0.00,,,,0.50,x",
                             "cpu,1,2,,0.00,,,,0.50,x",
                             "cpu,1,2,1.00,0.00,,,,0.50",
                             "cpu,1,2,1.00,0.00,,,,0.50,a,b",
                             "app,1,0,",
                             "app,1,x,python3"}) {
        EXPECT_FALSE(telemetry::parseSample(line)) << line;
    }
}

TEST(Samples, WhatOthersDoOnANode) {
    const auto sample = telemetry::parseSample("cpu,1732250000,2,1.80,0.25,2100,71,3,1.75,stress-ng");
    ASSERT_TRUE(sample);
    const auto& cpu = std::get<telemetry::CpuSample>(*sample);
    EXPECT_EQ(cpu.time, 1732250000);
    EXPECT_EQ(cpu.processors, 2);
    EXPECT_EQ(cpu.others, 1.8);
    EXPECT_EQ(cpu.stolen, 0.25);
    EXPECT_EQ(cpu.clock, 2100);
    EXPECT_EQ(cpu.temperature, 71);
    EXPECT_EQ(cpu.throttles, 3);
    EXPECT_EQ(cpu.busy, 1.75);
    EXPECT_EQ(cpu.busiest, "stress-ng");
    const auto virtualMachine = telemetry::parseSample("cpu,1732250000,2,0.00,0.00,,,,0.00,");
    ASSERT_TRUE(virtualMachine);
    const auto& few = std::get<telemetry::CpuSample>(*virtualMachine);
    EXPECT_FALSE(few.clock || few.temperature || few.throttles);
    EXPECT_EQ(few.busiest, "");
    const auto app = telemetry::parseSample("app,1732250000,3,python3");
    ASSERT_TRUE(app);
    EXPECT_EQ(std::get<telemetry::AppSample>(*app).gpu, 3);
    EXPECT_EQ(std::get<telemetry::AppSample>(*app).name, "python3");
}

std::vector<Sample> pointsOf(const TelemetryChart& chart, Quantity quantity, std::size_t node = 0) {
    const auto samples = chart.chart(quantity).series.at(node).samples;
    return samples->between(0, 1e9, 1'000'000);
}

const std::string twoGpus =
    "gpu,100,0, 90, 1400, 300, 60, 0x4, 1024, 81920\n"
    "gpu,100,1, 70, 1200, 200, 70, 0x0, 1024, 81920\n"
    "host,101,40,1000000,2000000\n"
    "gpu,101,0, 80, 1400, 310, 61, 0x0, 2048, 81920\n"
    "gpu,101,1, 80, 1400, 210, 65, 0x0, 2048, 81920\n"
    "host,102,50,0,500000\n"
    "gpu,102,0, 80, 1400, 310, 61, 0x0, 2048, 81920\n";

TEST(TelemetryChart, LinksOfANodeThatHasSeveralAreToldApart) {
    TelemetryChart chart({"a", "b"});
    chart.feed(0, "host,100,1,1000000,0\nlink,100,eth0,1000000,0\nlink,100,mlx5_0:1,9000000,3000000\n");
    chart.feed(1, "host,100,1,2000000,0\nlink,100,eth0,2000000,0\n");
    const ChartSpec network = chart.chart(Quantity::Network);
    ASSERT_EQ(network.series.size(), 3U);
    EXPECT_EQ(network.series[0].title, "a, eth0");
    EXPECT_EQ(network.series[1].title, "a, mlx5_0:1");
    EXPECT_EQ(network.series[2].title, "b");
    EXPECT_EQ(pointsOf(chart, Quantity::Network, 1).at(0).y, 12);
    EXPECT_EQ(pointsOf(chart, Quantity::Network, 2).at(0).y, 2);
    EXPECT_EQ(chart.chart(Quantity::Cpu).series.size(), 2U);
}

TEST(TelemetryChart, TakesTheGpusOfANodeTogether) {
    TelemetryChart chart({"a", "b"});
    chart.feed(0, twoGpus);
    const auto use = pointsOf(chart, Quantity::GpuUse);
    ASSERT_EQ(use.size(), 2U) << "the third second is not whole";
    EXPECT_EQ(use[0].x, 0);
    EXPECT_EQ(use[0].y, 80);
    EXPECT_EQ(pointsOf(chart, Quantity::GpuPower)[0].y, 500);
    EXPECT_EQ(pointsOf(chart, Quantity::GpuTemperature)[0].y, 70);
    EXPECT_EQ(pointsOf(chart, Quantity::GpuMemory)[1].y, 4);
    EXPECT_EQ(pointsOf(chart, Quantity::GpuThrottled)[0].y, 50);
    EXPECT_EQ(pointsOf(chart, Quantity::Cpu)[0].y, 40);
    EXPECT_EQ(pointsOf(chart, Quantity::Network)[0].y, 3);
    EXPECT_THAT(pointsOf(chart, Quantity::GpuUse, 1), IsEmpty());
}

TEST(TelemetryChart, OffersWhatThereIs) {
    TelemetryChart chart({"a"});
    EXPECT_THAT(chart.quantities(), IsEmpty());
    chart.feed(0, "host,1,2,3,4\nhost,2,2,3,4\n");
    EXPECT_THAT(chart.quantities(), ElementsAre(Quantity::Cpu, Quantity::Network));
}

TEST(TelemetryChart, ShowsWhatOtherProcessesTake) {
    TelemetryChart chart({"a"});
    chart.feed(0, "cpu,10,2,1.50,0.00,,,,1.00,x\napp,11,0,y\ncpu,12,2,0.50,0.00,,,,0.10,x\n");
    EXPECT_THAT(chart.quantities(), ElementsAre(Quantity::OtherProcesses));
    const auto points = pointsOf(chart, Quantity::OtherProcesses);
    ASSERT_EQ(points.size(), 2U);
    EXPECT_EQ(points[0].y, 1.5);
    EXPECT_EQ(points[1].x, 2);
}

TEST(TelemetryChart, DoesNotDependOnTheChunksAndSurvivesGarbage) {
    TelemetryChart whole({"a"});
    whole.feed(0, twoGpus);
    TelemetryChart pieces({"a"});
    const std::string log = std::string(5000, 'x') + "\n" + twoGpus;
    for (const char c : log) {
        pieces.feed(0, {&c, 1});
    }
    for (std::size_t i = 0; i < quantityCount; ++i) {
        const auto expected = pointsOf(whole, static_cast<Quantity>(i));
        const auto found = pointsOf(pieces, static_cast<Quantity>(i));
        ASSERT_EQ(found.size(), expected.size()) << i;
        for (std::size_t k = 0; k < found.size(); ++k) {
            EXPECT_EQ(found[k].y, expected[k].y);
        }
    }
}

}  // namespace
}  // namespace dlperf::report
