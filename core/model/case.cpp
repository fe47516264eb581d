// SPDX-License-Identifier: Apache-2.0
#include "core/model/case.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <tuple>

#include "core/base/text.h"

namespace dlperf {
namespace {

constexpr std::array originNames{"own", "imported", "published"};
constexpr std::array outcomeNames{"ok", "oom", "failed", "cancelled", "short", "not-run"};

std::optional<int> count(std::string_view digits) {
    if (digits.empty() || digits.front() < '1' || digits.front() > '9') {
        return std::nullopt;
    }
    const auto value = toInt(digits);
    return value && *value <= 65536 ? value : std::nullopt;
}

}  // namespace

std::strong_ordering operator<=>(const Topology& a, const Topology& b) {
    return std::make_tuple(static_cast<long>(a.nodes) * a.devices, a.nodes) <=>
           std::make_tuple(static_cast<long>(b.nodes) * b.devices, b.nodes);
}

std::optional<Topology> parseTopology(std::string_view text) {
    const std::size_t middle = text.find('n');
    if (middle == std::string_view::npos || !text.ends_with('g')) {
        return std::nullopt;
    }
    const auto nodes = count(text.substr(0, middle));
    const auto devices = count(text.substr(middle + 1, text.size() - middle - 2));
    constexpr long largestWorld = 1L << 30U;  // so that a world size is an int
    if (!nodes || !devices || static_cast<long>(*nodes) * *devices > largestWorld) {
        return std::nullopt;
    }
    return Topology{*nodes, *devices};
}

std::string toString(const Topology& topology) {
    return fmt::format("{}n{}g", topology.nodes, topology.devices);
}

const char* toString(Origin origin) {
    return originNames.at(static_cast<std::size_t>(origin));
}
const char* toString(Outcome outcome) {
    return outcomeNames.at(static_cast<std::size_t>(outcome));
}
std::optional<Origin> parseOrigin(const std::string& text) {
    return enumNamed<Origin>(originNames, text);
}
std::optional<Outcome> parseOutcome(const std::string& text) {
    return enumNamed<Outcome>(outcomeNames, text);
}

namespace {

// 'd' stands for a digit, anything else for itself.
bool hasShape(const std::string& text, std::string_view shape) {
    return std::equal(text.begin(), text.end(), shape.begin(), shape.end(), [](char c, char expected) {
        return expected == 'd' ? c >= '0' && c <= '9' : c == expected;
    });
}

}  // namespace

std::string toIso8601(TimePoint time) {
    using namespace std::chrono;
    const auto day = floor<days>(time);
    const year_month_day date{day};
    const hh_mm_ss clock{time - day};
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                       clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                       clock.subseconds().count());
}

std::optional<TimePoint> parseIso8601(const std::string& text) {
    using namespace std::chrono;
    if (!hasShape(text, "dddd-dd-ddTdd:dd:dd.dddZ")) {
        return std::nullopt;
    }
    int y = 0;
    unsigned mo = 0;
    unsigned d = 0;
    int h = 0;
    int mi = 0;
    int s = 0;
    int ms = 0;
    const int fields = std::sscanf(text.c_str(), "%4d-%2u-%2uT%2d:%2d:%2d.%3dZ", &y, &mo, &d, &h, &mi, &s,
                                   &ms);  // NOLINT(cert-err34-c)
    const year_month_day date{year{y}, month{mo}, day{d}};
    if (fields != 7 || !date.ok() || h > 23 || mi > 59 || s > 60) {
        return std::nullopt;
    }
    return TimePoint{sys_days{date} + hours{h} + minutes{mi} + seconds{s} + milliseconds{ms}};
}

TimePoint now() {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

std::string toString(const MeasurementRange& range) {
    return fmt::format("{}:{}", range.warmup, range.train);
}

bool lowerIsBetter(const std::string& unit) {
    return unit == "ms" || unit.starts_with("ms/") || unit.starts_with("s/");
}

std::string toString(const RunId& id) {
    return id.attempt == 1 ? id.run : fmt::format("{}.{}", id.run, id.attempt);
}

std::string campaignTitle(const std::string& campaign, const std::string& plan) {
    if (campaign.size() < 16 || !hasShape(campaign.substr(0, 16), "dddddddd-dddddd-")) {
        return campaign;
    }
    const auto part = [&](std::size_t at, std::size_t count) { return campaign.substr(at, count); };
    const auto began = parseIso8601(fmt::format("{}-{}-{}T{}:{}:{}.000Z", part(0, 4), part(4, 2), part(6, 2),
                                                part(9, 2), part(11, 2), part(13, 2)));
    if (!began) {
        return campaign;
    }
    const auto local = fmt::localtime(std::chrono::system_clock::to_time_t(*began));
    return plan.empty() ? fmt::format("{:%Y-%m-%d %H:%M:%S}", local)
                        : fmt::format("{:%Y-%m-%d %H:%M}, {}", local, plan);
}

RunId parseRunId(const std::string& id) {
    const std::size_t dot = id.find('.', id.rfind('/') + 1);
    const auto attempt = dot == std::string::npos ? std::nullopt : toInt(id.substr(dot + 1));
    return attempt ? RunId{id.substr(0, dot), *attempt} : RunId{id};
}

std::string campaignOfRun(const std::string& id) {
    return id.substr(0, id.rfind('/'));
}

std::string runIdOf(const std::string& campaign, std::size_t run) {
    return fmt::format("{}/{:04}", campaign, run + 1);
}

}  // namespace dlperf
