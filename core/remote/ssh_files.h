// SPDX-License-Identifier: Apache-2.0
// Files read over one SFTP channel of a session, many at once. A command a look would start a shell on the
// host each time, with all that the user's shell files do; this starts none.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/remote/sftp.h"
#include "core/remote/ssh_session.h"
#include "core/remote/transport.h"

namespace dlperf::remote {

class SshFiles {
public:
    // `wake` gets the session's thread to call step().
    SshFiles(std::string where, std::function<void()> wake);
    ~SshFiles();
    SshFiles(const SshFiles&) = delete;
    SshFiles& operator=(const SshFiles&) = delete;
    SshFiles(SshFiles&&) = delete;
    SshFiles& operator=(SshFiles&&) = delete;

    // As Transport::read, from any thread. Nothing: the host has no SFTP for this account.
    [[nodiscard]] std::optional<Result<FileChunk>> read(const std::string& path, std::uint64_t offset,
                                                        std::size_t most, const Limits& limits);

    // The rest belongs to the thread of the session.
    // A call waits: a session is wanted.
    [[nodiscard]] bool busy();
    // Its channel is being opened: no other may be.
    [[nodiscard]] bool isOpening() const { return phase_ == Phase::Opening; }
    // A packet of this channel is half sent, see SshSession::isHalfSent().
    [[nodiscard]] bool isHalfSent() const { return halfSent_; }
    // Does what can be done without waiting; true when there may be more. `mayOpen`: no other channel is
    // being opened. An error means that the session is lost.
    [[nodiscard]] Result<bool> step(SshSession& session, bool mayOpen);
    // The host wants no more channels: this one is given up, the calls go on without.
    void yield();
    // The session ends, and its channels with it.
    void lose(const Error& error);

private:
    enum class Phase { Closed, Opening, Starting, Greeting, Open, Leaving, Refused };
    struct Job;

    [[nodiscard]] bool advance(SshSession& session, bool mayOpen);
    [[nodiscard]] bool openChannel(SshSession& session);
    [[nodiscard]] bool startServer(SshSession& session);
    [[nodiscard]] bool leave();
    [[nodiscard]] bool exchange(SshSession& session);
    [[nodiscard]] bool send(SshSession& session);
    [[nodiscard]] bool receive(SshSession& session);
    void takeAnswers();
    void takeJobs();
    void answer(const sftp::Answer& answer);
    void refuse();
    void note(const SshSession& session, int code);
    void deliver(const std::shared_ptr<Job>& job, std::optional<Result<FileChunk>> result);
    void deliverAll(const std::optional<Result<FileChunk>>& result);

    std::string where_;
    std::function<void()> wake_;

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::vector<std::shared_ptr<Job>> queue_;  // under the mutex, as are the jobs' results

    // Of the thread.
    Phase phase_ = Phase::Closed;
    SshChannel channel_;
    std::vector<std::shared_ptr<Job>> active_;
    std::uint16_t lastNumber_ = 0;
    std::chrono::steady_clock::time_point greetUntil_;
    sftp::AnswerReader answers_;
    std::string outbox_;
    std::string sending_;  // the same bytes at each try, as libssh2 wants them
    std::size_t sent_ = 0;
    bool halfSent_ = false;
    std::optional<Error> lost_;
};

}  // namespace dlperf::remote
