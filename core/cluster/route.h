// SPDX-License-Identifier: Apache-2.0
// How a node was reached, for its details. What is not known, or does not apply, is empty.
#pragma once

#include <string>

namespace dlperf::cluster {

struct Route {
    std::string way;      // "libssh2", "ssh program"; empty: this machine
    std::string place;    // "me@10.11.0.2:22"
    std::string through;  // "bastion,me@second:2222", or the proxy command
    std::string login;    // what the host took, in its order: "key /home/me/.ssh/id_ed25519, password"
    std::string hostKey;  // "ssh-ed25519"
};

}  // namespace dlperf::cluster
