// SPDX-License-Identifier: Apache-2.0
#include "core/remote/sftp_messages.h"

#include <algorithm>
#include <cstring>

#include "core/remote/ssh_wire.h"

namespace dlperf::remote::sftp {
namespace {

enum Type : unsigned char {
    Init = 1,
    Version = 2,
    Open = 3,
    Close = 4,
    Read = 5,
    Status = 101,
    Handle = 102,
    Data = 103
};

constexpr std::uint32_t forReading = 1;
constexpr std::size_t numberBytes = 4;
constexpr std::size_t headBytes = numberBytes + 1 + numberBytes;  // length, type, id
// More than any answer to what is asked here.
constexpr std::uint32_t longestAnswer = 256U << 10U;
constexpr std::size_t roomBytes = 256U << 10U;

std::string begin(Type type, std::uint32_t number) {
    std::string message(1, static_cast<char>(type));
    putNumber(message, number);
    return message;
}

std::string whole(const std::string& message) {
    std::string framed;
    putString(framed, message);
    return framed;
}

// Of a message without its length.
std::optional<Answer> answerOf(std::string_view message) {
    const auto type = static_cast<unsigned char>(message[0]);
    WireReader reader(message.substr(1));
    Answer answer;
    answer.id = reader.number();
    if (type == Type::Version) {
        answer.kind = AnswerKind::Version;
        return answer;
    }
    if (type == Type::Status) {
        answer.status = reader.number();
        const bool whole = reader.good();
        answer.bytes = reader.string();  // old servers send none
        return whole ? std::optional(answer) : std::nullopt;
    }
    answer.kind = type == Type::Handle ? AnswerKind::Handle : AnswerKind::Data;
    answer.bytes = reader.string();
    return reader.good() && (type == Type::Handle || type == Type::Data) ? std::optional(answer)
                                                                         : std::nullopt;
}

}  // namespace

std::string init() {
    return whole(begin(Type::Init, version));
}

std::string open(std::uint32_t id, std::string_view path) {
    std::string message = begin(Type::Open, id);
    putString(message, path);
    putNumber(message, forReading);
    putNumber(message, 0);  // no attributes
    return whole(message);
}

std::string read(std::uint32_t id, std::string_view handle, std::uint64_t offset, std::uint32_t bytes) {
    std::string message = begin(Type::Read, id);
    putString(message, handle);
    putNumber(message, static_cast<std::uint32_t>(offset >> 32U));
    putNumber(message, static_cast<std::uint32_t>(offset));
    putNumber(message, bytes);
    return whole(message);
}

std::string close(std::uint32_t id, std::string_view handle) {
    std::string message = begin(Type::Close, id);
    putString(message, handle);
    return whole(message);
}

std::span<char> AnswerReader::room() {
    filled_ -= read_;
    std::memmove(bytes_.data(), bytes_.data() + read_, filled_);
    read_ = 0;
    bytes_.resize(std::max(bytes_.size(), filled_ + roomBytes));
    return {bytes_.data() + filled_, bytes_.size() - filled_};
}

void AnswerReader::feed(std::size_t bytes) {
    filled_ += bytes;
}

std::optional<Answer> AnswerReader::next() {
    const std::string_view left = std::string_view(bytes_).substr(read_, filled_ - read_);
    if (broken_ || left.size() < headBytes) {
        return {};
    }
    const std::uint32_t length = WireReader(left).number();
    broken_ = length < headBytes - numberBytes || length > longestAnswer;
    if (broken_ || left.size() - numberBytes < length) {
        return {};
    }
    const auto answer = answerOf(left.substr(numberBytes, length));
    broken_ = !answer;
    read_ += numberBytes + length;
    return answer;
}

}  // namespace dlperf::remote::sftp
