// SPDX-License-Identifier: Apache-2.0
// Shows a host who the user is, with as many factors as it asks for: keys of the agent and of files, then
// prompts, then a password.
#pragma once

#include "core/remote/ssh_session.h"

namespace dlperf::remote {

// What the host took, in that order: "key /home/me/.ssh/id_ed25519, password". An error of kind Work names
// what was tried, what the host takes and what the user can do. Beyond libssh2 where the ssh program has
// means that were not tried.
[[nodiscard]] SshResult<std::string> login(SshSession& session, const SshSettings& settings,
                                           CredentialProvider& credentials, const Limits& limits,
                                           const std::string& where);

}  // namespace dlperf::remote
