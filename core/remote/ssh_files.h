// SPDX-License-Identifier: Apache-2.0
// Files read over one SFTP channel of a session, many at once. A command a look would start a shell on the
// host each time, with all that the user's shell files do; this starts none.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/remote/ssh_session.h"
#include "core/remote/transport.h"

namespace dlperf::remote {

// The few messages of SFTP (version 3, draft-ietf-secsh-filexfer-02) that it takes to read files, and one
// read as requests and answers. libssh2's SFTP does not do for logs: a session of it has one call under way,
// so that a file on a hung file system stops all others, and its reads ahead fail where the file grows.
namespace sftp {

// Requests, ready to be sent.
[[nodiscard]] std::string init();
[[nodiscard]] std::string open(std::uint32_t id, std::string_view path);  // for reading
[[nodiscard]] std::string read(std::uint32_t id, std::string_view handle, std::uint64_t offset,
                               std::uint32_t bytes);
[[nodiscard]] std::string close(std::uint32_t id, std::string_view handle);

enum class AnswerKind { Version = 2, Status = 101, Handle, Data };

// What a status says; every other number is a failure.
inline constexpr std::uint32_t endOfFile = 1;
inline constexpr std::uint32_t noSuchFile = 2;
inline constexpr std::uint32_t permissionDenied = 3;

struct Answer {
    AnswerKind kind = AnswerKind::Status;
    std::uint32_t id = 0;      // of the request; the version of a Version
    std::uint32_t status = 0;  // of a Status
    std::string_view bytes;    // message of a Status, the handle, the data
};

// Cuts the stream into answers.
class AnswerReader {
public:
    // Where the next bytes of the stream are to be put, and how many were.
    [[nodiscard]] std::span<char> room();
    void feed(std::size_t bytes);
    // The next whole one; its bytes are good until the next call of room().
    [[nodiscard]] std::optional<Answer> next();
    // What came is no SFTP: a shell file that prints, or another version.
    [[nodiscard]] bool broken() const { return broken_; }

private:
    std::string bytes_;
    std::size_t filled_ = 0;         // of them
    std::size_t read_ = 0;           // of these
    std::size_t room_ = 32U << 10U;  // more where much comes: many a session brings a line at a time
    bool broken_ = false;
};

}  // namespace sftp

// One piece of a file: which requests are to be sent next, and what the answers make. Knows no connection.
class SftpRead {
public:
    // `number` tells its answers from those of others: it is the upper half of all its request ids. `handle`
    // is of the file, where it is open.
    SftpRead(std::uint16_t number, std::string path, std::uint64_t offset, std::size_t most,
             std::string handle = {});

    // What is to be sent first, and after an answer to one of its requests.
    [[nodiscard]] std::string begin();
    [[nodiscard]] std::string take(const sftp::Answer& answer);
    // Nobody wants it any more: what is to be sent to end it.
    [[nodiscard]] std::string abandon();

    // The result is there.
    [[nodiscard]] bool ended() const { return phase_ >= Phase::Closing; }
    // And the host owes no answer any more.
    [[nodiscard]] bool gone() const { return phase_ == Phase::Gone; }
    // Once it is gone: of the file, which is left open for the next read; empty where it was closed.
    [[nodiscard]] const std::string& handle() const { return handle_; }
    // Once it has ended, before its result is taken.
    [[nodiscard]] std::size_t bytesRead() const { return chunk_.bytes.size(); }
    // Once it has ended. `where` is of an error, "node a".
    [[nodiscard]] Result<FileChunk> result(const std::string& where);

private:
    enum class Phase { Opening, Reading, Closing, Gone };
    struct Part {
        std::uint32_t id;
        std::size_t asked;
        std::optional<sftp::Answer> answer{};  // that waits for those before it, its bytes in `bytes`
        std::string bytes{};
    };

    [[nodiscard]] std::string open();
    [[nodiscard]] std::string openAgain();
    [[nodiscard]] std::string takeHandle(const sftp::Answer& answer);
    [[nodiscard]] std::string beginReading();
    [[nodiscard]] std::string takePart(const sftp::Answer& answer);
    void use(const Part& part);
    [[nodiscard]] std::string askMore();
    [[nodiscard]] std::string end();
    [[nodiscard]] std::uint32_t newId();

    std::uint32_t nextId_;
    std::uint32_t openId_ = 0;
    bool reused_ = false;  // the handle, of a file that may be gone by now
    std::string path_;
    std::uint64_t offset_;
    std::size_t most_;
    Phase phase_ = Phase::Opening;
    bool abandoned_ = false;
    bool complete_ = false;  // all that is there, or was wanted, or an error
    std::string handle_;
    std::deque<Part> parts_;  // asked for and not used, in the order of their place in the file
    std::size_t askedBytes_ = 0;
    std::size_t depth_;     // requests under way at once, at most
    std::size_t owed_ = 0;  // answers that the host still owes
    FileChunk chunk_;
    std::optional<Error> error_;
};

class SshFiles {
public:
    // `wake` gets the session's thread to call step().
    SshFiles(std::string where, std::function<void()> wake);
    ~SshFiles();
    SshFiles(const SshFiles&) = delete;
    SshFiles& operator=(const SshFiles&) = delete;

    // As Transport::read, from any thread. Nothing: the host has no SFTP for this account.
    [[nodiscard]] std::optional<Result<FileChunk>> read(const std::string& path, std::uint64_t offset,
                                                        std::size_t most, const Limits& limits);

    // The rest belongs to the thread of the session.
    // A call waits, a file is open, or the host owes an answer about the channel: a session is wanted.
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
    struct OpenFile {
        std::string path;
        std::string handle;
        std::uint64_t end;                           // of what was read of it
        std::chrono::steady_clock::time_point good;  // when it was known to be the one at its path
    };

    [[nodiscard]] bool advance(SshSession& session, bool mayOpen);
    [[nodiscard]] bool openChannel(SshSession& session);
    [[nodiscard]] bool startServer(SshSession& session);
    [[nodiscard]] bool leave();
    [[nodiscard]] bool exchange(SshSession& session);
    [[nodiscard]] bool send(SshSession& session);
    [[nodiscard]] bool receive(SshSession& session);
    void takeAnswers();
    void takeJobs();
    void begin(Job& job);
    void closeFiles();
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
    std::vector<OpenFile> open_;  // that no job reads, the longest unsure first
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
