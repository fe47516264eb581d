// SPDX-License-Identifier: Apache-2.0
#include "core/remote/private_key.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>

#include <array>

#include "core/remote/ssh_wire.h"

namespace dlperf::remote {
namespace {

template <auto release>
struct Free {
    template <class T>
    void operator()(T* object) const {
        release(object);
    }
};
using Number = std::unique_ptr<BIGNUM, Free<BN_clear_free>>;
using Builder = std::unique_ptr<OSSL_PARAM_BLD, Free<OSSL_PARAM_BLD_free>>;
using Parameters = std::unique_ptr<OSSL_PARAM, Free<OSSL_PARAM_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Free<EVP_PKEY_CTX_free>>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, Free<EVP_MD_CTX_free>>;
using Signature = std::unique_ptr<ECDSA_SIG, Free<ECDSA_SIG_free>>;

constexpr std::size_t ed25519Bytes = 32;
constexpr std::string_view ecdsaName = "ecdsa-sha2-";

struct Curve {
    std::string_view name;  // in SSH
    const char* group;      // in OpenSSL
    const EVP_MD* (*digest)();
};
constexpr std::array<Curve, 3> curves{{{"nistp256", "prime256v1", EVP_sha256},
                                       {"nistp384", "secp384r1", EVP_sha384},
                                       {"nistp521", "secp521r1", EVP_sha512}}};

template <class Matches>
const Curve* findCurve(const Matches& matches) {
    for (const Curve& curve : curves) {
        if (matches(curve)) {
            return &curve;
        }
    }
    return nullptr;
}

const unsigned char* bytesOf(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* bytesOf(std::string& text) {
    return reinterpret_cast<unsigned char*>(text.data());
}

Number numberOf(std::string_view digits) {
    return Number(BN_bin2bn(bytesOf(digits), static_cast<int>(digits.size()), nullptr));
}

std::string digitsOf(const BIGNUM* number) {
    std::string digits(static_cast<std::size_t>(BN_num_bytes(number)), '\0');
    BN_bn2bin(number, bytesOf(digits));
    return digits;
}

std::string numberOf(const EVP_PKEY* key, const char* name) {
    BIGNUM* number = nullptr;
    EVP_PKEY_get_bn_param(key, name, &number);
    const Number owner(number);
    return number != nullptr ? digitsOf(number) : "";
}

EVP_PKEY* makeKey(const char* type, OSSL_PARAM_BLD* builder) {
    const Parameters parameters(OSSL_PARAM_BLD_to_param(builder));
    const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
    EVP_PKEY* key = nullptr;
    if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
        EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_KEYPAIR, parameters.get()) != 1) {
        return nullptr;
    }
    return key;
}

EVP_PKEY* rsaKey(WireReader& reader) {
    const Number n = numberOf(reader.string());
    const Number e = numberOf(reader.string());
    const Number d = numberOf(reader.string());
    const Builder builder(OSSL_PARAM_BLD_new());
    OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get());
    OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get());
    OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_D, d.get());
    return makeKey("RSA", builder.get());
}

EVP_PKEY* ecdsaKey(WireReader& reader) {
    const std::string_view name = reader.string();
    const std::string_view point = reader.string();
    const Number secret = numberOf(reader.string());
    const Curve* curve = findCurve([&](const Curve& one) { return one.name == name; });
    if (curve == nullptr) {
        return nullptr;
    }
    const Builder builder(OSSL_PARAM_BLD_new());
    OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, curve->group, 0);
    OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size());
    OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_PRIV_KEY, secret.get());
    return makeKey("EC", builder.get());
}

EVP_PKEY* ed25519Key(WireReader& reader) {
    reader.string();  // the public half, which stands in the other too
    const std::string_view both = reader.string();
    return both.size() == 2 * ed25519Bytes
               ? EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, bytesOf(both), ed25519Bytes)
               : nullptr;
}

const Curve* curveOf(const EVP_PKEY* key) {
    std::array<char, 64> group{};
    EVP_PKEY_get_group_name(key, group.data(), group.size(), nullptr);
    return findCurve([&](const Curve& one) { return one.group == std::string_view(group.data()); });
}

// The public half as SSH writes it; empty for types that cannot be used here.
std::string publicKeyOf(const EVP_PKEY* key) {
    std::string bytes;
    switch (EVP_PKEY_get_base_id(key)) {
        case EVP_PKEY_RSA:
            putString(bytes, "ssh-rsa");
            putMpint(bytes, numberOf(key, OSSL_PKEY_PARAM_RSA_E));
            putMpint(bytes, numberOf(key, OSSL_PKEY_PARAM_RSA_N));
            break;
        case EVP_PKEY_ED25519: {
            std::string half(ed25519Bytes, '\0');
            std::size_t size = half.size();
            EVP_PKEY_get_raw_public_key(key, bytesOf(half), &size);
            putString(bytes, "ssh-ed25519");
            putString(bytes, half);
            break;
        }
        case EVP_PKEY_EC: {
            const Curve* curve = curveOf(key);
            std::array<unsigned char, 256> point{};
            std::size_t size = 0;
            if (curve == nullptr || EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY,
                                                                    point.data(), point.size(), &size) != 1) {
                break;
            }
            putString(bytes, std::string(ecdsaName).append(curve->name));
            putString(bytes, curve->name);
            putString(bytes, {reinterpret_cast<const char*>(point.data()), size});
            break;
        }
        default:
            break;
    }
    return bytes;
}

// OpenSSL's two numbers in DER, as SSH wants them.
std::string ecdsaForSsh(std::string_view der) {
    const unsigned char* at = bytesOf(der);
    const Signature both(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
    std::string bytes;
    if (both) {
        putMpint(bytes, digitsOf(ECDSA_SIG_get0_r(both.get())));
        putMpint(bytes, digitsOf(ECDSA_SIG_get0_s(both.get())));
    }
    return bytes;
}

int givePassphrase(char* buffer, int size, int /*writing*/, void* passphrase) {
    const auto& text = *static_cast<const std::string*>(passphrase);
    const std::size_t bytes = text.copy(buffer, static_cast<std::size_t>(size));
    return static_cast<int>(bytes);
}

}  // namespace

std::string keyTypeOf(std::string_view publicKey) {
    return std::string(WireReader(publicKey).string());
}

std::optional<PrivateKey> PrivateKey::fromWire(std::string_view numbers) {
    WireReader reader(numbers);
    const std::string_view type = reader.string();
    Key key(type == "ssh-rsa"             ? rsaKey(reader)
            : type == "ssh-ed25519"       ? ed25519Key(reader)
            : type.starts_with(ecdsaName) ? ecdsaKey(reader)
                                          : nullptr);
    if (!key || !reader.good()) {
        return {};
    }
    std::string half = publicKeyOf(key.get());
    return PrivateKey(std::move(key), std::move(half));
}

std::optional<PrivateKey> PrivateKey::fromPem(const std::string& text, const std::string& passphrase) {
    const std::unique_ptr<BIO, Free<BIO_free>> source(
        BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
    Key key(PEM_read_bio_PrivateKey(source.get(), nullptr, &givePassphrase,
                                    const_cast<std::string*>(&passphrase)));
    std::string half = key ? publicKeyOf(key.get()) : std::string();
    if (half.empty()) {
        return {};
    }
    return PrivateKey(std::move(key), std::move(half));
}

std::string PrivateKey::sign(std::string_view data) const {
    const int type = EVP_PKEY_get_base_id(key_.get());
    const Curve* curve = type == EVP_PKEY_EC ? curveOf(key_.get()) : nullptr;
    const EVP_MD* digest = type == EVP_PKEY_RSA ? EVP_sha512() : curve != nullptr ? curve->digest() : nullptr;
    const DigestContext context(EVP_MD_CTX_new());
    std::size_t size = 0;
    if (!context || EVP_DigestSignInit(context.get(), nullptr, digest, nullptr, key_.get()) != 1 ||
        EVP_DigestSign(context.get(), nullptr, &size, bytesOf(data), data.size()) != 1) {
        return {};
    }
    std::string signature(size, '\0');
    if (EVP_DigestSign(context.get(), bytesOf(signature), &size, bytesOf(data), data.size()) != 1) {
        return {};
    }
    signature.resize(size);
    return type == EVP_PKEY_EC ? ecdsaForSsh(signature) : signature;
}

}  // namespace dlperf::remote
