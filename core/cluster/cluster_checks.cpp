// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/cluster_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "core/base/text.h"
#include "core/cluster/named.h"

namespace dlperf::cluster {
namespace {

constexpr double mostSkew = 1;  // s; beyond what asking leaves in doubt
constexpr double longSkew = 120;

using Reached = std::vector<const NodeAnswer*>;
using Values = std::vector<std::pair<std::string, std::string>>;  // node and what it has

// The nodes by what they have; what most have goes first.
std::vector<std::pair<std::string, std::vector<std::string>>> grouped(const Values& values) {
    std::map<std::string, std::vector<std::string>> groups;
    for (const auto& [node, value] : values) {
        groups[value].push_back(node);
    }
    std::vector<std::pair<std::string, std::vector<std::string>>> ordered(groups.begin(), groups.end());
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
    return ordered;
}

std::string wordFor(const std::string& value) {
    return value.empty() ? "none" : value;
}

// "2.7.3 on most, 2.10.3 on node3"; every node in the evidence.
std::string differences(const Values& values) {
    const auto groups = grouped(values);
    std::string text = fmt::format("{} on {}", wordFor(groups.front().first),
                                   groups.front().second.size() > groups[1].second.size() && values.size() > 2
                                       ? "most"
                                       : named(groups.front().second));
    for (std::size_t i = 1; i < groups.size() && i <= 3; ++i) {
        text += fmt::format(", {} on {}", wordFor(groups[i].first), named(groups[i].second));
    }
    return text + (groups.size() > 4 ? ", …" : "");
}

std::string listed(const Values& values) {
    std::string text;
    for (const auto& [node, value] : values) {
        text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", node, wordFor(value));
    }
    return text;
}

// One thing that every node should have alike, with the words for when it has not.
struct Alike {
    const char* title;
    std::function<std::string(const NodeAnswer&)> value;
    const char* explanation;
    const char* remedy;
    const char* command;
};

std::optional<Check> checkAlike(const Alike& alike, const Reached& nodes) {
    Values values;
    for (const NodeAnswer* node : nodes) {
        values.emplace_back(node->node.name, alike.value(*node));
    }
    const bool known =
        std::any_of(values.begin(), values.end(), [](const auto& one) { return !one.second.empty(); });
    if (values.size() < 2 || !known) {
        return std::nullopt;
    }
    if (grouped(values).size() == 1) {
        return passed(alike.title, fmt::format("{} on all {}", values.front().second, values.size()));
    }
    return Check{alike.title,    Verdict::Warning, differences(values), alike.explanation,
                 listed(values), alike.remedy,     alike.command};
}

std::string gpuText(const NodeAnswer& node) {
    const auto& gpus = node.facts->gpus;
    return gpus.empty() ? "" : fmt::format("{} x {}", gpus.size(), gpus.front().name);
}

const std::vector<Alike>& alikeWithGpus() {
    static const std::vector<Alike> all{
        {"Driver", [](const NodeAnswer& node) { return node.facts->driver; },
         "Nodes with different drivers may be of different speed, and not every CUDA runs on each.",
         "Bring the same driver to every node",
         "nvidia-smi --query-gpu=driver_version --format=csv,noheader"},
        {"CUDA", [](const NodeAnswer& node) { return node.facts->cuda; },
         "A trainer that was built for one CUDA may not start with another.",
         "Install the same CUDA everywhere", "nvcc --version"},
        {"NCCL", [](const NodeAnswer& node) { return node.facts->nccl; },
         "Different versions of NCCL do not talk to each other: the start hangs in silence.",
         "Install the same NCCL everywhere, or use one container image", "ldconfig -p | grep libnccl"},
        {"cuDNN", [](const NodeAnswer& node) { return node.facts->cudnn; },
         "Versions of cuDNN choose different algorithms; the slowest node sets the pace.",
         "Install the same cuDNN everywhere, or use one container image", "ldconfig -p | grep libcudnn"}};
    return all;
}

const Alike& alikeDevices() {
    static const Alike devices{
        "Devices", gpuText,
        "Every iteration waits for the slowest device, and a topology needs the same number on each node.",
        "Leave the other nodes out of the plan, or name the devices to use", "nvidia-smi -L"};
    return devices;
}

std::vector<Check> checkPackages(const Reached& nodes) {
    std::set<std::string> packages;
    for (const NodeAnswer* node : nodes) {
        for (const std::string& package : node->facts->pythonPackages) {
            packages.insert(package.substr(0, package.find(' ')));
        }
    }
    std::vector<Check> checks;
    for (const std::string& package : packages) {
        const auto version = [&](const NodeAnswer& node) {
            for (const std::string& one : node.facts->pythonPackages) {
                if (one.starts_with(package + " ")) {
                    return one.substr(package.size() + 1);
                }
            }
            return std::string();
        };
        const std::string command = "python3 -m pip show " + package;
        if (auto check = checkAlike(
                {package.c_str(), version,
                 "Processes with different versions of a framework may hang, or compute something else.",
                 "Install the same version everywhere, in the environment that the node's setup activates",
                 command.c_str()},
                nodes)) {
            checks.push_back(*std::move(check));
        }
    }
    return checks;
}

std::string duration(double seconds) {
    constexpr double hour = 3600;
    constexpr double day = 24 * hour;
    if (seconds < longSkew) {
        return fmt::format("{:.1f} s", seconds);
    }
    const double hours = seconds / hour;
    return fmt::format(
        "{:.0f} s ({})", seconds,
        seconds < day ? fmt::format("{:.1f} hours", hours) : fmt::format("{:.1f} days", seconds / day));
}

std::string skewText(const Clock& clock) {
    return fmt::format("{} {}", duration(std::abs(clock.ahead)), clock.ahead > 0 ? "ahead" : "behind");
}

std::optional<Check> checkClocks(const Reached& nodes) {
    double most = 0;
    std::size_t asked = 0;
    std::vector<std::string> skewed;
    for (const NodeAnswer* node : nodes) {
        const auto& clock = node->facts->clock;
        if (!clock || node->node.local) {
            continue;
        }
        ++asked;
        most = std::max(most, std::abs(clock->ahead) + clock->doubt);
        if (std::abs(clock->ahead) > mostSkew + clock->doubt) {
            skewed.push_back(fmt::format("{} is {}", node->node.name, skewText(*clock)));
        }
    }
    if (asked == 0) {
        return std::nullopt;
    }
    if (skewed.empty()) {
        return passed("Clocks", fmt::format("within {} of this machine's", duration(most)));
    }
    return Check{
        "Clocks",
        Verdict::Warning,
        named(skewed),
        "Logs of the nodes are put in order by their times, and certificates and licences look at the clock.",
        join(skewed, "\n"),
        "Let the node set its clock by the network",
        "sudo timedatectl set-ntp true    # or: sudo chronyc makestep"};
}

// Folders of the data set; counted to the end on all nodes, or as far as all were.
std::optional<Check> checkDataSets(const Reached& nodes) {
    Values paths;
    Values files;
    Values entries;
    for (const NodeAnswer* node : nodes) {
        const NodeFacts& facts = *node->facts;
        paths.emplace_back(node->node.name, node->node.dataDir);
        if (facts.dataDirExists && facts.dataFiles) {
            files.emplace_back(node->node.name, fmt::format("{} files", *facts.dataFiles));
        }
        if (facts.dataDirExists && facts.dataEntries) {
            entries.emplace_back(node->node.name, fmt::format("{} entries", *facts.dataEntries));
        }
    }
    const bool isNamed =
        std::any_of(paths.begin(), paths.end(), [](const auto& one) { return !one.second.empty(); });
    if (nodes.size() < 2 || !isNamed) {
        return std::nullopt;
    }
    Check check{
        "Data set", Verdict::Warning,
        {},         "A node with other data, or without some of it, trains on something else, or waits.",
        {},         "Make the folder the same on every node, at the same path",
        {}};
    if (grouped(paths).size() > 1) {
        check.summary = differences(paths);
        check.evidence = listed(paths);
        check.command = "ls -ld";
        for (const auto& [path, names] : grouped(paths)) {
            check.command += path.empty() ? "" : " " + shellQuote(path);
        }
        return check;
    }
    check.command = fmt::format("find -L {} -type f | wc -l", shellQuote(paths.front().second));
    const bool whole = files.size() == nodes.size();
    const Values& counts = whole ? files : entries;
    if (counts.size() > 1 && grouped(counts).size() > 1) {
        check.summary = differences(counts);
        check.evidence = listed(counts);
        return check;
    }
    if (counts.size() < nodes.size()) {
        return std::nullopt;  // a folder that is missing is the node's own check; what was not counted is no
                              // fault
    }
    return passed("Data set",
                  fmt::format("{} in {} on all {}{}", counts.front().second, paths.front().second,
                              nodes.size(), whole ? "" : "; more files than can be counted in 10 s"));
}

std::optional<Check> checkInfiniband(const Reached& nodes) {
    std::vector<std::string> with;
    std::vector<std::string> without;
    for (const NodeAnswer* node : nodes) {
        (node->facts->infiniband.empty() ? without : with).push_back(node->node.name);
    }
    if (with.empty() || nodes.size() < 2) {
        return std::nullopt;
    }
    if (without.empty()) {
        return passed("InfiniBand", fmt::format("on all {}", with.size()));
    }
    return Check{
        "InfiniBand",
        Verdict::Warning,
        fmt::format("not on {}", named(without)),
        "Nodes with and without InfiniBand talk over TCP sockets, or wait for each other at the start.",
        {},
        "Leave those nodes out, or switch InfiniBand off for all",
        "export NCCL_IB_DISABLE=1"};
}

}  // namespace

std::vector<Check> checkCluster(const std::vector<NodeAnswer>& nodes) {
    Reached reached;
    Reached withGpus;
    for (const NodeAnswer& node : nodes) {
        if (node.facts) {
            reached.push_back(&node);
            if (!node.facts->gpus.empty()) {
                withGpus.push_back(&node);
            }
        }
    }
    std::vector<Check> checks;
    const auto add = [&](std::optional<Check> check) {
        if (check) {
            checks.push_back(*std::move(check));
        }
    };
    add(checkClocks(reached));
    add(checkAlike(alikeDevices(), reached));
    for (const Alike& alike : alikeWithGpus()) {
        add(checkAlike(alike, withGpus));
    }
    for (Check& check : checkPackages(reached)) {
        checks.push_back(std::move(check));
    }
    add(checkDataSets(reached));
    add(checkInfiniband(reached));
    return checks;
}

}  // namespace dlperf::cluster
