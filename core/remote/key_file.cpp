// SPDX-License-Identifier: Apache-2.0
#include "core/remote/key_file.h"

#include <algorithm>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/remote/base64.h"
#include "core/remote/bcrypt_pbkdf.h"
#include "core/remote/ssh_wire.h"

namespace dlperf::remote {
namespace {

constexpr std::string_view beginOpenSsh = "-----BEGIN OPENSSH PRIVATE KEY-----";
constexpr std::string_view endOpenSsh = "-----END OPENSSH PRIVATE KEY-----";
constexpr std::string_view magic{"openssh-key-v1\0", 15};
constexpr std::uintmax_t mostBytes = 64U << 10U;
constexpr std::size_t ivBytes = 16;
// What ssh-keygen -a takes in earnest; more would be a file made to hang its reader.
constexpr std::uint32_t mostRounds = 4096;

struct CipherFree {
    void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
    void operator()(EVP_CIPHER* cipher) const { EVP_CIPHER_free(cipher); }
};

// The bytes in clear; empty where this cipher is not known here. Whether the passphrase fits they show.
std::string decrypt(const std::string& bytes, const std::string& cipherName, const std::string& passphrase,
                    const std::string& salt, std::uint32_t rounds) {
    // "aes256-ctr" is OpenSSL's "AES-256-CTR"
    if (!cipherName.starts_with("aes") || cipherName.size() < 10 ||
        !(cipherName.ends_with("-ctr") || cipherName.ends_with("-cbc"))) {
        return {};
    }
    const std::string name = "AES-" + cipherName.substr(3);
    const std::unique_ptr<EVP_CIPHER, CipherFree> cipher(EVP_CIPHER_fetch(nullptr, name.c_str(), nullptr));
    const std::unique_ptr<EVP_CIPHER_CTX, CipherFree> context(EVP_CIPHER_CTX_new());
    if (!cipher || !context || passphrase.empty() || rounds == 0 || rounds > mostRounds) {
        return {};
    }
    const auto keyBytes = static_cast<std::size_t>(EVP_CIPHER_get_key_length(cipher.get()));
    const std::string key = bcryptPbkdf(passphrase, salt, keyBytes + ivBytes, rounds);
    const auto* keyAt = reinterpret_cast<const unsigned char*>(key.data());
    std::string clear(bytes.size(), '\0');
    int size = 0;
    if (EVP_DecryptInit_ex(context.get(), cipher.get(), nullptr, keyAt, keyAt + keyBytes) != 1 ||
        EVP_CIPHER_CTX_set_padding(context.get(), 0) != 1 ||
        EVP_DecryptUpdate(context.get(), reinterpret_cast<unsigned char*>(clear.data()), &size,
                          reinterpret_cast<const unsigned char*>(bytes.data()),
                          static_cast<int>(bytes.size())) != 1) {
        return {};
    }
    return clear;
}

Failure notAKey(const std::filesystem::path& file) {
    return fail("is no private key that can be read", file.string(),
                "Name the file of the private key, not the one that ends in .pub.");
}

}  // namespace

std::string publicKeyFromFile(const std::filesystem::path& file) {
    const auto text = readFile(file, mostBytes);
    const auto words = split(text ? trim(*text) : std::string_view(), ' ');
    const auto bytes = words.size() < 2 ? std::nullopt : decodeBase64(words[1]);
    return bytes && keyTypeOf(*bytes) == words[0] ? *bytes : "";
}

Result<KeyFile> KeyFile::read(const std::filesystem::path& file) {
    const auto text = readFile(file, mostBytes);
    if (!text) {
        return Failure(text.error());
    }
    KeyFile key;
    const std::size_t begin = text->find(beginOpenSsh);
    const std::size_t end = text->find(endOpenSsh);
    if (begin != std::string::npos && end != std::string::npos && begin < end) {
        std::string body = text->substr(begin + beginOpenSsh.size(), end - begin - beginOpenSsh.size());
        std::erase_if(body, [](char c) { return c == '\n' || c == '\r'; });
        const auto bytes = decodeBase64(body);
        return bytes && key.takeOpenSsh(*bytes) ? Result<KeyFile>(std::move(key)) : notAKey(file);
    }
    if (text->find("PRIVATE KEY-----") == std::string::npos) {
        return notAKey(file);
    }
    key.pem_ = *text;
    key.encrypted_ = text->find("ENCRYPTED") != std::string::npos;
    if (const auto opened = key.encrypted_ ? std::nullopt : key.open({})) {
        key.public_ = opened->publicKey();
        return key;
    }
    key.public_ = publicKeyFromFile(file.string() + ".pub");
    return key.encrypted_ ? Result<KeyFile>(std::move(key)) : notAKey(file);
}

bool KeyFile::takeOpenSsh(std::string_view bytes) {
    if (!bytes.starts_with(magic)) {
        return false;
    }
    WireReader reader(bytes.substr(magic.size()));
    cipher_ = reader.string();
    const std::string_view derivation = reader.string();
    WireReader options(reader.string());
    salt_ = options.string();
    rounds_ = options.number();
    const std::uint32_t keys = reader.number();
    public_ = reader.string();
    private_ = reader.string();
    encrypted_ = cipher_ != "none";
    return reader.good() && keys == 1 && (!encrypted_ || (derivation == "bcrypt" && options.good()));
}

std::optional<PrivateKey> KeyFile::open(const std::string& passphrase) const {
    if (!pem_.empty()) {
        return PrivateKey::fromPem(pem_, passphrase);
    }
    const std::string clear = encrypted_ ? decrypt(private_, cipher_, passphrase, salt_, rounds_) : private_;
    // Two equal numbers in front show that the passphrase fits.
    WireReader reader(clear);
    const std::uint32_t first = reader.number();
    if (first != reader.number() || !reader.good()) {
        return {};
    }
    return PrivateKey::fromWire(reader.rest());
}

}  // namespace dlperf::remote
