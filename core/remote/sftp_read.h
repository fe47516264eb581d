// SPDX-License-Identifier: Apache-2.0
// One piece of a file read over SFTP: which requests are to be sent next, and what the answers make. Knows
// nothing of connections.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "core/remote/sftp_messages.h"
#include "core/remote/transport.h"

namespace dlperf::remote {

class SftpRead {
public:
    // `number` tells its answers from those of others: it is the upper half of all its request ids.
    SftpRead(std::uint16_t number, std::string path, std::uint64_t offset, std::size_t most);

    // What is to be sent first, and after an answer to one of its requests.
    [[nodiscard]] std::string begin();
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
        std::optional<sftp::Answer> answer;  // that came before its turn, its bytes in `early`
        std::string early;
    };

    [[nodiscard]] std::string takeHandle(const sftp::Answer& answer);
    [[nodiscard]] std::string takePart(const sftp::Answer& answer);
    void use(const sftp::Answer& answer, std::size_t asked);
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
