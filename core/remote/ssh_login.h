// SPDX-License-Identifier: Apache-2.0
// Shows a host who the user is, with as many factors as it asks for: keys of the agent and of files, then
// prompts, then a password.
#pragma once

#include <string>
#include <vector>

#include "core/remote/ssh_session.h"

namespace dlperf::remote {

enum class LoginMethod { Key, Prompts, Password };

// A factor that the host took.
struct LoginFactor {
    LoginMethod method;
    std::string key{};  // which one, of LoginMethod::Key
};

// What the host took, in that order; empty where it asked for nothing. An error of kind Work names what was
// tried, what the host takes and what the user can do. Beyond libssh2 where the ssh program has means that
// were not tried.
[[nodiscard]] SshResult<std::vector<LoginFactor>> login(SshSession& session, const SshSettings& settings,
                                                        CredentialProvider& credentials, const Limits& limits,
                                                        const std::string& where);

// "key /home/me/.ssh/id_ed25519, password", for a node's details.
[[nodiscard]] std::string describe(const std::vector<LoginFactor>& factors);

}  // namespace dlperf::remote
