// SPDX-License-Identifier: Apache-2.0
// One login that all calls to a node share. A thread of its own owns the session: it connects when the first
// command comes, runs several at once, and connects again after a loss, later and later while nobody answers.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/base/descriptor.h"
#include "core/remote/back_off.h"
#include "core/remote/earlier_login.h"
#include "core/remote/ssh_files.h"

namespace dlperf::remote {

class SshConnection {
public:
    // Without a cache nobody can be asked: what needs the user fails with a sentence.
    explicit SshConnection(cluster::Node node, std::shared_ptr<CredentialCache> cache = {});
    ~SshConnection();
    SshConnection(const SshConnection&) = delete;
    SshConnection& operator=(const SshConnection&) = delete;

    // As Transport::run. At the deadline or a stop the call ends at once, and the process group is killed as
    // soon as the host can be told. While the user is asked something the deadline waits for him.
    [[nodiscard]] Result<CommandResult> run(const Command& command, const Limits& limits);

    // The last connection failed for what the ssh program may be able to do.
    [[nodiscard]] bool isBeyondLibrary() const { return beyondLibrary_; }

    // The last login took a single key: another one asks the user nothing.
    [[nodiscard]] bool asksNobody() const { return asksNobody_; }

    // Of the last login; before there was one only the way.
    [[nodiscard]] cluster::Route route() const;

    // Files of the node; other threads may read them only.
    [[nodiscard]] SshFiles& files() { return files_; }

private:
    struct Job;
    using Jobs = std::vector<std::shared_ptr<Job>>;

    void work(const std::stop_token& stop);
    [[nodiscard]] SshResult<std::unique_ptr<SshSession>> connect(const std::stop_token& stop);
    [[nodiscard]] SshResult<std::unique_ptr<SshSession>> logInWhenThereIsRoom(
        const std::stop_token& stop, CredentialProvider& credentials);
    [[nodiscard]] SshResult<std::unique_ptr<SshSession>> logIn(const std::stop_token& stop,
                                                               CredentialProvider& credentials);
    // Keeps a failed connection from being tried again at once.
    [[nodiscard]] bool ensureConnected(const std::stop_token& stop);
    void takeJobs();
    [[nodiscard]] bool isOpening() const;
    void stepFiles();
    void stepJobs();
    void stepJob(const std::shared_ptr<Job>& job);
    void killAbandoned();
    void deliver(const std::shared_ptr<Job>& job, Result<CommandResult> result);
    void lose(const Error& error);
    void watchSilence();
    // Until there may be something to do; `isWaiting`: for the host's words, too.
    void sleep(bool isWaiting);
    void wake() const;

    cluster::Node node_;
    std::shared_ptr<CredentialCache> cache_;
    std::string where_;
    Descriptor waker_;
    std::atomic<bool> beyondLibrary_ = false;
    std::atomic<bool> asksNobody_ = false;

    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    // Under the mutex, as are the jobs' results.
    std::deque<std::shared_ptr<Job>> queue_;
    cluster::Route route_{.way = "libssh2", .place = {}, .through = {}, .login = {}, .hostKey = {}};
    DeadlinePause pause_;

    SshFiles files_;

    // Of the thread.
    std::unique_ptr<SshSession> session_;
    Jobs active_;
    bool moved_ = false;
    bool nameIsKnown_ = false;  // it had an address before
    EarlierLogin earlierLogin_;
    BackOff backOff_;
    std::chrono::steady_clock::time_point lastIdle_;  // until then nothing was expected of the host
    std::chrono::steady_clock::time_point lastAsked_;
    Milliseconds lostAfter_{};  // of silence, as the configuration and we have it

    std::jthread thread_;
};

}  // namespace dlperf::remote
