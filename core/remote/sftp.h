// SPDX-License-Identifier: Apache-2.0
// The few messages of SFTP (version 3, draft-ietf-secsh-filexfer-02) that it takes to read files, and one
// read as requests and answers. libssh2's SFTP does not do for logs: a session of it has one call under way,
// so that a file on a hung file system stops all others, and its reads ahead fail where the file grows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/remote/transport.h"

namespace dlperf::remote {
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
    void feed(std::size_t bytes) { filled_ += bytes; }
    // The next whole one; its bytes are good until the next call of room().
    [[nodiscard]] std::optional<Answer> next();
    // What came is no SFTP: a shell file that prints, or another version.
    [[nodiscard]] bool broken() const { return broken_; }

private:
    std::string bytes_;
    std::size_t filled_ = 0;  // of them
    std::size_t read_ = 0;    // of these
    bool broken_ = false;
};

}  // namespace sftp

// One piece of a file: which requests are to be sent next, and what the answers make. Knows no connection.
class SftpRead {
public:
    // `number` tells its answers from those of others: it is the upper half of all its request ids.
    SftpRead(std::uint16_t number, std::string path, std::uint64_t offset, std::size_t most);

    // What is to be sent first, and after an answer to one of its requests.
    [[nodiscard]] std::string begin() { return sftp::open(newId(), path_); }
    [[nodiscard]] std::string take(const sftp::Answer& answer);
    // Nobody wants it any more: what is to be sent to end it.
    [[nodiscard]] std::string abandon();

    // The result is there.
    [[nodiscard]] bool ended() const { return phase_ >= Phase::Closing; }
    // And the host owes no answer any more.
    [[nodiscard]] bool gone() const { return phase_ == Phase::Gone; }
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

    [[nodiscard]] std::string takeHandle(const sftp::Answer& answer);
    [[nodiscard]] std::string takePart(const sftp::Answer& answer);
    void use(const Part& part);
    [[nodiscard]] std::string askMore();
    [[nodiscard]] std::string end();
    [[nodiscard]] std::uint32_t newId();

    std::uint32_t nextId_;
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

}  // namespace dlperf::remote
