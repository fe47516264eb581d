// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace dlperf::cluster {

// Where the kernel of the node says which ports are its own and which are in use.
struct PortFiles {
    std::string ephemeral = "/proc/sys/net/ipv4/ip_local_port_range";
    std::string used = "/proc/net/tcp";
    std::string used6 = "/proc/net/tcp6";
};
// Prints a TCP port that nothing listens on or is bound to: outside the ephemeral range if there is one, else
// inside; prints nothing if there is none at all.
[[nodiscard]] std::string freePortScript(unsigned seed, const PortFiles& files = {});

}  // namespace dlperf::cluster
