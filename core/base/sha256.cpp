// SPDX-License-Identifier: Apache-2.0
#include "core/base/sha256.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

namespace dlperf {
namespace {

// OpenSSL refuses none of these unless memory is short or the library has no SHA-256.
void demand(int result) {
    if (result != 1) {
        throw std::runtime_error("OpenSSL cannot compute a checksum");
    }
}

}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
    demand(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
}

void Sha256::add(std::string_view bytes) {
    demand(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}

std::string Sha256::digits() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> sum{};
    unsigned length = 0;
    demand(EVP_DigestFinal_ex(context_.get(), sum.data(), &length));
    std::string text;
    for (unsigned i = 0; i < length; ++i) {
        text += fmt::format("{:02x}", sum[i]);
    }
    return text;
}

}  // namespace dlperf
