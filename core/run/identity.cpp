// SPDX-License-Identifier: Apache-2.0
#include "core/run/identity.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "core/base/text.h"

namespace dlperf::run {
namespace {

constexpr std::size_t startField = 19;  // of the fields after the command's name: state is 0

// /proc files have no size, so they are read to their end.
std::string slurp(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::string bootHere() {
    return std::string(trim(slurp("/proc/sys/kernel/random/boot_id")));
}

}  // namespace

Json toJson(const Identity& identity) {
    return {{"boot", identity.boot}, {"pid", identity.pid}, {"start", identity.start}};
}

std::optional<Identity> identityFromJson(const Json& json) {
    if (!json.is_object() || !json.value("boot", Json()).is_string() ||
        !json.value("pid", Json()).is_number_integer() || !json.value("start", Json()).is_number_integer()) {
        return std::nullopt;
    }
    return Identity{json["boot"].get<std::string>(), json["pid"].get<std::int64_t>(),
                    json["start"].get<std::uint64_t>()};
}

std::optional<Identity> parseIdentity(std::string_view line) {
    const auto fields = split(trim(line), ' ');
    if (fields.size() != 3) {
        return std::nullopt;
    }
    const auto pid = numberIn<std::int64_t>(fields[0]);
    const auto start = numberIn<std::uint64_t>(fields[1]);
    if (!pid || *pid <= 1 || !start) {
        return std::nullopt;
    }
    return Identity{std::string(fields[2]), *pid, *start};
}

std::optional<ProcessState> parseProcessState(std::string_view stat) {
    const std::size_t name = stat.rfind(") ");
    if (name == std::string_view::npos) {
        return std::nullopt;
    }
    const auto fields = split(trim(stat.substr(name + 2)), ' ');
    if (fields.size() <= startField || fields[0].size() != 1) {
        return std::nullopt;
    }
    const auto start = numberIn<std::uint64_t>(fields[startField]);
    return start ? std::optional(ProcessState{fields[0].front(), *start}) : std::nullopt;
}

bool isAlive(const Identity& identity, std::string_view boot, std::string_view stat) {
    const auto state = parseProcessState(stat);
    return state && trim(boot) == identity.boot && state->start == identity.start && state->state != 'Z' &&
           state->state != 'X';
}

std::optional<Identity> ownIdentity() {
    const auto state = parseProcessState(slurp("/proc/self/stat"));
    return state ? std::optional(Identity{bootHere(), ::getpid(), state->start}) : std::nullopt;
}

bool isAliveHere(const Identity& identity) {
    return isAlive(identity, bootHere(), slurp(fmt::format("/proc/{}/stat", identity.pid)));
}

}  // namespace dlperf::run
