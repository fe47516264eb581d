// SPDX-License-Identifier: Apache-2.0
#include "core/remote/bcrypt_pbkdf.h"

#include <openssl/bn.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <memory>

#include "core/remote/ssh_wire.h"

namespace dlperf::remote {
namespace {

using Word = std::uint32_t;
constexpr std::size_t roundKeys = 18;
constexpr std::size_t boxWords = 256;
constexpr std::size_t boxes = 4;
constexpr std::size_t stateWords = roundKeys + boxes * boxWords;
constexpr std::size_t blockBytes = 32;  // of one hash

struct NumberFree {
    void operator()(BIGNUM* number) const { BN_free(number); }
};
using Number = std::unique_ptr<BIGNUM, NumberFree>;

// factor * arctan(1 / of), in units of 2^-bits.
Number arctan(BN_ULONG factor, BN_ULONG of, int bits) {
    Number power(BN_new());
    Number sum(BN_new());
    BN_set_word(power.get(), factor);
    BN_lshift(power.get(), power.get(), bits);
    BN_div_word(power.get(), of);
    BN_copy(sum.get(), power.get());
    bool minus = true;
    for (BN_ULONG odd = 3; !BN_is_zero(power.get()); odd += 2) {
        BN_div_word(power.get(), of * of);
        const Number term(BN_dup(power.get()));
        BN_div_word(term.get(), odd);
        minus ? BN_sub(sum.get(), sum.get(), term.get()) : BN_add(sum.get(), sum.get(), term.get());
        minus = !minus;
    }
    return sum;
}

// Blowfish begins with the digits of pi behind the point. They are computed (Machin: 16 arctan 1/5 - 4 arctan
// 1/239), which says better than a thousand numbers where they come from.
std::array<Word, stateWords> digitsOfPi() {
    constexpr int bits = static_cast<int>(stateWords) * 32;
    constexpr int spare = 64;  // for what rounding loses
    const Number pi = arctan(16, 5, bits + spare);
    const Number less = arctan(4, 239, bits + spare);
    BN_sub(pi.get(), pi.get(), less.get());
    BN_rshift(pi.get(), pi.get(), spare);
    BN_mask_bits(pi.get(), bits);
    std::string bytes(stateWords * 4, '\0');
    BN_bn2binpad(pi.get(), reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
    std::array<Word, stateWords> digits{};
    WireReader reader(bytes);
    std::ranges::generate(digits, [&] { return reader.number(); });
    return digits;
}

class Blowfish {
public:
    Blowfish() {
        static const std::array<Word, stateWords> digits = digitsOfPi();
        state_ = digits;
    }

    // The key schedule, salted; an empty salt is none.
    void expand(std::string_view salt, std::string_view key) {
        Cycle keys(key);
        Cycle salts(salt);
        for (std::size_t i = 0; i < roundKeys; ++i) {
            state_[i] ^= keys.next();
        }
        Word left = 0;
        Word right = 0;
        for (std::size_t i = 0; i < stateWords; i += 2) {
            left ^= salts.next();
            right ^= salts.next();
            encrypt(left, right);
            state_[i] = left;
            state_[i + 1] = right;
        }
    }

    void encrypt(Word& left, Word& right) const {
        for (std::size_t i = 0; i < roundKeys - 2; ++i) {
            left ^= state_[i];
            right ^= mix(left);
            std::swap(left, right);
        }
        std::swap(left, right);
        right ^= state_[roundKeys - 2];
        left ^= state_[roundKeys - 1];
    }

private:
    // The bytes again and again, as words.
    class Cycle {
    public:
        explicit Cycle(std::string_view bytes) : bytes_(bytes) {}
        Word next() {
            Word word = 0;
            for (int i = 0; i < 4 && !bytes_.empty(); ++i, at_ = (at_ + 1) % bytes_.size()) {
                word = word << 8U | static_cast<unsigned char>(bytes_[at_]);
            }
            return word;
        }

    private:
        std::string_view bytes_;
        std::size_t at_ = 0;
    };

    [[nodiscard]] Word mix(Word x) const {
        const auto box = [&](std::size_t number, Word byte) {
            return state_[roundKeys + number * boxWords + (byte & 0xFFU)];
        };
        return ((box(0, x >> 24U) + box(1, x >> 16U)) ^ box(2, x >> 8U)) + box(3, x);
    }

    std::array<Word, stateWords> state_;
};

std::string sha512(std::string_view bytes) {
    std::string digest(SHA512_DIGEST_LENGTH, '\0');
    SHA512(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
           reinterpret_cast<unsigned char*>(digest.data()));
    return digest;
}

std::string bcryptHash(std::string_view passphrase, std::string_view salt) {
    constexpr int turns = 64;
    Blowfish cipher;
    cipher.expand(salt, passphrase);
    for (int i = 0; i < turns; ++i) {
        cipher.expand({}, salt);
        cipher.expand({}, passphrase);
    }
    std::string hash;
    WireReader text("OxychromaticBlowfishSwatDynamite");
    while (hash.size() < blockBytes) {
        std::array<Word, 2> pair{text.number(), text.number()};
        for (int i = 0; i < turns; ++i) {
            cipher.encrypt(pair[0], pair[1]);
        }
        for (const Word word : pair) {
            for (const unsigned shift : {0U, 8U, 16U, 24U}) {
                hash += static_cast<char>(word >> shift & 0xFFU);
            }
        }
    }
    return hash;
}

}  // namespace

std::string bcryptPbkdf(std::string_view passphrase, std::string_view salt, std::size_t keyBytes,
                        std::uint32_t rounds) {
    // The bytes of a block are spread over the key, one every `stride`.
    const std::size_t stride = (keyBytes + blockBytes - 1) / blockBytes;
    const std::string password = sha512(passphrase);
    std::string key(keyBytes, '\0');
    for (std::size_t block = 0; block < stride; ++block) {
        std::string counted(salt);
        putNumber(counted, static_cast<std::uint32_t>(block + 1));
        std::string hash = bcryptHash(password, sha512(counted));
        std::string sum = hash;
        for (std::uint32_t round = 1; round < rounds; ++round) {
            hash = bcryptHash(password, sha512(hash));
            std::ranges::transform(sum, hash, sum.begin(),
                                   [](char a, char b) { return static_cast<char>(a ^ b); });
        }
        for (std::size_t i = 0; i * stride + block < keyBytes && i < blockBytes; ++i) {
            key[i * stride + block] = sum[i];
        }
    }
    return key;
}

}  // namespace dlperf::remote
