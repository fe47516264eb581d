// SPDX-License-Identifier: Apache-2.0
// A real sshd for tests, on a port of its own with keys of its own, and the client's side of it: keys, known
// hosts, a configuration, and an ssh program first on PATH that reads this configuration instead of the
// user's.
#pragma once

#include <sys/types.h>

#include <string>

#include "core/cluster/cluster.h"
#include "tests/support/folder.h"

namespace dlperf::test {

class Sshd {
public:
    explicit Sshd(const std::string& moreSettings = {});
    ~Sshd();
    Sshd(const Sshd&) = delete;
    Sshd& operator=(const Sshd&) = delete;

    [[nodiscard]] int port() const { return port_; }
    // A node that the configuration calls "box" and this server lets in.
    [[nodiscard]] cluster::Node node() const;
    [[nodiscard]] const Folder& folder() const { return folder_; }

    void start();
    void stop();  // and its connections
    // The client's files anew.
    void writeKnownHosts(const std::string& text) const { folder_.write("known_hosts", text); }
    void writeConfig(const std::string& more) const;
    [[nodiscard]] std::string hostKey(const std::string& type) const;  // "ssh-ed25519 AAAA…"
    [[nodiscard]] std::string log() const;

private:
    void makeKey(const std::string& file, const std::string& type) const;

    Folder folder_;
    int port_;
    pid_t process_ = 0;
    std::string pathBefore_;
    std::string agentBefore_;
};

}  // namespace dlperf::test
