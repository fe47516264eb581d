// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <openssl/evp.h>

#include <memory>
#include <string>
#include <string_view>

namespace dlperf {

// The checksum of bytes that come in pieces.
class Sha256 {
public:
    Sha256();
    void add(std::string_view bytes);
    // 64 hexadecimal digits; once, at the end.
    [[nodiscard]] std::string digits();

private:
    struct Free {
        void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
    };
    std::unique_ptr<EVP_MD_CTX, Free> context_;
};

}  // namespace dlperf
