// SPDX-License-Identifier: Apache-2.0
// A machine of a test, as far as the kernel can make one: namespaces of its own for network, processes,
// mounts and host name, a home, and a real sshd on port 22. All of it goes with the object, and with the
// test's process if that is killed.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "core/base/descriptor.h"

namespace dlperf::test {

// Why this machine cannot make others; empty where it can.
[[nodiscard]] std::string whyNoMachines();

// A TAP device "eth0" in the calling thread's network; its frames come out of the descriptor.
[[nodiscard]] Descriptor makeTap();
// The line of shell that gives it its addresses and switches it on.
[[nodiscard]] std::string upCommand(const std::string& address, const std::string& mac);

class Machine {
public:
    struct Options {
        std::string name;
        std::filesystem::path home;        // what it sees as the home of root; may be another's as well
        std::filesystem::path sshdConfig;  // of all machines: they differ in nothing
        std::filesystem::path log;         // of its sshd
    };

    explicit Machine(Options options);
    ~Machine();
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    [[nodiscard]] const std::string& name() const { return options_.name; }
    [[nodiscard]] const std::filesystem::path& home() const { return options_.home; }

    // Plugs it to what reads the descriptor.
    [[nodiscard]] Descriptor connect(const std::string& address, const std::string& mac);
    // A second network, eth1, straight to another machine: 10.78.0.1 here, 10.78.0.2 there.
    void wireTo(const Machine& other) const;
    // Runs a line of shell there; its exit code.
    int run(const std::string& script) const;
    void startSshd(const std::string& arguments = {}) const;
    void killSshd() const;  // and all its connections
    void killAll();         // everything on it, at once; it does not come back

private:
    void settle();
    // The line of shell, here, that runs this one there.
    [[nodiscard]] std::string entering(const std::string& script) const;

    Options options_;
    pid_t keeper_ = 0;  // unshare(1), whose child is the machine's first process
};

}  // namespace dlperf::test
