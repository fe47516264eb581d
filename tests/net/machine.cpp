// SPDX-License-Identifier: Apache-2.0
#include "tests/net/machine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <cstdlib>
#include <cstring>
#include <utility>

#include "core/base/text.h"
#include "tests/run/lab.h"

namespace dlperf::test {
namespace {

constexpr const char* tunDevice = "/dev/net/tun";
constexpr const char* kinds = "--net --pid --mount --uts --ipc";

int shell(const std::string& line) {
    const int status = std::system(line.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

// The calling thread stands in another network until the end of the scope.
class InNetwork {
public:
    explicit InNetwork(const std::string& file)
        : before_(::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)) {
        const Descriptor other(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
        EXPECT_EQ(::setns(other.get(), CLONE_NEWNET), 0) << std::strerror(errno);
    }
    ~InNetwork() { EXPECT_EQ(::setns(before_.get(), CLONE_NEWNET), 0) << std::strerror(errno); }
    InNetwork(const InNetwork&) = delete;
    InNetwork& operator=(const InNetwork&) = delete;

private:
    Descriptor before_;
};

}  // namespace

std::string whyNoMachines() {
    if (::getuid() != 0) {
        return "machines are made of namespaces, which needs root";
    }
    if (shell(fmt::format("unshare {} --fork --mount-proc true 2>/dev/null", kinds)) != 0) {
        return "this machine grants no namespaces";
    }
    if (shell("command -v ip nsenter >/dev/null") != 0) {
        return "ip (iproute2) or nsenter (util-linux) is missing";
    }
    return Descriptor(::open(tunDevice, O_RDWR | O_CLOEXEC)).open()
               ? std::string()
               : fmt::format("{}: {}", tunDevice, std::strerror(errno));
}

Descriptor makeTap() {
    Descriptor tap(::open(tunDevice, O_RDWR | O_CLOEXEC | O_NONBLOCK));
    ifreq request{};
    std::strncpy(request.ifr_name, "eth0", IFNAMSIZ - 1);
    request.ifr_flags = IFF_TAP | IFF_NO_PI;
    EXPECT_EQ(::ioctl(tap.get(), TUNSETIFF, &request), 0) << std::strerror(errno);
    return tap;
}

// Large frames, for gradients are large too and each frame passes through this program. Without IPv6 a quiet
// network is quiet.
std::string upCommand(const std::string& address, const std::string& mac) {
    return fmt::format(
        "echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6 2>/dev/null; ip link set eth0 address {} mtu 9000 "
        "txqueuelen 10000 "
        "&& ip addr add {}/24 dev eth0 && ip link set eth0 up",
        mac, address);
}

Machine::Machine(Options options) : options_(std::move(options)) {
    std::filesystem::create_directories(options_.home);
    keeper_ = ::fork();
    if (keeper_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        // The first process reaps what others leave behind, by not asking for it.
        ::execlp("unshare", "unshare", "--net", "--pid", "--mount", "--uts", "--ipc", "--fork",
                 "--mount-proc", "--kill-child=KILL", "env", "--ignore-signal=CHLD", "sleep", "infinity",
                 nullptr);
        ::_exit(127);
    }
    settle();
}

void Machine::settle() {
    // Until its first process is there, nsenter has words of its own.
    const std::string probe = entering("test \"$(cat /proc/1/comm)\" = sleep") + " 2>/dev/null";
    ASSERT_TRUE(run::eventually([&] { return shell(probe) == 0; }));
    // Its own /sys shows its own interfaces.
    ASSERT_EQ(run(fmt::format("mount --bind {} /root && hostname {} && ip link set lo up && "
                              "mount -t sysfs sysfs /mnt && mount --rbind /sys/fs/cgroup /mnt/fs/cgroup && "
                              "mount --rbind /mnt /sys",
                              shellQuote(options_.home.string()), options_.name)),
              0);
}

Machine::~Machine() {
    killAll();
}

void Machine::killAll() {
    if (keeper_ > 0) {
        ::kill(keeper_, SIGKILL);
        ::waitpid(keeper_, nullptr, 0);
        keeper_ = 0;
    }
}

Descriptor Machine::connect(const std::string& address, const std::string& mac) {
    Descriptor tap;
    {
        const InNetwork there(fmt::format("/proc/{}/ns/net", keeper_));
        tap = makeTap();
    }
    EXPECT_EQ(run(upCommand(address, mac)), 0);
    return tap;
}

std::string Machine::entering(const std::string& script) const {
    return fmt::format("nsenter -t {0} -n -m -u -i --pid=/proc/{0}/ns/pid_for_children sh -c {1}", keeper_,
                       shellQuote(script));
}

void Machine::wireTo(const Machine& other) const {
    EXPECT_EQ(
        shell(fmt::format("nsenter --net=/proc/{}/ns/net ip link add eth1 mtu 9000 type veth peer name eth1 "
                          "mtu 9000 netns {}",
                          keeper_, other.keeper_)),
        0);
    EXPECT_EQ(run("ip addr add 10.78.0.1/24 dev eth1 && ip link set eth1 up"), 0);
    EXPECT_EQ(other.run("ip addr add 10.78.0.2/24 dev eth1 && ip link set eth1 up"), 0);
    // The kernel says so up to a second later.
    constexpr const char* isUp = "read -r state </sys/class/net/eth1/operstate && [ \"$state\" = up ]";
    EXPECT_TRUE(run::eventually([&] { return run(isUp) == 0 && other.run(isUp) == 0; }));
}

int Machine::run(const std::string& script) const {
    return shell(entering(script));
}

void Machine::startSshd(const std::string& arguments) const {
    ASSERT_EQ(run(fmt::format("/usr/sbin/sshd -f {} -E {} {}", options_.sshdConfig.string(),
                              options_.log.string(), arguments)),
              0);
}

void Machine::killSshd() const {
    run("pkill -KILL -x sshd");
}

}  // namespace dlperf::test
