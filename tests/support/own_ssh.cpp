// SPDX-License-Identifier: Apache-2.0
#include "tests/support/own_ssh.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iterator>

namespace dlperf::test {
namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

}  // namespace

OwnSsh::OwnSsh(const Folder& folder)
    : pathBefore_(variable("PATH")), agentBefore_(variable("SSH_AUTH_SOCK")) {
    const std::string here = folder.path().string();
    folder.write("bin/ssh", fmt::format("#!/bin/sh\nexec /usr/bin/ssh -F {}/config \"$@\"\n", here));
    std::filesystem::permissions(folder.path() / "bin/ssh", std::filesystem::perms::owner_all);
    ::setenv("PATH", (here + "/bin:" + pathBefore_).c_str(), 1);
    ::unsetenv("SSH_AUTH_SOCK");
}

OwnSsh::~OwnSsh() {
    ::setenv("PATH", pathBefore_.c_str(), 1);
    if (!agentBefore_.empty()) {
        ::setenv("SSH_AUTH_SOCK", agentBefore_.c_str(), 1);
    }
}

void makeKey(const Folder& folder, const std::string& file, const std::string& type,
             const std::string& passphrase) {
    const std::string command = fmt::format("ssh-keygen -q -t {} -N '{}' -C tests -f {}/{}", type, passphrase,
                                            folder.path().string(), file);
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

std::string publicKey(const Folder& folder, const std::string& file) {
    std::ifstream stream(folder.path() / (file + ".pub"));
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    return text.substr(0, text.rfind(' '));
}

}  // namespace dlperf::test
