// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/cluster.h"

#include <array>
#include <cstdio>
#include <memory>
#include <string_view>

namespace dlperf::cluster {
namespace {

// A driver that hangs must not hang us: timeout(1) bounds the question.
int gpusHere() {
    struct Close {
        void operator()(std::FILE* pipe) const { ::pclose(pipe); }
    };
    const std::unique_ptr<std::FILE, Close> pipe(::popen("timeout 10 nvidia-smi -L 2>/dev/null", "r"));
    if (!pipe) {
        return 0;
    }
    int gpus = 0;
    std::array<char, 512> line{};
    while (std::fgets(line.data(), line.size(), pipe.get()) != nullptr) {
        gpus += std::string_view(line.data()).starts_with("GPU ") ? 1 : 0;
    }
    return gpus;
}

}  // namespace

Result<Cluster> readCluster(const std::filesystem::path& path) {
    const auto json = readJsonFile(path);
    return json ? clusterFromJson(*json, path.string()) : Failure(json.error());
}

Cluster thisMachine() {
    const int gpus = gpusHere();
    Node node;
    node.name = "this";
    node.local = true;
    node.devices = gpus > 0 ? gpus : cpuProcesses;
    return Cluster{"this machine", {node}};
}

}  // namespace dlperf::cluster
