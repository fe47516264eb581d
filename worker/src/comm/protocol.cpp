// SPDX-License-Identifier: Apache-2.0
#include "comm/protocol.h"

#include "base/failure.h"

namespace dlperf::worker::protocol {
namespace {

constexpr std::size_t lengthBytes = 4;

std::size_t decodeLength(std::string_view bytes) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < lengthBytes; ++i) {
        length |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    }
    return length;
}

}  // namespace

std::string encodeField(std::string_view bytes) {
    std::string text;
    for (std::size_t i = 0; i < lengthBytes; ++i) {
        text += static_cast<char>(bytes.size() >> (8 * i) & 0xFF);
    }
    return text.append(bytes);
}

std::string encodeRequest(Request kind, std::string_view key, std::string_view value) {
    std::string text(1, kind);
    text += encodeField(key);
    text += encodeField(value);
    return text;
}

std::string encodeAnswer(Answer kind, std::string_view text) {
    std::string answer(1, kind);
    answer += encodeField(text);
    return answer;
}

std::optional<std::string> takeField(std::string_view& rest, bool& tooLong) {
    if (rest.size() < lengthBytes) {
        return std::nullopt;
    }
    const std::size_t length = decodeLength(rest);
    tooLong = length > maxField;
    if (tooLong || rest.size() < lengthBytes + length) {
        return std::nullopt;
    }
    std::string field(rest.substr(lengthBytes, length));
    rest.remove_prefix(lengthBytes + length);
    return field;
}

std::string receiveField(const FileDescriptor& socket, Deadline deadline) {
    std::string length(lengthBytes, '\0');
    receiveAll(socket, length, deadline);
    const std::size_t size = decodeLength(length);
    // Whatever listens at that port must not make this process take all memory.
    if (size > maxField) {
        throw Failure(ExitCode::Rendezvous, "rank 0 answers with what is no value");
    }
    std::string value(size, '\0');
    receiveAll(socket, value, deadline);
    return value;
}

}  // namespace dlperf::worker::protocol
