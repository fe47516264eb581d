// SPDX-License-Identifier: Apache-2.0
// One rank as a process of its own, for the tests to kill and to stop:
//   worker_heartbeat_probe serve              rank 0, which says the port
//   worker_heartbeat_probe wait PORT RANK     a rank that waits for a loss
//   worker_heartbeat_probe fail PORT RANK     a rank that fails
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <thread>

#include "base/failure.h"
#include "comm/heartbeat.h"
#include "comm/tcp_store.h"

namespace {

using namespace dlperf::worker;

void say(const std::string& line) {
    std::puts(line.c_str());
    std::fflush(stdout);
}

Heartbeat join(std::uint16_t port, int rank) {
    World world;
    world.rank = rank;
    world.masterPort = port;
    const HeartbeatSettings settings{std::chrono::milliseconds(20), std::chrono::milliseconds(2000)};
    return {world, std::chrono::steady_clock::now() + std::chrono::seconds(30), settings};
}

int number(const char* text) {
    int value = -1;
    std::from_chars(text, text + std::strlen(text), value);
    return value;
}

int run(const std::string& what, int port, int rank) {
    std::unique_ptr<TcpStoreServer> server;
    if (what == "serve") {
        FileDescriptor listener = listenAt("127.0.0.1", 0);
        port = portOf(listener);
        server = std::make_unique<TcpStoreServer>(std::move(listener));
        rank = 0;
    }
    Heartbeat heartbeat = join(static_cast<std::uint16_t>(port), rank);
    heartbeat.finished(42);
    say("joined at " + std::to_string(port) + ".");
    if (what == "fail") {
        heartbeat.fail("the disk is full");
        return 0;
    }
    while (!heartbeat.lost()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    say("lost: " + *heartbeat.lost());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc == 2) {
            return run(argv[1], 0, 0);
        }
        if (argc == 4) {
            return run(argv[1], number(argv[2]), number(argv[3]));
        }
    } catch (const Failure& failure) {
        std::fprintf(stderr, "%s\n", failure.what());
    }
    return 1;
}
