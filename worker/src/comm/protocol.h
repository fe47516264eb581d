// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "comm/socket.h"

namespace dlperf::worker::protocol {

// What rank 0's port and its clients say to each other; tcp_store.h describes it.
// The number counts the builds that cannot talk to those before them.
constexpr std::string_view greetingText = "dlperf2\n";
constexpr std::string_view greetingOfAnyBuild = "dlperf";
constexpr const char* otherBuild =
    "a process of another build of dlperf-worker came; start the same build on all nodes";
constexpr std::size_t maxField = 1 << 20;
// How long one side waits to hand over its last message.
constexpr std::chrono::seconds finalMessageTimeout{2};

enum Request : char { Set = 'S', Get = 'G', Join = 'M', Heartbeat = 'B', Failed = 'F', Leave = 'L' };
enum Answer : char { Alive = 'A', Notice = 'N', Quit = 'Q' };

std::string encodeField(std::string_view bytes);
std::string encodeRequest(Request kind, std::string_view key, std::string_view value);
std::string encodeAnswer(Answer kind, std::string_view text);

// Takes a field off the front of `rest`; nothing where it is not whole yet, or where it says to be longer
// than any may be, which sets `tooLong`.
std::optional<std::string> takeField(std::string_view& rest, bool& tooLong);
// Waits for a field of rank 0's. Throws Failure(Rendezvous).
std::string receiveField(const FileDescriptor& socket, Deadline deadline);

}  // namespace dlperf::worker::protocol
