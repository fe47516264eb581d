// SPDX-License-Identifier: Apache-2.0
// Key files as ssh-keygen writes them: what is read from them signs as their owner.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>

#include "core/base/file.h"
#include "core/remote/base64.h"
#include "core/remote/bcrypt_pbkdf.h"
#include "core/remote/key_file.h"
#include "tests/support/folder.h"

namespace dlperf::remote {
namespace {

// Type with its bits, file format and cipher, as ssh-keygen's options.
class KeyFileTest : public testing::TestWithParam<std::tuple<const char*, const char*, const char*>> {
protected:
    void make() const {
        const auto [type, format, passphrase] = GetParam();
        const std::string command = fmt::format("ssh-keygen -q -t {} {} -N '{}' -C tests -f {}", type, format,
                                                passphrase, key().string());
        ASSERT_EQ(std::system(command.c_str()), 0) << command;
    }
    [[nodiscard]] std::filesystem::path key() const { return folder_.path() / "key"; }

    test::Folder folder_;
};

TEST_P(KeyFileTest, OpensWithItsPassphraseOnly) {
    make();
    const std::string passphrase = std::get<2>(GetParam());
    const auto file = KeyFile::read(key());
    ASSERT_TRUE(file) << describe(file.error());
    EXPECT_EQ(file->encrypted(), !passphrase.empty());
    EXPECT_EQ(file->publicKey(), publicKeyFromFile(key().string() + ".pub"));
    const auto opened = file->open(passphrase);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->publicKey(), file->publicKey());
    EXPECT_FALSE(opened->sign("some bytes").empty());
    if (file->encrypted()) {
        EXPECT_FALSE(file->open("wrong"));
        EXPECT_FALSE(file->open(""));
    }
}

INSTANTIATE_TEST_SUITE_P(Keys, KeyFileTest,
                         testing::Combine(testing::Values("ed25519", "rsa -b 2048", "ecdsa -b 256",
                                                          "ecdsa -b 384", "ecdsa -b 521"),
                                          testing::Values("", "-a 3 -Z aes128-cbc"),
                                          testing::Values("", "pässwörd")));
// ed25519 is never written as PEM by ssh-keygen.
INSTANTIATE_TEST_SUITE_P(Pem, KeyFileTest,
                         testing::Combine(testing::Values("rsa -b 2048", "ecdsa -b 256"),
                                          testing::Values("-m PEM", "-m PKCS8"),
                                          testing::Values("", "pässwörd")));

TEST(KeyFile, TheDerivationIsOpenBsds) {
    // From the test vectors of OpenBSD's regress/lib/libutil/bcrypt_pbkdf.
    EXPECT_EQ(encodeBase64(bcryptPbkdf("password", "salt", 32, 4)),
              "W78MwpNYfxw2NVVcJ3llmNR+V5Bxv0J+nY++hCq6NNk=");
}

TEST(KeyFile, WhatIsNoKeyIsNamed) {
    const test::Folder folder;
    const auto keyOf = [&](const std::string& text) {
        folder.write("key", text);
        return KeyFile::read(folder.path() / "key").has_value();
    };
    EXPECT_FALSE(keyOf(""));
    EXPECT_FALSE(keyOf("ssh-ed25519 AAAA"));
    EXPECT_FALSE(keyOf("-----BEGIN OPENSSH PRIVATE KEY-----\n!!!\n-----END OPENSSH PRIVATE KEY-----\n"));
    EXPECT_FALSE(keyOf("-----BEGIN OPENSSH PRIVATE KEY-----\n" +
                       encodeBase64(std::string("openssh-key-v1\0\xFF\xFF\xFF\xFFnone", 23)) +
                       "\n-----END OPENSSH PRIVATE KEY-----\n"));
    EXPECT_FALSE(keyOf("-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n"));
    EXPECT_FALSE(KeyFile::read(folder.path() / "none"));
}

}  // namespace
}  // namespace dlperf::remote
