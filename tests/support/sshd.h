// SPDX-License-Identifier: Apache-2.0
// A real sshd for tests, on a port of its own with keys of its own, and the client's side of it: keys, known
// hosts, a configuration.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "core/cluster/cluster.h"
#include "tests/support/folder.h"
#include "tests/support/own_ssh.h"

namespace dlperf::test {

struct SshdOptions {
    std::string settings{};                                 // lines of sshd_config that go first
    std::vector<std::string> hostKeys{"ed25519", "ecdsa"};  // the first one is known
    // Through PAM, with an own password of this test's user: the server sees copies of the account files
    // (see whyNoPasswords).
    std::string password{};
    // The lines of the PAM service, where not that password alone is asked for.
    std::string pam = "auth required pam_unix.so nodelay\n";
};

class Sshd {
public:
    explicit Sshd(const std::string& moreSettings = {}) : Sshd(SshdOptions{.settings = moreSettings}) {}
    explicit Sshd(const SshdOptions& options);
    ~Sshd();
    Sshd(const Sshd&) = delete;
    Sshd& operator=(const Sshd&) = delete;

    // Copies of the account files need root and a mount namespace. Why not; empty where it can be done.
    [[nodiscard]] static std::string whyNoPasswords();

    [[nodiscard]] int port() const { return port_; }
    [[nodiscard]] static std::string user();  // who runs the test, and may log in
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
    [[nodiscard]] std::size_t logged(const std::string& words) const;  // how often
    // A key pair with these options of ssh-keygen. The host takes it and no other.
    [[nodiscard]] std::string makeLogin(const std::string& type, const std::string& passphrase = {}) const;

private:
    void makeAccounts(const SshdOptions& options) const;
    void coverAccounts() const;

    Folder folder_;
    OwnSsh ssh_{folder_};
    int port_;
    bool passwords_;
    pid_t process_ = 0;
};

}  // namespace dlperf::test
