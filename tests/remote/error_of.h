// SPDX-License-Identifier: Apache-2.0
// What a user is told who cannot get in.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "core/remote/ssh_transport.h"

namespace dlperf::remote {

// Why nothing can be run on the node, or an empty text where it can.
inline std::string errorOf(SshTransport& transport) {
    const auto result = transport.run({"true", {}}, {std::chrono::seconds(60), {}});
    return result ? "" : describe(result.error());
}

inline std::string errorOf(const cluster::Node& node, const std::shared_ptr<CredentialCache>& answers = {}) {
    SshTransport transport(node, answers);
    return errorOf(transport);
}

}  // namespace dlperf::remote
