// SPDX-License-Identifier: Apache-2.0
// A node reached by the system's ssh program, for what libssh2 cannot do: encrypted keys, RSA keys
// before 1.11, FIDO keys, certificates, Kerberos, hosts that speak no method of its. All commands share one
// connection (ControlMaster); it ends with this object, or by itself when nothing was run for a minute.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>

#include "core/remote/back_off.h"
#include "core/remote/credentials.h"
#include "core/remote/earlier_login.h"

namespace dlperf::remote {

class SshProgram {
public:
    explicit SshProgram(cluster::Node node, std::shared_ptr<CredentialCache> cache = {});
    ~SshProgram();
    SshProgram(const SshProgram&) = delete;
    SshProgram& operator=(const SshProgram&) = delete;

    // As Transport::run; the call that connects takes its time for that besides, and the user's for what the
    // program asks.
    [[nodiscard]] Result<CommandResult> run(const Command& command, const Limits& limits);

    // Of the last connection; the program does not say which key the host took.
    [[nodiscard]] cluster::Route route() const;

private:
    [[nodiscard]] Result<void> ensureConnected(const Limits& limits);
    [[nodiscard]] Result<void> connect(const std::stop_token& stop);
    [[nodiscard]] Result<void> makeFolder();
    [[nodiscard]] Result<void> learnHostKey(const SshSettings& settings, CredentialProvider& credentials,
                                            const Limits& limits);
    [[nodiscard]] Result<void> logIn(const SshSettings& settings, CredentialProvider& credentials,
                                     const std::stop_token& stop);
    [[nodiscard]] Result<void> startMaster(const SshSettings& settings, CredentialProvider& credentials,
                                           const std::stop_token& stop);
    [[nodiscard]] bool isConnected() const;
    void disconnect();
    [[nodiscard]] std::string program(const SshSettings& settings) const;
    [[nodiscard]] std::string session(const std::string& line) const;
    [[nodiscard]] Result<CommandResult> runInSession(const Command& command, const Limits& limits);
    void kill(pid_t leader) const;
    [[nodiscard]] bool isKilling() const;

    cluster::Node node_;
    std::shared_ptr<CredentialCache> cache_;
    std::string where_;
    std::filesystem::path folder_;  // of the control socket and the host's key; ours alone

    mutable std::mutex mutex_;
    std::condition_variable_any free_;
    EarlierLogin earlierLogin_;  // of the call that connects
    // Under the mutex.
    bool connecting_ = false;
    bool lost_ = false;
    DeadlinePause pause_;
    int sessions_ = 0;  // under way
    BackOff backOff_;
    cluster::Route route_{.way = "ssh program", .place = {}, .through = {}, .login = {}, .hostKey = {}};
};

}  // namespace dlperf::remote
