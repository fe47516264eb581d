// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace dlperf::test {

// A control group of Linux, of either version, for as long as the scope; empty where none can be made.
class ControlGroup {
public:
    using Settings = std::vector<std::pair<std::string, std::string>>;  // file, value

    // `controller`: of version 1, "cpu". `name`: of several that one process has.
    ControlGroup(const std::string& controller, const Settings& first, const Settings& second,
                 const std::string& name = "test") {
        const std::string root = "/sys/fs/cgroup";
        for (const auto& [parent, settings] :
             {std::pair(root + "/" + controller, first), std::pair(root, second)}) {
            const auto folder =
                std::filesystem::path(parent) / ("dlperf_" + name + "_" + std::to_string(::getpid()));
            std::error_code error;
            std::filesystem::create_directory(folder, error);
            if (std::ranges::all_of(settings,
                                    [&](const auto& one) { return write(folder / one.first, one.second); })) {
                folder_ = folder;
                return;
            }
            std::filesystem::remove(folder, error);
        }
    }
    ~ControlGroup() {
        std::error_code error;
        std::filesystem::remove(folder_, error);
    }
    ControlGroup(const ControlGroup&) = delete;
    ControlGroup& operator=(const ControlGroup&) = delete;

    [[nodiscard]] explicit operator bool() const { return !folder_.empty(); }
    // This process joins the group.
    void enter() const { write(folder_ / "cgroup.procs", std::to_string(::getpid())); }
    // Bash: the shell joins the group, with all that it starts from then on.
    [[nodiscard]] std::string join() const {
        return "echo $BASHPID > " + (folder_ / "cgroup.procs").string();
    }
    // The number in the first of these files that is there.
    [[nodiscard]] std::size_t number(const std::vector<std::string>& files) const {
        std::size_t value = 0;
        for (const std::string& file : files) {
            if (std::ifstream(folder_ / file) >> value) {
                return value;
            }
        }
        return value;
    }

private:
    static bool write(const std::filesystem::path& file, const std::string& value) {
        if (!std::filesystem::exists(file)) {
            return false;
        }
        std::ofstream stream(file);
        stream << value << std::flush;
        return stream.good();
    }
    std::filesystem::path folder_;
};

}  // namespace dlperf::test
