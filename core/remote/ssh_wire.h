// SPDX-License-Identifier: Apache-2.0
// How SSH encodes things: numbers of four bytes and strings behind their length (RFC 4251, section 5), keys
// in text files as base64.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dlperf::remote {

class WireReader {
public:
    explicit WireReader(std::string_view bytes) : rest_(bytes) {}

    // 0 or nothing past the end; good() tells.
    std::uint32_t number() {
        std::uint32_t value = 0;
        for (const char byte : take(4)) {
            value = value << 8U | static_cast<unsigned char>(byte);
        }
        return value;
    }
    std::string_view string() { return take(number()); }
    std::string_view take(std::size_t bytes) {
        good_ = good_ && bytes <= rest_.size();
        const std::string_view taken = rest_.substr(0, good_ ? bytes : 0);
        rest_.remove_prefix(taken.size());
        return taken;
    }
    [[nodiscard]] bool good() const { return good_; }
    [[nodiscard]] std::string_view rest() const { return rest_; }

private:
    std::string_view rest_;
    bool good_ = true;
};

inline void putNumber(std::string& bytes, std::uint32_t value) {
    for (const unsigned shift : {24U, 16U, 8U, 0U}) {
        bytes += static_cast<char>(value >> shift & 0xFFU);
    }
}

inline void putString(std::string& bytes, std::string_view text) {
    putNumber(bytes, static_cast<std::uint32_t>(text.size()));
    bytes += text;
}

// The type that a public key's bytes begin with; empty where they are none.
[[nodiscard]] inline std::string keyTypeOf(std::string_view publicKey) {
    return std::string(WireReader(publicKey).string());
}

[[nodiscard]] std::string encodeBase64(std::string_view bytes);
[[nodiscard]] std::optional<std::string> decodeBase64(std::string_view text);

}  // namespace dlperf::remote
