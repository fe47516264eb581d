// SPDX-License-Identifier: Apache-2.0
// The user's key files: OpenSSH's own format and PEM, encrypted or not. libssh2 reads them too, but wants the
// passphrase before the host has said whether it takes the key at all.
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/error.h"
#include "core/remote/private_key.h"

namespace dlperf::remote {

// The key in a .pub file; empty where there is none.
[[nodiscard]] std::string publicKeyFromFile(const std::filesystem::path& file);

class KeyFile {
public:
    // An Input error where it is no key file that can be read here.
    [[nodiscard]] static Result<KeyFile> read(const std::filesystem::path& file);

    // Empty where only the passphrase shows it (encrypted PEM without a .pub file beside it).
    [[nodiscard]] const std::string& publicKey() const { return public_; }
    [[nodiscard]] bool encrypted() const { return encrypted_; }
    // Nothing where the passphrase does not fit.
    [[nodiscard]] std::optional<PrivateKey> open(const std::string& passphrase) const;

private:
    [[nodiscard]] bool takeOpenSsh(std::string_view bytes);

    std::string pem_;  // empty: the parts below
    std::string public_;
    std::string cipher_;  // "aes256-ctr", "none"
    std::string salt_;
    std::uint32_t rounds_ = 0;
    std::string private_;
    bool encrypted_ = false;
};

}  // namespace dlperf::remote
