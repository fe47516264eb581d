// SPDX-License-Identifier: Apache-2.0
// The client's side of SSH in a test: an ssh program first on PATH that reads the configuration in the test's
// folder instead of the user's, no agent, and keys.
#pragma once

#include <string>

#include "tests/support/folder.h"

namespace dlperf::test {

// Until the end of the scope. The folder's file "config" is the configuration.
class OwnSsh {
public:
    explicit OwnSsh(const Folder& folder);
    ~OwnSsh();
    OwnSsh(const OwnSsh&) = delete;
    OwnSsh& operator=(const OwnSsh&) = delete;

private:
    std::string pathBefore_;
    std::string agentBefore_;
};

// FILE and FILE.pub in the folder, with these options of ssh-keygen -t.
void makeKey(const Folder& folder, const std::string& file, const std::string& type,
             const std::string& passphrase = {});
// "ssh-ed25519 AAAA…" of FILE.pub.
[[nodiscard]] std::string publicKey(const Folder& folder, const std::string& file);

}  // namespace dlperf::test
