// SPDX-License-Identifier: Apache-2.0
// The wires between the machines of a test: an Ethernet switch of our own over TAP devices, so that a line
// can be cut, lose frames, be slow or take its time without anything of the kernel's traffic control.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/descriptor.h"

namespace dlperf::test {

// How frames travel from one socket of the switch to another.
struct Line {
    bool cut = false;
    double loss = 0;  // share of the frames, 0 to 1
    std::chrono::milliseconds delay{0};
    std::uint64_t bytesPerSecond = 0;  // 0: without limit
    int cable = 0;                     // of this number, with all lines that go over it; 0: of its own
};

class Wires {
public:
    Wires();
    ~Wires();
    Wires(const Wires&) = delete;
    Wires& operator=(const Wires&) = delete;

    // Plugs a TAP device in; the number of its socket, from 0. Its hardware address must be macOf(number).
    int plug(Descriptor tap);
    [[nodiscard]] static std::string macOf(int socket);

    // From now on, for this one direction.
    void lay(int from, int to, const Line& line);
    // Frames from and to this TCP port of the machine vanish, whoever the other is.
    void closePort(int socket, int tcpPort);
    void openPort(int socket, int tcpPort);

private:
    using Clock = std::chrono::steady_clock;
    using Frame = std::vector<unsigned char>;
    struct Parcel {
        int to;
        Frame frame;
    };

    void work(const std::stop_token& stop);
    void wake() const;
    void receive(int from);
    void route(int from, std::span<const unsigned char> frame);
    void carry(int from, int to, std::span<const unsigned char> frame);
    [[nodiscard]] bool isClosed(int from, int to, std::span<const unsigned char> frame) const;
    void deliverDue();
    [[nodiscard]] int nap() const;

    Descriptor waker_;
    std::mutex mutex_;
    // Under the mutex.
    std::vector<Descriptor> taps_;
    std::map<std::pair<int, int>, Line> lines_;
    std::set<std::pair<int, int>> closed_;                        // socket, TCP port
    std::map<std::pair<int, int>, Clock::time_point> busyUntil_;  // from and to, or a cable twice, negative
    std::multimap<Clock::time_point, Parcel> coming_;
    std::mt19937 dice_{20261122};  // the same losses each time

    std::jthread thread_;  // last: it uses all of the above
};

}  // namespace dlperf::test
