// SPDX-License-Identifier: Apache-2.0
#include "core/remote/last_check.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <set>
#include <vector>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/cluster/host_lists.h"

namespace dlperf::remote {
namespace {

constexpr std::string_view bootTrait = "boot";

// What changes figures, and changes only when somebody works on the machine.
std::map<std::string, std::string> traitsOf(const cluster::Node& node, const cluster::NodeFacts& facts) {
    constexpr std::int64_t gibibyte = 1LL << 30U;
    std::set<std::string> models;
    for (const cluster::GpuFacts& gpu : facts.gpus) {
        models.insert(gpu.name);
    }
    std::map<std::string, std::string> traits{
        // a container has a network of its own each time
        {std::string(bootTrait), node.inContainer() ? std::string() : facts.machine},
        {"system", facts.system},
        {"kernel", facts.kernel},
        {"processor", fmt::format("{}, {} cores", facts.processor, facts.cores)},
        {"memory", fmt::format("{} GiB", (facts.memoryBytes + gibibyte / 2) / gibibyte)},
        {"driver", facts.driver},
        {"CUDA", facts.cuda},
        {"NCCL", facts.nccl},
        {"cuDNN", facts.cudnn},
        {"GPUs", std::to_string(facts.gpus.size())},
        {"GPU models",
         join(std::vector(models.begin(), models.end()), ", ")},  // others have other UUIDs below
        {"InfiniBand", join(facts.infiniband, "; ")},
        {"Python packages", join(facts.pythonPackages, ", ")},
    };
    for (const cluster::GpuFacts& gpu : facts.gpus) {
        traits["GPU " + gpu.uuid] = fmt::format("{}, {}, ECC {}", gpu.name, gpu.memory, gpu.ecc);
    }
    return traits;
}

std::vector<std::string> changesOf(const Json& before, const std::map<std::string, std::string>& now) {
    std::vector<std::string> changes;
    const auto said = [](const std::string& text) { return text.empty() ? std::string("none") : text; };
    for (const auto& [name, value] : now) {
        if (!before.contains(name)) {  // an earlier version did not look at it
            continue;
        }
        const std::string was = textOf(before, name.c_str());
        if (was == value) {
            continue;
        }
        changes.push_back(name == bootTrait ? "it was started anew"
                                            : fmt::format("{} {}, was {}", name, said(value), said(was)));
    }
    return changes;
}

}  // namespace

void tellChanges(const std::filesystem::path& folder, const cluster::Node& node, cluster::NodeFacts& facts) {
    Sha256 checksum;  // names hold what a file system may not take
    checksum.add(fmt::format("{}\n{}\n{}\n{}", node.name, cluster::hostText(node), facts.host,
                             join(node.container, " ")));
    const auto file = folder / (checksum.digits() + ".json");
    const auto traits = traitsOf(node, facts);
    const auto before = readJsonFile(file);
    if (before && before->is_object()) {
        facts.changes = changesOf(*before, traits);
    }
    Json now(traits);
    if ((!before || now != *before) && makeFolder(folder)) {
        (void)writeFileAtomically(file, now.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
    }
}

std::filesystem::path lastChecks() {
    const char* state = std::getenv("XDG_STATE_HOME");
    return (state != nullptr && *state == '/' ? std::filesystem::path(state) : expandHome("~/.local/state")) /
           "dlperf/checks";
}

}  // namespace dlperf::remote
