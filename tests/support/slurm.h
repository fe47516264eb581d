// SPDX-License-Identifier: Apache-2.0
// A real Slurm of a test's own (see slurm.sh), which the environment of this process names.
#pragma once

#include <cstdlib>
#include <string>

#include "core/base/text.h"
#include "tests/support/folder.h"
#include "tests/support/program.h"

namespace dlperf::test {

class OwnSlurm {
public:
    // Whether slurmctld, slurmd and munged are installed.
    [[nodiscard]] static bool isThere() {
        return std::system("PATH=$PATH:/usr/sbin; command -v slurmctld slurmd munged >/dev/null") == 0;
    }

    explicit OwnSlurm(int nodes) {
        ::setenv("SLURM_CONF", conf().c_str(), 1);
        started_ = script({"start", folder_.string(), std::to_string(nodes)});
    }
    ~OwnSlurm() {
        script({"stop", folder_.string()});
        ::unsetenv("SLURM_CONF");
    }
    OwnSlurm(const OwnSlurm&) = delete;
    OwnSlurm& operator=(const OwnSlurm&) = delete;

    [[nodiscard]] std::string trouble() const { return started_.exitCode == 0 ? "" : started_.errors; }
    [[nodiscard]] std::string conf() const { return (folder_ / "slurm.conf").string(); }

    void stopController() { script({"ctld", folder_.string(), "stop"}); }
    void startController() { script({"ctld", folder_.string(), "start"}); }
    // What a command prints, without the line's end.
    [[nodiscard]] std::string ask(const std::string& command) const {
        return std::string(trim(runProgram("sh", {"-c", command}, scratch_).output));
    }
    void tell(const std::string& command) const { (void)ask(command); }
    // A job of somebody else's on all nodes, and its number.
    [[nodiscard]] std::string occupy() const {
        return ask("sbatch --parsable -o /dev/null -N3 --exclusive --wrap 'sleep 600'");
    }

private:
    Ran script(const std::vector<std::string>& words) const {
        return runProgram(std::string(DLPERF_SOURCE_DIR) + "/tests/support/slurm.sh", words, scratch_);
    }

    Folder scratch_;
    std::filesystem::path folder_ = scratch_.path() / "slurm";
    Ran started_;
};

}  // namespace dlperf::test
