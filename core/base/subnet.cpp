// SPDX-License-Identifier: Apache-2.0
#include "core/base/subnet.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace dlperf {
namespace {

constexpr int byteBits = 8;

using AddressBytes = std::array<unsigned char, sizeof(in6_addr)>;

void clearHost(AddressBytes& bytes, int prefix) {
    for (int i = 0; i < static_cast<int>(bytes.size()); ++i) {
        const int kept = std::clamp(prefix - i * byteBits, 0, byteBits);
        bytes[static_cast<std::size_t>(i)] &=
            static_cast<unsigned char>(0xff00U >> static_cast<unsigned>(kept));
    }
}

}  // namespace

std::optional<std::string> subnetOf(std::string_view address) {
    const std::size_t slash = std::min(address.find('/'), address.size());
    const std::string host(address.substr(0, slash));
    const int family = host.find(':') == std::string::npos ? AF_INET : AF_INET6;
    const int bits = byteBits * static_cast<int>(family == AF_INET ? sizeof(in_addr) : sizeof(in6_addr));
    const auto prefix = slash == address.size() ? std::optional(bits) : toInt(address.substr(slash + 1));
    AddressBytes bytes{};
    if (!prefix || *prefix < 0 || *prefix > bits || ::inet_pton(family, host.c_str(), bytes.data()) != 1) {
        return std::nullopt;
    }
    clearHost(bytes, *prefix);
    std::array<char, INET6_ADDRSTRLEN> text{};
    ::inet_ntop(family, bytes.data(), text.data(), text.size());
    return fmt::format("{}/{}", text.data(), *prefix);
}

}  // namespace dlperf
