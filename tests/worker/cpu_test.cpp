// SPDX-License-Identifier: Apache-2.0
// What of the CPU backend is no gradient.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <vector>

#include "cpu/cpu_backend.h"
#include "cpu/kernels.h"
#include "tests/worker/process.h"

namespace dlperf::worker::cpu::test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

TEST(CpuKernels, ReluKeepsWhatIsNotANumber) {
    constexpr std::size_t channels = 40;
    std::vector<float> x(channels, -1);
    x[3] = nan;
    x[33] = nan;
    x[5] = 2;
    const std::vector<float> ones(channels, 1);
    const std::vector<float> zeros(channels, 0);
    std::vector<float> y(channels);
    kernels().fp32.normRelu({1, channels}, x.data(), {ones.data(), zeros.data()}, y.data());
    for (std::size_t c = 0; c < channels; ++c) {
        if (std::isnan(x[c])) {
            EXPECT_TRUE(std::isnan(y[c])) << c;
        } else {
            EXPECT_EQ(y[c], c == 5 ? 2 : 0) << c;
        }
    }
}

// Wherever in the window it is.
TEST(CpuKernels, MaxPoolKeepsWhatIsNotANumber) {
    constexpr std::size_t channels = 40;
    for (std::size_t pixel = 0; pixel < 4; ++pixel) {
        std::vector<float> x(4 * channels, 1);
        x[pixel * channels + 7] = nan;
        std::vector<float> y(channels);
        std::vector<std::uint8_t> winner(channels);
        kernels().fp32.maxPool({1, 2, 1, channels}, x.data(), y.data(), winner.data());
        for (std::size_t c = 0; c < channels; ++c) {
            EXPECT_EQ(std::isnan(y[c]), c == 7) << pixel << " " << c;
        }
    }
}

TEST(CpuMemory, AContainersCacheOfFilesIsNotUsed) {
    const worker::test::TemporaryFolder folder;
    const auto write = [&](const std::string& name, const std::string& text) {
        std::ofstream(folder.path() + "/" + name) << text;
    };
    EXPECT_EQ(memoryOfGroup(folder.path()), std::numeric_limits<std::size_t>::max());
    std::filesystem::create_directories(folder.path() + "/memory");
    write("memory/memory.limit_in_bytes", "9000\n");
    write("memory/memory.usage_in_bytes", "8000\n");
    EXPECT_EQ(memoryOfGroup(folder.path()), 1000U);
    write("memory/memory.stat", "inactive_file 1\ntotal_inactive_file 5000\n");
    EXPECT_EQ(memoryOfGroup(folder.path()), 6000U);
    write("memory.max", "5000\n");
    write("memory.current", "4500\n");
    write("memory.stat", "anon 100\ninactive_file 4000\nactive_file 300\n");
    EXPECT_EQ(memoryOfGroup(folder.path()), 4500U);
    write("memory.max", "max\n");
    EXPECT_EQ(memoryOfGroup(folder.path()), 6000U);
}

}  // namespace
}  // namespace dlperf::worker::cpu::test
