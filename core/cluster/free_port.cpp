// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/free_port.h"

#include "core/base/node_script.h"

namespace dlperf::cluster {

std::string freePortScript(unsigned seed, const PortFiles& files) {
    using node_script::set;
    return set("seed", std::to_string(seed)) + set("ephemeral", files.ephemeral) + set("used", files.used) +
           set("used6", files.used6) + std::string(node_script::free_port);
}

}  // namespace dlperf::cluster
