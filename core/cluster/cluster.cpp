// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/cluster.h"

namespace dlperf::cluster {

Result<Cluster> readCluster(const std::filesystem::path& path) {
    const auto json = readJsonFile(path);
    return json ? clusterFromJson(*json, path.string()) : Failure(json.error());
}

Cluster thisMachine() {
    Node node;
    node.name = "this";
    node.local = true;
    return {"this machine", {node}};
}

}  // namespace dlperf::cluster
