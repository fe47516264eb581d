// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sshd.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <thread>

#include "core/base/descriptor.h"

namespace dlperf::test {
namespace {

constexpr const char* program = "/usr/sbin/sshd";

sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
}

int freePort() {
    const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
}

bool answers(int port) {
    const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_in address = loopback(port);
    return ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

std::string textOf(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

}  // namespace

Sshd::Sshd(const std::string& moreSettings)
    : port_(freePort()), pathBefore_(variable("PATH")), agentBefore_(variable("SSH_AUTH_SOCK")) {
    const std::string here = folder_.path().string();
    makeKey("host_ed25519", "ed25519");
    makeKey("host_ecdsa", "ecdsa");
    makeKey("id_ed25519", "ed25519");
    folder_.write("authorized_keys", textOf(folder_.path() / "id_ed25519.pub"));
    folder_.write(
        "sshd_config",
        fmt::format(
            "{1}\nPort {2}\nListenAddress 127.0.0.1\nHostKey {0}/host_ed25519\nHostKey {0}/host_ecdsa\n"
            "PidFile {0}/pid\nAuthorizedKeysFile {0}/authorized_keys\n"
            "UsePAM no\nStrictModes no\nMaxStartups 200\nLogLevel VERBOSE\n",
            here, moreSettings, port_));
    folder_.write("bin/ssh", fmt::format("#!/bin/sh\nexec /usr/bin/ssh -F {}/config \"$@\"\n", here));
    std::filesystem::permissions(folder_.path() / "bin/ssh", std::filesystem::perms::owner_all);
    writeConfig("");
    writeKnownHosts(fmt::format("[127.0.0.1]:{} {}\n", port_, hostKey("ed25519")));
    ::setenv("PATH", (here + "/bin:" + pathBefore_).c_str(), 1);
    ::unsetenv("SSH_AUTH_SOCK");
    start();
}

Sshd::~Sshd() {
    stop();
    ::setenv("PATH", pathBefore_.c_str(), 1);
    if (!agentBefore_.empty()) {
        ::setenv("SSH_AUTH_SOCK", agentBefore_.c_str(), 1);
    }
}

cluster::Node Sshd::node() const {
    cluster::Node node;
    node.name = "far";
    node.host = "box";
    return node;
}

void Sshd::start() {
    ::mkdir("/run/sshd", 0755);  // an unprivileged sshd needs none
    const std::string config = (folder_.path() / "sshd_config").string();
    const std::string log = (folder_.path() / "log").string();
    process_ = ::fork();
    if (process_ == 0) {
        ::setsid();
        ::execl(program, program, "-D", "-f", config.c_str(), "-E", log.c_str(), nullptr);
        ::_exit(127);
    }
    for (int tries = 0; tries < 500 && !answers(port_); ++tries) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ASSERT_TRUE(answers(port_)) << log;
}

// Its children have sessions of their own and are found by their parent.
void Sshd::stop() {
    if (process_ > 0) {
        (void)!std::system(fmt::format("pkill -KILL -P {}", process_).c_str());
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
        process_ = 0;
    }
}

void Sshd::writeConfig(const std::string& more) const {
    folder_.write(
        "config",
        fmt::format("{3}\nHost box\n  HostName 127.0.0.1\n  Port {0}\n  User {1}\n"
                    "  IdentityFile {2}/id_ed25519\n\nHost *\n  UserKnownHostsFile {2}/known_hosts\n"
                    "  GlobalKnownHostsFile /dev/null\n",
                    port_, ::getpwuid(::getuid())->pw_name, folder_.path().string(), more));
}

std::string Sshd::hostKey(const std::string& type) const {
    const std::string text = textOf(folder_.path() / ("host_" + type + ".pub"));
    return text.substr(0, text.rfind(' '));
}

std::string Sshd::log() const {
    return textOf(folder_.path() / "log");
}

void Sshd::makeKey(const std::string& file, const std::string& type) const {
    const std::string command =
        fmt::format("ssh-keygen -q -t {} -N '' -C tests -f {}/{}", type, folder_.path().string(), file);
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

}  // namespace dlperf::test
