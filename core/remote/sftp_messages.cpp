// SPDX-License-Identifier: Apache-2.0
#include "core/remote/sftp_messages.h"

#include <algorithm>
#include <cstring>

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

void append(std::string& message, std::uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) {
        message += static_cast<char>((number >> static_cast<unsigned>(shift)) & 0xFFU);
    }
}

void append(std::string& message, std::string_view text) {
    append(message, static_cast<std::uint32_t>(text.size()));
    message += text;
}

std::uint32_t numberOf(std::string_view bytes) {
    std::uint32_t number = 0;
    for (const char byte : bytes.substr(0, numberBytes)) {
        number = number << 8U | static_cast<unsigned char>(byte);
    }
    return number;
}

// The string that the bytes begin with; nothing if it is longer than they are.
std::optional<std::string_view> textOf(std::string_view bytes) {
    const bool whole = bytes.size() >= numberBytes && numberOf(bytes) <= bytes.size() - numberBytes;
    return whole ? std::optional(bytes.substr(numberBytes, numberOf(bytes))) : std::nullopt;
}

std::string begin(Type type, std::uint32_t number) {
    std::string message(1, static_cast<char>(type));
    append(message, number);
    return message;
}

std::string whole(const std::string& message) {
    std::string framed;
    append(framed, message);
    return framed;
}

// Of a message without its length.
std::optional<Answer> answerOf(std::string_view message) {
    const auto type = static_cast<unsigned char>(message[0]);
    const std::string_view rest = message.substr(1 + numberBytes);
    Answer answer;
    answer.id = numberOf(message.substr(1));
    if (type == Type::Version) {
        answer.kind = AnswerKind::Version;
        return answer;
    }
    if (type == Type::Status && rest.size() >= numberBytes) {
        answer.status = numberOf(rest);
        answer.bytes = textOf(rest.substr(numberBytes)).value_or("");  // old servers send none
        return answer;
    }
    const auto text = textOf(rest);
    if (!text || (type != Type::Handle && type != Type::Data)) {
        return {};
    }
    answer.kind = type == Type::Handle ? AnswerKind::Handle : AnswerKind::Data;
    answer.bytes = *text;
    return answer;
}

}  // namespace

std::string init() {
    return whole(begin(Type::Init, version));
}

std::string open(std::uint32_t id, std::string_view path) {
    std::string message = begin(Type::Open, id);
    append(message, path);
    append(message, forReading);
    append(message, std::uint32_t{0});  // no attributes
    return whole(message);
}

std::string read(std::uint32_t id, std::string_view handle, std::uint64_t offset, std::uint32_t bytes) {
    std::string message = begin(Type::Read, id);
    append(message, handle);
    append(message, static_cast<std::uint32_t>(offset >> 32U));
    append(message, static_cast<std::uint32_t>(offset));
    append(message, bytes);
    return whole(message);
}

std::string close(std::uint32_t id, std::string_view handle) {
    std::string message = begin(Type::Close, id);
    append(message, handle);
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
    const std::uint32_t length = numberOf(left);
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
