// SPDX-License-Identifier: Apache-2.0
// Control groups as the kernel shows them, in folders of the tests, and a real one.
#include "base/processors.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "process.h"
#include "tests/support/control_group.h"

namespace dlperf::worker::test {
namespace {

namespace fs = std::filesystem;

class Processors : public testing::Test {
protected:
    void write(const std::string& file, const std::string& text) const {
        fs::create_directories((root_ / file).parent_path());
        std::ofstream(root_ / file) << text << '\n';
    }
    // Of a process in these groups.
    [[nodiscard]] int of(const std::string& groups) const {
        write("own", groups);
        return processorsOfNode({root_ / "cgroup", root_ / "own"});
    }

    TemporaryFolder folder_;
    fs::path root_ = folder_.path();
    int online_ = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
};

TEST_F(Processors, AreAllWithoutALimit) {
    EXPECT_EQ(of("0::/user.slice"), online_) << "files of no control group";
    write("cgroup/user.slice/cpu.max", "max 100000");
    write("cgroup/cpu/job/cpu.cfs_quota_us", "-1");
    write("cgroup/cpu/job/cpu.cfs_period_us", "100000");
    EXPECT_EQ(of("0::/user.slice"), online_);
    EXPECT_EQ(of("4:cpu,cpuacct:/job"), online_);
    EXPECT_EQ(of("nonsense\n:\n::\n4:cpu\n4:cpu:\n0::relative"), online_);
    EXPECT_EQ(processorsOfNode({root_ / "none", root_ / "none"}), online_);
    write("cgroup/cpu.max", "9000000000000000000 1");
    EXPECT_EQ(of("0::/"), online_);
}

TEST_F(Processors, AreAsManyAsTheQuotaKeepsBusy) {
    write("cgroup/a/b/cpu.max", "50000 100000");
    EXPECT_EQ(of("0::/a/b"), 1) << "rounded up";
    EXPECT_EQ(of("0::/a/b/inner"), 1) << "a group around it";
    EXPECT_EQ(of("0::/a"), online_);
    write("cgroup/c/cpu.max", "150000 100000");
    EXPECT_EQ(of("0::/c"), std::min(2, online_)) << "rounded up";
    write("cgroup/cpu/job/cpu.cfs_quota_us", "1000");
    write("cgroup/cpu/job/cpu.cfs_period_us", "100000");
    EXPECT_EQ(of("7:memory:/job\n4:cpu,cpuacct:/job/step"), 1);
    EXPECT_EQ(of("7:memory:/job\n4:cpuacct:/job"), online_) << "not the controller of CPU time";
}

TEST_F(Processors, OfAContainerAreThoseOfItsOwnGroupAtTheRoot) {
    write("cgroup/cpu.max", "100000 100000");
    EXPECT_EQ(of("0::/docker/4711"), 1);
    EXPECT_EQ(of("0::/../../job"), 1) << "outside of its namespace";
}

TEST_F(Processors, OfAJobAreItsSet) {
    write("cgroup/cpuset/slurm/job7/cpuset.effective_cpus", "3");
    EXPECT_EQ(of("5:cpuset:/slurm/job7"), 1);
    write("cgroup/slurm/job8/cpuset.cpus.effective", "0-1,4,6-9");
    EXPECT_EQ(of("0::/slurm/job8"), std::min(7, online_));
    write("cgroup/slurm/job8/cpuset.cpus.effective", "5-5");
    EXPECT_EQ(of("0::/slurm/job8"), 1);
    write("cgroup/slurm/job8/cpuset.cpus.effective", "9-2");
    EXPECT_EQ(of("0::/slurm/job8"), online_);
}

// In a child, which is alone in the group for a moment. Where none can be made, its limit is this process's.
TEST_F(Processors, OfARealGroupAreItsQuota) {
    const dlperf::test::ControlGroup group("cpu",
                                           {{"cpu.cfs_period_us", "100000"}, {"cpu.cfs_quota_us", "40000"}},
                                           {{"cpu.max", "40000 100000"}});
    const int here = processorsOfNode();
    EXPECT_GE(here, 1);
    EXPECT_LE(here, online_);
    const pid_t child = ::fork();
    if (child == 0) {
        if (group) {
            group.enter();
        }
        ::_exit(processorsOfNode());
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), group ? 1 : here);
}

}  // namespace
}  // namespace dlperf::worker::test
