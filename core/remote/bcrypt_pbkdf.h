// SPDX-License-Identifier: Apache-2.0
// The way from a passphrase to the key of an encrypted OpenSSH key file: bcrypt_pbkdf of OpenBSD, which no
// library that we link has. It is slow on purpose.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dlperf::remote {

[[nodiscard]] std::string bcryptPbkdf(std::string_view passphrase, std::string_view salt,
                                      std::size_t keyBytes, std::uint32_t rounds);

}  // namespace dlperf::remote
