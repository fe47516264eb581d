// SPDX-License-Identifier: Apache-2.0
// What of the CPU backend is no gradient.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "cpu/cpu_backend.h"
#include "tests/worker/process.h"

namespace dlperf::worker::cpu::test {
namespace {

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
