// SPDX-License-Identifier: Apache-2.0
#include "comm/heartbeat.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "base/failure.h"
#include "comm/protocol.h"

namespace dlperf::worker {
namespace {

using std::chrono::steady_clock;

constexpr int maxRanks = 1 << 16;
constexpr std::size_t maxReason = 4096;

// Reasons come from the network and go to terminals.
std::string printable(const std::string& text) {
    std::string line = text.substr(0, maxReason);
    std::replace_if(
        line.begin(), line.end(), [](char letter) { return (letter >= 0 && letter < ' ') || letter == 127; },
        ' ');
    return line;
}

std::string silentFor(std::chrono::milliseconds time) {
    char text[96];
    std::snprintf(text, sizeof text, " has been silent for %g s: it is stopped or cannot be reached",
                  std::chrono::duration<double>(time).count());
    return text;
}

FileDescriptor join(const World& world, Deadline deadline) {
    FileDescriptor socket = connectTo(world.masterAddress, world.masterPort, deadline);
    const std::string rank = std::to_string(world.rank);
    sendAll(socket, protocol::greetingText, deadline);
    sendAll(socket, protocol::encodeRequest(protocol::Join, rank, ""), deadline);
    std::string answer = protocol::encodeAnswer(protocol::Alive, "");
    try {
        receiveAll(socket, answer, deadline);
    } catch (const Failure& failure) {
        throw Failure(ExitCode::Rendezvous,
                      "rank 0 does not take this process as rank " + rank +
                          "; is there another one, or are the two of different builds of "
                          "dlperf-worker? " +
                          failure.what());
    }
    return socket;
}

}  // namespace

bool Membership::join(int rank, Time now) {
    return rank >= 0 && rank < maxRanks && members_.emplace(rank, now).second;
}

void Membership::heartbeat(int rank, Time now) {
    const auto member = members_.find(rank);
    if (member != members_.end()) {
        member->second = now;
    }
}

void Membership::fail(int rank, const std::string& reason) {
    lose(rank, " failed: " + printable(reason));
}

void Membership::leave(int rank) {
    members_.erase(rank);
}

void Membership::disconnect(int rank) {
    lose(rank, " ended without a word");
}

void Membership::refuse(const std::string& reason) {
    loss_ = loss_.value_or(reason);
}

void Membership::checkTimeouts(Time now) {
    const auto silent = std::find_if(members_.begin(), members_.end(),
                                     [&](const auto& entry) { return now - entry.second > silence_; });
    if (silent != members_.end()) {
        lose(silent->first, silentFor(silence_));
    }
}

void Membership::lose(int rank, const std::string& how) {
    if (members_.erase(rank) != 0 && !loss_) {
        loss_ = "rank " + std::to_string(rank) + how;
    }
}

std::optional<Membership::Time> Membership::nextTimeout() const {
    if (members_.empty() || loss_) {
        return std::nullopt;
    }
    const auto first = std::min_element(members_.begin(), members_.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
    return first->second + silence_;
}

Heartbeat::Heartbeat(const World& world, Deadline deadline, std::chrono::milliseconds silence)
    : silence_(silence), socket_(join(world, deadline)), wakeUp_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

Heartbeat::~Heartbeat() {
    thread_.request_stop();
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(wakeUp_.get(), &one, sizeof one);
}

std::optional<std::string> Heartbeat::lost() const {
    const std::lock_guard lock(mutex_);
    return lost_;
}

void Heartbeat::fail(const std::string& reason) {
    end(protocol::encodeRequest(protocol::Failed, "", reason.substr(0, protocol::maxField)));
}

void Heartbeat::leave() {
    end(protocol::encodeRequest(protocol::Leave, "", ""));
    if (thread_.joinable()) {
        thread_.join();
    }
}

void Heartbeat::end(std::string finalMessage) {
    {
        const std::lock_guard lock(mutex_);
        if (!finalMessage_) {
            finalMessage_ = std::move(finalMessage);
        }
    }
    const std::uint64_t one = 1;
    // A counter that cannot take one more wakes the thread as well.
    [[maybe_unused]] const ssize_t written = ::write(wakeUp_.get(), &one, sizeof one);
}

std::optional<std::string> Heartbeat::finalMessage() const {
    const std::lock_guard lock(mutex_);
    return finalMessage_;
}

void Heartbeat::lose(const std::string& reason) {
    const std::lock_guard lock(mutex_);
    if (!lost_) {
        lost_ = reason;
    }
}

void Heartbeat::work(const std::stop_token& stop) {
    exchange(stop);
    if (finalMessage()) {
        sendFinalMessage();
    }
}

void Heartbeat::exchange(const std::stop_token& stop) {
    // Short timeouts have quicker beats, so that one may be late.
    const auto interval = std::min(std::chrono::milliseconds(1000), silence_ / 4);
    auto nextHeartbeat = steady_clock::now();
    auto lastReceived = nextHeartbeat;
    while (!stop.stop_requested() && !finalMessage()) {
        // Taken before reading: this process may be stopped at any point, with rank 0's messages unread.
        const auto now = steady_clock::now();
        if (wait(nextHeartbeat)) {
            if (!receive()) {
                return;
            }
            lastReceived = steady_clock::now();
            continue;
        }
        if (now - lastReceived > silence_) {
            lose("rank 0" + silentFor(silence_));
            return;
        }
        if (steady_clock::now() < nextHeartbeat) {
            continue;
        }
        nextHeartbeat = steady_clock::now() + interval;
        // One at a time always fits into the socket. An error is seen by reading as well.
        if (std::exchange(answered_, false)) {
            const std::string request = protocol::encodeRequest(protocol::Heartbeat, "", "");
            ::send(socket_.get(), request.data(), request.size(), MSG_NOSIGNAL);
        }
    }
}

bool Heartbeat::wait(Deadline until) const {
    std::array<pollfd, 2> entries{{{wakeUp_.get(), POLLIN, 0}, {socket_.get(), POLLIN, 0}}};
    return ::poll(entries.data(), entries.size(), millisecondsUntil(until)) > 0 && entries[1].revents != 0;
}

bool Heartbeat::receive() {
    char kind = 0;
    std::string text;
    try {
        const Deadline deadline = steady_clock::now() + silence_;
        receiveAll(socket_, std::span(&kind, 1), deadline);
        text = protocol::receiveField(socket_, deadline);
    } catch (const Failure&) {
        lose("rank 0 ended without a word");
        return false;
    }
    if (kind == protocol::Notice) {
        lose(text);
    } else if (kind == protocol::Alive) {
        answered_ = true;
    } else if (kind != protocol::Quit) {
        lose("rank 0 sent a message that this process does not know");
    }
    return kind == protocol::Notice || kind == protocol::Alive;
}

void Heartbeat::sendFinalMessage() {
    const Deadline deadline = steady_clock::now() + protocol::finalMessageTimeout;
    try {
        sendAll(socket_, *finalMessage(), deadline);
        // Rank 0 closes the connection when it has read the message. Closing it here, with something unread
        // in it, could lose the message.
        char byte = 0;
        while (true) {
            receiveAll(socket_, std::span(&byte, 1), deadline);
        }
    } catch (const Failure&) {
        // Ended, as it should, or nobody is there to tell.
    }
}

}  // namespace dlperf::worker
