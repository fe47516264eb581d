// SPDX-License-Identifier: Apache-2.0
// Two recorded machines: DLPerf's own (eight V100, driver 440.33, as its OneFlow report of 2020-08-21 prints
// it: blanks between the columns) and one with eight B300 (driver 590.44: tabs, escapes, NUMA columns, NIC
// legend; from a public SGLang environment report).
#include "core/cluster/topology_matrix.h"

#include <gmock/gmock.h>

#include "core/base/file.h"

namespace dlperf::cluster {
namespace {

using testing::HasSubstr;

TopologyMatrix recorded(const std::string& name) {
    const auto text = readFile(std::filesystem::path(DLPERF_RECORDED) / name);
    auto matrix = parseTopologyMatrix(text.value());
    EXPECT_TRUE(matrix) << (matrix ? "" : describe(matrix.error()));
    return matrix.value_or(TopologyMatrix{});
}

TEST(TopologyMatrix, ReadsDlperfsOwnMachine) {
    const TopologyMatrix matrix = recorded("topo_v100_dlperf_2020.txt");
    ASSERT_EQ(matrix.devices.size(), 9U);
    EXPECT_EQ(matrix.devices[8].name, "mlx5_0");
    EXPECT_FALSE(matrix.devices[8].isGpu());
    EXPECT_EQ(matrix.cells[0][0].link, Link::Self);
    EXPECT_EQ(matrix.cells[1][5].link, Link::NvLink);
    EXPECT_EQ(matrix.cells[1][5].nvLinks, 2);
    EXPECT_EQ(matrix.cells[0][8].link, Link::Node);
    EXPECT_EQ(matrix.cells[2][8].link, Link::Pix);
    EXPECT_EQ(matrix.cells[4][8].link, Link::Sys);
    EXPECT_EQ(matrix.devices[0].cpuAffinity, "0-11,24-35");
    EXPECT_EQ(matrix.devices[7].cpuAffinity, "12-23,36-47");
    EXPECT_EQ(matrix.devices[8].cpuAffinity, "");
    for (std::size_t row = 0; row < matrix.devices.size(); ++row) {
        for (std::size_t column = 0; column < row; ++column) {
            EXPECT_EQ(matrix.cells[row][column].text, matrix.cells[column][row].text);
        }
    }
}

TEST(TopologyMatrix, ReadsTodaysDriver) {
    const TopologyMatrix matrix = recorded("topo_b300_driver_590.txt");
    ASSERT_EQ(matrix.devices.size(), 17U);
    EXPECT_EQ(matrix.devices[0].name, "GPU0");
    EXPECT_EQ(matrix.cells[0][1].nvLinks, 18);
    EXPECT_EQ(matrix.cells[4][12].link, Link::Pxb);
    EXPECT_EQ(matrix.devices[5].cpuAffinity, "64-127,192-255");
    EXPECT_EQ(matrix.devices[5].numaAffinity, "1");
    EXPECT_EQ(matrix.devices[16].adapter, "mlx5_bond_0");
    EXPECT_EQ(matrix.devices[8].title(), "mlx5_10");
}

TEST(TopologyMatrix, OldDriversCalledTheSocketLinkSoc) {
    const auto matrix =
        parseTopologyMatrix("\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tSOC\t0-13\nGPU1\tSOC\t X \t14-27\n");
    ASSERT_TRUE(matrix);
    EXPECT_EQ(matrix->cells[0][1].link, Link::Sys);
    EXPECT_EQ(matrix->cells[0][1].text, "SOC");
}

TEST(TopologyMatrix, UnknownWordsAreKeptAndBounded) {
    const auto matrix =
        parseTopologyMatrix("\tGPU0\tGPU1\nGPU0\t X \tC2C\nGPU1\t" + std::string(1000, 'N') + "\t X \n");
    ASSERT_TRUE(matrix);
    EXPECT_EQ(matrix->cells[0][1].link, Link::Other);
    EXPECT_EQ(matrix->cells[0][1].text, "C2C");
    EXPECT_LE(matrix->cells[1][0].text.size(), 12U);
}

TEST(TopologyMatrix, SaysWhatIsMissing) {
    const auto none = parseTopologyMatrix("NVIDIA-SMI has failed because it couldn't communicate");
    ASSERT_FALSE(none);
    EXPECT_THAT(describe(none.error()), HasSubstr("no topology matrix"));
    const auto cut = parseTopologyMatrix("\tGPU0\tGPU1\nGPU0\t X \tNV1\n");
    ASSERT_FALSE(cut);
    EXPECT_THAT(describe(cut.error()), HasSubstr("no row for GPU1"));
    std::string wide = "\tGPU0";
    for (std::size_t i = 1; i <= mostTopologyDevices; ++i) {
        wide += "\tGPU" + std::to_string(i);
    }
    EXPECT_FALSE(parseTopologyMatrix(wide + "\n"));
}

TEST(TopologyMatrix, ItsTextIsReadAgain) {
    const TopologyMatrix matrix = recorded("topo_v100_dlperf_2020.txt");
    const std::string text = toText(matrix);
    EXPECT_THAT(text, HasSubstr("GPU1    NV1     X       NV2"));
    EXPECT_EQ(text.find(" \n"), std::string::npos);
}

}  // namespace
}  // namespace dlperf::cluster
