// SPDX-License-Identifier: Apache-2.0
// The keys that a user can show to a host, in the order in which ssh would: the agent's that the
// configuration names, the agent's others, then files.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/remote/ssh_settings.h"

namespace dlperf::remote {

struct SshIdentity {
    enum class Signer {
        Agent,
        Library,  // libssh2 reads the file
        Program,  // the ssh program: encrypted, certified, on a FIDO token, or RSA before libssh2 1.11
    };

    std::string label;  // for messages
    Signer signer;
    std::string publicKey;       // its bytes; may be empty for Signer::Library
    std::filesystem::path file;  // empty for the agent's
    // Of Signer::Agent: the signature as SSH wants it behind the name of the algorithm; RSA as rsa-sha2-512.
    // The agent may ask the user to confirm: allow for it. Empty where it refuses.
    std::function<std::string(std::string_view data, const Limits& limits)> sign{};
};

class SshIdentities {
public:
    SshIdentities(const SshSettings& settings, const Limits& limits);

    [[nodiscard]] const std::vector<SshIdentity>& all() const { return all_; }
    // Why keys could not be used, a sentence each; with what the user can do.
    [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }
    // A key is there that only the ssh program can show: its public half is not known here, or libssh2 cannot
    // read it.
    [[nodiscard]] bool needProgram() const { return needProgram_; }
    void leaveToProgram() { needProgram_ = true; }

private:
    void addAgent(const SshSettings& settings, const Limits& limits);
    void addFile(const std::filesystem::path& file);
    void addForProgram(const std::filesystem::path& file, const std::string& publicKey);
    [[nodiscard]] bool isOffered(const std::string& publicKey) const;

    std::vector<SshIdentity> all_;
    std::vector<std::string> problems_;
    bool needProgram_ = false;
};

}  // namespace dlperf::remote
