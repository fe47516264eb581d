// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sshd.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <random>
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

// Below those that the system gives to outgoing connections (from 32768): another test would take one of
// those before sshd listens.
int freePort() {
    std::random_device seed;
    std::uniform_int_distribution<int> among(10'000, 32'767);
    for (int attempt = 0; attempt < 1000; ++attempt) {
        const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const int port = among(seed);
        const sockaddr_in address = loopback(port);
        if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
            return port;
        }
    }
    ADD_FAILURE() << "there is no free port";
    return 0;
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

}  // namespace

Sshd::Sshd(const SshdOptions& options) : port_(freePort()), passwords_(!options.password.empty()) {
    const std::string here = folder_.path().string();
    std::string keys;
    for (const std::string& type : options.hostKeys) {
        makeKey(folder_, "host_" + type, type);
        keys += fmt::format("HostKey {}/host_{}\n", here, type);
    }
    makeKey(folder_, "id_ed25519", "ed25519");
    folder_.write("authorized_keys", textOf(folder_.path() / "id_ed25519.pub"));
    const auto unlessSet = [&](const char* word, const char* line) {
        return options.settings.find(word) == std::string::npos ? line : "";
    };
    folder_.write("sshd_config",
                  fmt::format("{1}\n{5}{6}Port {2}\nListenAddress 127.0.0.1\n{3}PidFile {0}/pid\n"
                              "AuthorizedKeysFile {0}/authorized_keys\nUsePAM {4}\nStrictModes no\n"
                              "PermitRootLogin yes\nLogLevel VERBOSE\n",
                              here, options.settings, port_, keys, passwords_ ? "yes" : "no",
                              unlessSet("Subsystem", "Subsystem sftp internal-sftp\n"),
                              unlessSet("MaxStartups", "MaxStartups 200\n")));
    makeAccounts(options);
    writeConfig("");
    writeKnownHosts(fmt::format("[127.0.0.1]:{} {}\n", port_, hostKey(options.hostKeys.front())));
    start();
}

Sshd::~Sshd() {
    stop();
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
        if (passwords_) {
            coverAccounts();
        }
        ::execl(program, program, "-D", "-f", config.c_str(), "-E", log.c_str(), nullptr);
        ::_exit(127);
    }
    for (int tries = 0; tries < 500 && !answers(port_); ++tries) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ASSERT_TRUE(answers(port_)) << textOf(log);
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
                    port_, user(), folder_.path().string(), more));
}

std::string Sshd::hostKey(const std::string& type) const {
    return publicKey(folder_, "host_" + type);
}

std::string Sshd::log() const {
    return textOf(folder_.path() / "log");
}

std::size_t Sshd::logged(const std::string& words) const {
    const std::string text = log();
    std::size_t count = 0;
    for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) {
        ++count;
    }
    return count;
}

std::string Sshd::makeLogin(const std::string& type, const std::string& passphrase) const {
    makeKey(folder_, "id_login", type, passphrase);
    folder_.write("authorized_keys", textOf(folder_.path() / "id_login.pub"));
    return (folder_.path() / "id_login").string();
}

std::string Sshd::user() {
    return ::getpwuid(::getuid())->pw_name;
}

std::string Sshd::whyNoPasswords() {
    if (::getuid() != 0) {
        return "sshd checks passwords as root only";
    }
    return std::system("unshare --mount true 2>/dev/null") == 0
               ? ""
               : "this machine grants no mount namespace, and the real accounts are not touched";
}

// What the server will see in the places of the real files.
void Sshd::makeAccounts(const SshdOptions& options) const {
    if (!passwords_) {
        return;
    }
    folder_.write("password", options.password + "\n");
    const std::string command = fmt::format(
        "cd {0} && umask 077 && hash=$(openssl passwd -6 -in password) && "
        "printf '%s:%s:19000:0:99999:7:::\\n' {1} \"$hash\" >shadow",
        folder_.path().string(), user());
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    folder_.write("pam", options.pam + "account required pam_permit.so\nsession required pam_permit.so\n");
}

// In the server's process, which sees mounts of its own from here on.
void Sshd::coverAccounts() const {
    const std::string shadow = (folder_.path() / "shadow").string();
    const std::string pam = (folder_.path() / "pam").string();
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount(shadow.c_str(), "/etc/shadow", nullptr, MS_BIND, nullptr) != 0 ||
        ::mount(pam.c_str(), "/etc/pam.d/sshd", nullptr, MS_BIND, nullptr) != 0) {
        ::_exit(126);
    }
}

}  // namespace dlperf::test
