// SPDX-License-Identifier: Apache-2.0
#include "tests/net/wires.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace dlperf::test {
namespace {

constexpr std::size_t largestFrame = 65'536;
constexpr std::size_t macBytes = 6;
constexpr int framesAtOnce = 64;  // of one machine, before the others have their turn
// A line that is too slow for what comes drops what would wait longer, as a modem does.
constexpr std::chrono::milliseconds longestQueue{1'000};

unsigned number16(std::span<const unsigned char> frame, std::size_t at) {
    return frame.size() < at + 2 ? 0U : static_cast<unsigned>(frame[at]) << 8U | frame[at + 1];
}

// ARP: lost thrice it reads as "No route to host". A line that loses much is far away, and this is local.
bool isAddressResolution(std::span<const unsigned char> frame) {
    return number16(frame, 12) == 0x0806;
}

struct TcpPorts {
    int source = 0;
    int destination = 0;
};

// Zeros where the frame carries no TCP.
TcpPorts tcpPortsOf(std::span<const unsigned char> frame) {
    constexpr std::size_t ip = 14;
    if (number16(frame, 12) != 0x0800 || frame.size() < ip + 20 || frame[ip + 9] != 6) {
        return {};
    }
    const std::size_t tcp = ip + 4 * static_cast<std::size_t>(frame[ip] & 0x0FU);
    return {static_cast<int>(number16(frame, tcp)), static_cast<int>(number16(frame, tcp + 2))};
}

}  // namespace

Wires::Wires()
    : waker_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

Wires::~Wires() {
    thread_.request_stop();
    wake();
}

void Wires::wake() const {
    const std::uint64_t one = 1;
    (void)!::write(waker_.get(), &one, sizeof one);
}

std::string Wires::macOf(int socket) {
    return fmt::format("02:00:00:00:00:{:02x}", socket + 1);
}

int Wires::plug(Descriptor tap) {
    const std::scoped_lock lock(mutex_);
    taps_.push_back(std::move(tap));
    wake();
    return static_cast<int>(taps_.size()) - 1;
}

void Wires::lay(int from, int to, const Line& line) {
    const std::scoped_lock lock(mutex_);
    lines_[{from, to}] = line;
}

void Wires::closePort(int socket, int tcpPort) {
    const std::scoped_lock lock(mutex_);
    closed_.insert({socket, tcpPort});
}

void Wires::openPort(int socket, int tcpPort) {
    const std::scoped_lock lock(mutex_);
    closed_.erase({socket, tcpPort});
}

void Wires::work(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        std::vector<pollfd> ends{{waker_.get(), POLLIN, 0}};
        int time = -1;
        {
            const std::scoped_lock lock(mutex_);
            std::transform(taps_.begin(), taps_.end(), std::back_inserter(ends), [](const Descriptor& tap) {
                return pollfd{tap.get(), POLLIN, 0};
            });
            time = nap();
        }
        ::poll(ends.data(), ends.size(), time);
        if (ends[0].revents != 0) {
            std::uint64_t count = 0;
            (void)!::read(waker_.get(), &count, sizeof count);
        }
        const std::scoped_lock lock(mutex_);
        for (std::size_t i = 1; i < ends.size(); ++i) {
            if (ends[i].revents != 0) {
                receive(static_cast<int>(i) - 1);
            }
        }
        deliverDue();
    }
}

// Milliseconds until the next frame is due; -1: none is on its way.
int Wires::nap() const {
    if (coming_.empty()) {
        return -1;
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(coming_.begin()->first - Clock::now());
    return static_cast<int>(std::max<std::chrono::milliseconds::rep>(left.count(), 0));
}

void Wires::receive(int from) {
    std::array<unsigned char, largestFrame> buffer;  // not cleared: it is written before it is read
    for (int i = 0; i < framesAtOnce; ++i) {
        const ssize_t got = ::read(taps_[static_cast<std::size_t>(from)].get(), buffer.data(), buffer.size());
        if (got < static_cast<ssize_t>(macBytes)) {
            return;
        }
        route(from, std::span(buffer.data(), static_cast<std::size_t>(got)));
    }
}

// Hardware addresses are ours (macOf), so there is nothing to learn.
void Wires::route(int from, std::span<const unsigned char> frame) {
    const bool toAll = (frame[0] & 1U) != 0;
    const int to = frame[macBytes - 1] - 1;
    for (int socket = 0; socket < static_cast<int>(taps_.size()); ++socket) {
        if (socket != from && (toAll || socket == to) && !isClosed(from, socket, frame)) {
            carry(from, socket, frame);
        }
    }
}

bool Wires::isClosed(int from, int to, std::span<const unsigned char> frame) const {
    if (closed_.empty()) {
        return false;
    }
    const auto [source, destination] = tcpPortsOf(frame);
    return closed_.contains({from, source}) || closed_.contains({to, destination});
}

void Wires::carry(int from, int to, std::span<const unsigned char> frame) {
    const auto found = lines_.find({from, to});
    const Line line = found == lines_.end() ? Line{} : found->second;
    const bool isLost = !isAddressResolution(frame) && std::bernoulli_distribution(line.loss)(dice_);
    if (line.cut || isLost) {
        return;
    }
    if (line.delay.count() == 0 && line.bytesPerSecond == 0) {
        (void)!::write(taps_[static_cast<std::size_t>(to)].get(), frame.data(), frame.size());
        return;
    }
    auto due = Clock::now();
    if (line.bytesPerSecond > 0) {
        auto& busy = busyUntil_[line.cable > 0 ? std::pair(-line.cable, -line.cable) : std::pair(from, to)];
        if (busy > due + longestQueue) {
            return;
        }
        busy =
            std::max(busy, due) + std::chrono::microseconds(frame.size() * 1'000'000 / line.bytesPerSecond);
        due = busy;
    }
    coming_.emplace(due + line.delay, Parcel{to, Frame(frame.begin(), frame.end())});
}

void Wires::deliverDue() {
    const auto end = coming_.upper_bound(Clock::now());
    for (auto next = coming_.begin(); next != end; next = coming_.erase(next)) {
        const Frame& frame = next->second.frame;
        (void)!::write(taps_[static_cast<std::size_t>(next->second.to)].get(), frame.data(), frame.size());
    }
}

}  // namespace dlperf::test
