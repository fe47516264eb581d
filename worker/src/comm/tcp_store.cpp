// SPDX-License-Identifier: Apache-2.0
#include "comm/tcp_store.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "comm/protocol.h"
#include "comm/store_table.h"

namespace dlperf::worker {
namespace {

using std::chrono::steady_clock;

// A round of what is ready by `until`: reads, writes and accepts. False where nothing was.
bool serveOnce(StoreTable& table, const FileDescriptor& listener, int wakeUp,
               std::optional<steady_clock::time_point> until) {
    std::vector<pollfd> entries{{wakeUp, POLLIN, 0}, {listener.get(), POLLIN, 0}};
    for (const StoreTable::Connection& connection : table.connections()) {
        const short writable = connection.output.empty() ? short{0} : short{POLLOUT};
        entries.push_back({connection.socket.get(), static_cast<short>(POLLIN | writable), 0});
    }
    const auto now = steady_clock::now();
    const int ready = poll(entries.data(), entries.size(), until ? millisecondsUntil(*until) : -1);
    if (ready < 0) {
        // Interrupted, or short of memory for a moment.
        if (errno != EINTR) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return true;
    }

    std::size_t i = 2;
    for (StoreTable::Connection& connection : table.connections()) {
        const short events = entries[i++].revents;
        if ((events & (POLLIN | POLLHUP | POLLERR)) != 0) {
            table.read(connection);
        }
        if ((events & POLLOUT) != 0 && !connection.broken) {
            table.write(connection);
        }
    }
    table.removeBroken();
    table.notifyLoss(now);
    if ((entries[1].revents & POLLIN) != 0) {
        table.accept(listener);
    }
    return ready > 0;
}

void serve(const FileDescriptor& listener, int wakeUp, std::chrono::milliseconds silence,
           const std::stop_token& stop) {
    StoreTable table(silence);
    while (!stop.stop_requested()) {
        serveOnce(table, listener, wakeUp, table.nextSilence());
    }

    // What others said before this was ended has arrived and is still told.
    const auto deadline = steady_clock::now() + protocol::finalMessageTimeout;
    constexpr int noFile = -1;  // the wake-up call came
    while (serveOnce(table, listener, noFile, steady_clock::now()) && steady_clock::now() < deadline) {
    }
    table.notifyShutdown();
    // Nothing is read any more, as it would be answered. Acknowledgements wake nobody.
    while (table.hasOutput() && steady_clock::now() < deadline) {
        for (StoreTable::Connection& connection : table.connections()) {
            table.write(connection);
        }
        table.removeBroken();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

}  // namespace

TcpStoreServer::TcpStoreServer(FileDescriptor listener, std::chrono::milliseconds silence)
    : wakeUp_(eventfd(0, EFD_CLOEXEC)) {
    fcntl(listener.get(), F_SETFL, O_NONBLOCK);
    const int wakeUp = wakeUp_.get();
    thread_ = std::jthread([socket = std::move(listener), wakeUp, silence](const std::stop_token& stop) {
        serve(socket, wakeUp, silence, stop);
    });
}

TcpStoreServer::~TcpStoreServer() {
    thread_.request_stop();
    const std::uint64_t one = 1;
    // An event counter that is new cannot be full.
    [[maybe_unused]] const ssize_t written = ::write(wakeUp_.get(), &one, sizeof one);
    thread_.join();
}

TcpStoreClient::TcpStoreClient(const std::string& address, std::uint16_t port, Deadline deadline)
    : socket_(connectTo(address, port, deadline)) {
    sendAll(socket_, protocol::greetingText, deadline);
}

void TcpStoreClient::set(const std::string& key, const std::string& value, Deadline deadline) {
    sendAll(socket_, protocol::encodeRequest(protocol::Set, key, value), deadline);
}

std::string TcpStoreClient::get(const std::string& key, Deadline deadline) {
    return get(key, deadline, [] { return std::nullopt; });
}

std::string TcpStoreClient::get(const std::string& key, Deadline deadline,
                                const std::function<std::optional<std::string>()>& lost) {
    constexpr std::chrono::milliseconds look{200};
    sendAll(socket_, protocol::encodeRequest(protocol::Get, key, ""), deadline);
    while (!readable(socket_, std::min(deadline, steady_clock::now() + look)) &&
           steady_clock::now() < deadline) {
        if (const auto reason = lost()) {
            throw Failure(ExitCode::Communication, *reason);
        }
    }
    std::string length(protocol::lengthBytes, '\0');
    receiveAll(socket_, length, deadline);
    const std::size_t size = protocol::decodeLength(length);
    // Whatever answers at that port is not to make this process take all memory.
    if (size > protocol::maxField) {
        throw Failure(ExitCode::Rendezvous, "rank 0 answers with what is no value");
    }
    std::string value(size, '\0');
    receiveAll(socket_, value, deadline);
    return value;
}

}  // namespace dlperf::worker
