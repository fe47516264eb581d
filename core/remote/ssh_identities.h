// SPDX-License-Identifier: Apache-2.0
// The keys that a user can show to a host, in the order in which ssh would: the agent's that the
// configuration names, the agent's others, then files.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/remote/ssh_asker.h"

namespace dlperf::remote {

struct SshIdentity {
    std::string label;  // for messages
    // Both may ask the user for a passphrase. Empty where that fails, which problems() explains.
    std::function<std::string()> publicKey;
    std::function<std::string(std::string_view data)> sign;
};

class SshIdentities {
public:
    SshIdentities(const SshSettings& settings, SshAsker& asker, const Limits& limits);

    [[nodiscard]] const std::vector<SshIdentity>& all() const { return all_; }
    // Why keys could not be used, a sentence each; with what the user can do.
    [[nodiscard]] const std::vector<std::string>& problems() const { return *problems_; }
    // A key is there that only the ssh program can use: on a FIDO token, or with a certificate.
    [[nodiscard]] bool needProgram() const { return needProgram_; }

private:
    void addAgent(const SshSettings& settings, SshAsker& asker, const Limits& limits);
    void addFile(const std::filesystem::path& file, SshAsker& asker);

    std::vector<SshIdentity> all_;
    std::vector<std::string> offered_;  // public keys
    std::shared_ptr<std::vector<std::string>> problems_ = std::make_shared<std::vector<std::string>>();
    bool needProgram_ = false;
};

}  // namespace dlperf::remote
