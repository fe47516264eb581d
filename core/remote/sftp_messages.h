// SPDX-License-Identifier: Apache-2.0
// The few messages of SFTP (version 3, draft-ietf-secsh-filexfer-02) that it takes to read files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dlperf::remote::sftp {

inline constexpr std::uint32_t version = 3;

// Requests, ready to be sent.
[[nodiscard]] std::string init();
[[nodiscard]] std::string open(std::uint32_t id, std::string_view path);  // for reading
[[nodiscard]] std::string read(std::uint32_t id, std::string_view handle, std::uint64_t offset,
                               std::uint32_t bytes);
[[nodiscard]] std::string close(std::uint32_t id, std::string_view handle);

enum class AnswerKind { Version, Status, Handle, Data };

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
    std::size_t filled_ = 0;  // of them
    std::size_t read_ = 0;    // of these
    bool broken_ = false;
};

}  // namespace dlperf::remote::sftp
