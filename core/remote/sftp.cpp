// SPDX-License-Identifier: Apache-2.0
#include "core/remote/sftp.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/text.h"
#include "core/remote/ssh_wire.h"

namespace dlperf::remote {
namespace {

enum RequestKind : char { Init = 1, Open = 3, Close = 4, Read = 5 };

constexpr std::uint32_t version = 3;
constexpr std::uint32_t forReading = 1;
constexpr std::size_t numberBytes = 4;
constexpr std::size_t headBytes = numberBytes + 1 + numberBytes;  // length, type, id
constexpr std::size_t roomBytes = 256U << 10U;
constexpr std::uint32_t longestMessage = roomBytes;  // more than any answer to what is asked here

// Every server gives as much at once, so that less is the end of the file.
constexpr std::size_t partBytes = 32U << 10U;
// 2 MiB under way: a log that is far behind comes at the speed of the line.
constexpr std::size_t deepest = 64;
constexpr std::size_t shallowest = 2;
// Who asks for more expects more.
constexpr std::size_t smallRead = 256U << 10U;

std::string request(RequestKind kind, std::uint32_t id, const std::string& rest) {
    std::string message(1, kind);
    putNumber(message, id);
    std::string framed;
    putString(framed, message + rest);
    return framed;
}

std::string stringOf(std::string_view text) {
    std::string bytes;
    putString(bytes, text);
    return bytes;
}

// Of a message without its length.
std::optional<sftp::Answer> answerOf(std::string_view message) {
    using sftp::AnswerKind;
    WireReader reader(message.substr(1));
    sftp::Answer answer;
    answer.kind = static_cast<AnswerKind>(static_cast<unsigned char>(message[0]));
    answer.id = reader.number();
    switch (answer.kind) {
        case AnswerKind::Version:
            return answer;
        case AnswerKind::Status:
            answer.status = reader.number();
            if (reader.good()) {
                answer.bytes = reader.string();  // old servers send none
                return answer;
            }
            return {};
        case AnswerKind::Handle:
        case AnswerKind::Data:
            answer.bytes = reader.string();
            return reader.good() ? std::optional(answer) : std::nullopt;
    }
    return {};
}

Error errorOf(std::uint32_t status, std::string_view words) {
    return {"cannot be read: " + firstLine(words),
            {},
            status == sftp::permissionDenied ? "Check the permissions there." : "",
            ErrorKind::Transient};
}

}  // namespace

std::string sftp::init() {
    return request(Init, version, {});
}

std::string sftp::open(std::uint32_t id, std::string_view path) {
    std::string rest = stringOf(path);
    putNumber(rest, forReading);
    putNumber(rest, 0);  // no attributes
    return request(Open, id, rest);
}

std::string sftp::read(std::uint32_t id, std::string_view handle, std::uint64_t offset, std::uint32_t bytes) {
    std::string rest = stringOf(handle);
    putNumber(rest, static_cast<std::uint32_t>(offset >> 32U));
    putNumber(rest, static_cast<std::uint32_t>(offset));
    putNumber(rest, bytes);
    return request(Read, id, rest);
}

std::string sftp::close(std::uint32_t id, std::string_view handle) {
    return request(Close, id, stringOf(handle));
}

std::span<char> sftp::AnswerReader::room() {
    filled_ -= read_;
    std::memmove(bytes_.data(), bytes_.data() + read_, filled_);
    read_ = 0;
    bytes_.resize(std::max(bytes_.size(), filled_ + roomBytes));
    return {bytes_.data() + filled_, bytes_.size() - filled_};
}

std::optional<sftp::Answer> sftp::AnswerReader::next() {
    const std::string_view left = std::string_view(bytes_).substr(read_, filled_ - read_);
    if (broken_ || left.size() < headBytes) {
        return {};
    }
    const std::uint32_t length = WireReader(left).number();
    broken_ = length < headBytes - numberBytes || length > longestMessage;
    if (broken_ || left.size() - numberBytes < length) {
        return {};
    }
    const auto answer = answerOf(left.substr(numberBytes, length));
    broken_ = !answer;
    read_ += numberBytes + length;
    return answer;
}

SftpRead::SftpRead(std::uint16_t number, std::string path, std::uint64_t offset, std::size_t most)
    : nextId_(static_cast<std::uint32_t>(number) << 16U),
      path_(std::move(path)),
      offset_(offset),
      most_(most),
      depth_(most > smallRead ? deepest : shallowest) {}

std::uint32_t SftpRead::newId() {
    ++owed_;
    const std::uint32_t id = nextId_;
    nextId_ = (nextId_ & 0xFFFF0000U) | ((nextId_ + 1) & 0xFFFFU);
    return id;
}

std::string SftpRead::take(const sftp::Answer& answer) {
    owed_ -= std::min<std::size_t>(owed_, 1);
    std::string requests;
    if (phase_ == Phase::Opening) {
        requests = takeHandle(answer);
    } else if (phase_ == Phase::Reading) {
        requests = takePart(answer);
    }
    if (phase_ == Phase::Closing && owed_ == 0) {
        phase_ = Phase::Gone;
    }
    return requests;
}

std::string SftpRead::abandon() {
    abandoned_ = true;
    return phase_ == Phase::Reading ? end() : std::string();
}

std::string SftpRead::takeHandle(const sftp::Answer& answer) {
    if (answer.kind != sftp::AnswerKind::Handle) {
        chunk_.missing = answer.status == sftp::noSuchFile;
        if (!chunk_.missing) {
            error_ = errorOf(answer.status, answer.bytes);
        }
        phase_ = Phase::Gone;
        return {};
    }
    handle_ = answer.bytes;
    phase_ = Phase::Reading;
    if (depth_ == deepest) {
        chunk_.bytes.reserve(most_);  // growing would copy it several times
    }
    return abandoned_ || most_ == 0 ? end() : askMore();
}

// Servers may answer in any order.
std::string SftpRead::takePart(const sftp::Answer& answer) {
    const auto part = std::ranges::find(parts_, answer.id, &Part::id);
    if (part == parts_.end()) {
        return {};
    }
    part->answer = answer;
    part->bytes = answer.bytes;
    while (!complete_ && !parts_.empty() && parts_.front().answer) {
        use(parts_.front());
        parts_.pop_front();
    }
    return complete_ ? end() : askMore();
}

void SftpRead::use(const Part& part) {
    if (part.answer->kind != sftp::AnswerKind::Data) {
        complete_ = true;
        if (part.answer->status != sftp::endOfFile) {
            error_ = errorOf(part.answer->status, part.bytes);
        }
        return;
    }
    chunk_.bytes.append(part.bytes, 0, part.asked);
    complete_ = part.bytes.size() < part.asked || chunk_.bytes.size() == most_;
    depth_ = std::min(depth_ + 1, deepest);  // doubles with each round trip
}

std::string SftpRead::askMore() {
    std::string requests;
    while (parts_.size() < depth_ && askedBytes_ < most_) {
        const std::size_t bytes = std::min(partBytes, most_ - askedBytes_);
        parts_.push_back({newId(), bytes});
        requests +=
            sftp::read(parts_.back().id, handle_, offset_ + askedBytes_, static_cast<std::uint32_t>(bytes));
        askedBytes_ += bytes;
    }
    return requests;
}

std::string SftpRead::end() {
    phase_ = Phase::Closing;
    return sftp::close(newId(), handle_);
}

Result<FileChunk> SftpRead::result(const std::string& where) {
    if (error_) {
        return fail(error_->what, where + ":" + path_, error_->remedy, error_->kind);
    }
    return std::move(chunk_);
}

}  // namespace dlperf::remote
