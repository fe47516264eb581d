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

class CpuMemory : public testing::Test {
protected:
    void write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((root_ / name).parent_path());
        std::ofstream(root_ / name) << text;
    }
    // Of a process in these groups.
    [[nodiscard]] std::size_t of(const std::string& groups) const {
        write("own", groups);
        return memoryOfGroups({root_ / "cgroup", root_ / "own"});
    }

    worker::test::TemporaryFolder folder_;
    std::filesystem::path root_ = folder_.path();
};

TEST_F(CpuMemory, AContainersCacheOfFilesIsNotUsed) {
    EXPECT_EQ(of("4:memory:/docker/4711\n"), noLimit);
    write("cgroup/memory/memory.limit_in_bytes", "9000\n");
    write("cgroup/memory/memory.usage_in_bytes", "8000\n");
    EXPECT_EQ(of("4:memory:/docker/4711\n"), 1000U);
    write("cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 5000\n");
    EXPECT_EQ(of("4:memory:/docker/4711\n"), 6000U);
    write("cgroup/memory.max", "5000\n");
    write("cgroup/memory.current", "4500\n");
    write("cgroup/memory.stat", "anon 100\ninactive_file 4000\nactive_file 300\n");
    EXPECT_EQ(of("0::/\n"), 4500U);
    EXPECT_EQ(of("4:memory:/\n0::/\n"), 4500U);
    write("cgroup/memory.max", "max\n");
    EXPECT_EQ(of("4:memory:/\n0::/\n"), 6000U);
}

TEST_F(CpuMemory, AJobsGroupsLimitIt) {
    write("cgroup/slurm/job7/memory.max", "5000\n");
    write("cgroup/slurm/job7/memory.current", "1000\n");
    write("cgroup/slurm/job7/step0/memory.max", "max\n");
    write("cgroup/slurm/job7/step0/memory.current", "900\n");
    EXPECT_EQ(of("0::/slurm/job7/step0\n"), 4000U) << "a group around it";
    EXPECT_EQ(of("0::/slurm/job8\n"), noLimit);
    write("cgroup/memory/slurm/job7/memory.limit_in_bytes", "3000\n");
    write("cgroup/memory/slurm/job7/memory.usage_in_bytes", "1000\n");
    EXPECT_EQ(of("4:cpu:/slurm/job7\n3:memory:/slurm/job7\n"), 2000U);
    EXPECT_EQ(of("4:cpu:/slurm/job7\n"), noLimit) << "not the controller of memory";
}

}  // namespace
}  // namespace dlperf::worker::cpu::test
