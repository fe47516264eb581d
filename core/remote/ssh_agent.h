// SPDX-License-Identifier: Apache-2.0
// The user's ssh-agent. libssh2 1.10 can talk to it too, but asks for RSA signatures with SHA-1 only.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/descriptor.h"
#include "core/remote/transport.h"

namespace dlperf::remote {

struct AgentKey {
    std::string publicKey;
    std::string comment;  // cleaned
};

class SshAgent {
public:
    // Nothing where nobody listens.
    [[nodiscard]] static std::optional<SshAgent> connect(const std::filesystem::path& socket);

    // Empty where the agent does not answer.
    [[nodiscard]] std::vector<AgentKey> keys(const Limits& limits) const;
    // As PrivateKey::sign. The agent may ask the user to confirm: allow for it. Empty where it refuses.
    [[nodiscard]] std::string sign(const std::string& publicKey, std::string_view data,
                                   const Limits& limits) const;

private:
    explicit SshAgent(Descriptor socket) : socket_(std::move(socket)) {}
    // The body of the answer behind its type; nothing for another type.
    [[nodiscard]] std::optional<std::string> ask(const std::string& request, char wanted,
                                                 const Limits& limits) const;
    [[nodiscard]] std::optional<std::string> receive(std::size_t bytes, const Limits& limits) const;

    Descriptor socket_;
};

}  // namespace dlperf::remote
