// SPDX-License-Identifier: Apache-2.0
// Shows a host who the user is: keys of the agent, then key files, as many factors as the host asks for.
#pragma once

#include "core/remote/ssh_session.h"

namespace dlperf::remote {

// An error of kind Work names the methods that the host takes and the keys that were tried.
[[nodiscard]] Result<void> login(SshSession& session, const SshSettings& settings, const Limits& limits,
                                 const std::string& where);

}  // namespace dlperf::remote
