// SPDX-License-Identifier: Apache-2.0
// A key that signs for the user: ed25519, ecdsa or rsa. libssh2 is not asked to, since 1.10 signs RSA with
// SHA-1 only, which hosts refuse today.
#pragma once

#include <openssl/evp.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace dlperf::remote {

// The type that a public key's bytes begin with; empty where they are none.
[[nodiscard]] std::string keyTypeOf(std::string_view publicKey);

class PrivateKey {
public:
    // The numbers of an OpenSSH key ("ssh-ed25519", …) as they stand in its file. Nothing for types that
    // cannot be used here.
    [[nodiscard]] static std::optional<PrivateKey> fromWire(std::string_view numbers);
    // Nothing where the passphrase does not fit or the type cannot be used.
    [[nodiscard]] static std::optional<PrivateKey> fromPem(const std::string& text,
                                                           const std::string& passphrase);

    [[nodiscard]] const std::string& publicKey() const { return public_; }
    // As SSH wants it behind the name of the algorithm; RSA as rsa-sha2-512. Empty where it fails.
    [[nodiscard]] std::string sign(std::string_view data) const;

private:
    struct KeyFree {
        void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
    };
    using Key = std::unique_ptr<EVP_PKEY, KeyFree>;

    PrivateKey(Key key, std::string publicKey) : key_(std::move(key)), public_(std::move(publicKey)) {}

    Key key_;
    std::string public_;
};

}  // namespace dlperf::remote
